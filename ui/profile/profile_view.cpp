#include "ui/profile/profile_view.h"

#include <algorithm>

#include "render/profile_panel_layout.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct ProfileView {
    Q_DECLARE_TR_FUNCTIONS(ProfileView)
};

std::string numberText(std::optional<double> value) {
    return (value ? millisecondsText(*value) : QStringLiteral("–")).toStdString();
}

render::PanelRow row(const QString& label, const RollingWindow& rolling) {
    return {label.toStdString(),
            {numberText(rolling.last()), numberText(rolling.median()), numberText(rolling.p95())}};
}

std::string megabytes(std::uint64_t bytes) {
    constexpr double kMega = 1e6;
    return fixedText(static_cast<double>(bytes) / kMega, 0).toStdString();
}

// Lane name that fits into the margin of the rows: "CPU", "stream 1" (of the GPU).
std::string shortLaneName(Lane lane) {
    if (lane.kind == LaneKind::gpu) return "stream " + std::to_string(lane.index + 1);
    return laneName(lane);
}

RunStep stepOf(const Span& span) {
    const auto* const step = std::ranges::find(kAllRunSteps, span.name, runStepName);
    return step == kAllRunSteps.end() ? RunStep::load : *step;
}

// Legend text of the hypothesis blocks from the second on, which share a colour: "block2", or
// "block2–4" where a run has four blocks.
std::string laterBlocksText(const ProfileHistory& history) {
    RunStep last = RunStep::block2;
    for (const ProfileHistory::Run& run : history.runs())
        for (const Span& span : run.steps) last = std::max(last, stepOf(span));
    const std::string text = ProfileView::tr("block2").toStdString();
    if (last == RunStep::block2) return text;
    const std::size_t blocks = static_cast<std::size_t>(last) - kStepsBeforeBlocks + 1;
    return text + "–" + std::to_string(blocks);
}

render::FlameSegment segmentOf(const Span& span, const ProfileHistory::Run& run, int lane,
                               const ThemeColours& colours) {
    render::FlameSegment segment;
    segment.begin = static_cast<float>(span.begin);
    segment.duration = static_cast<float>(span.duration);
    segment.lane = lane;
    const RunStep step = stepOf(span);
    segment.colour = toVec(stepColour(step, colours));
    const QString name = QString::fromStdString(span.name);
    segment.tip[0] = ProfileView::tr("%1 · run %2").arg(name).arg(run.number).toStdString();
    const double percent =
        run.backendMilliseconds > 0 ? 100 * span.duration / run.backendMilliseconds : 0;
    segment.tip[1] =
        (step == RunStep::load
             ? ProfileView::tr("%1 ms, before the network").arg(millisecondsText(span.duration))
             : ProfileView::tr("%1 ms · %2 % of the network")
                   .arg(millisecondsText(span.duration), QString::number(qRound(percent))))
            .toStdString();
    return segment;
}

}  // namespace

std::shared_ptr<const render::FlameGraph> flameGraphOf(const ProfileHistory& history,
                                                       const ThemeColours& colours) {
    auto result = std::make_shared<render::FlameGraph>();
    const auto& runs = history.runs();
    const std::size_t count = std::min(runs.size(), render::kMaxFlameRows);
    std::vector<Lane> lanes;
    for (std::size_t i = runs.size() - count; i < runs.size(); ++i)
        for (const Span& span : runs[i].steps) lanes.push_back(span.lane);
    std::sort(lanes.begin(), lanes.end());
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    for (const Lane lane : lanes) result->lanes.push_back(shortLaneName(lane));
    for (std::size_t i = 0; i < count; ++i) {
        const ProfileHistory::Run& run = runs[runs.size() - 1 - i];
        render::FlameRow segments;
        for (const Span& span : run.steps) {
            const auto lane = std::lower_bound(lanes.begin(), lanes.end(), span.lane);
            segments.push_back(
                segmentOf(span, run, static_cast<int>(lane - lanes.begin()), colours));
        }
        result->rows.push_back(std::move(segments));
    }
    return result;
}

namespace {

std::vector<render::PanelLegendEntry> legendOf(const ProfileHistory& history,
                                               const ThemeColours& colours) {
    std::vector<render::PanelLegendEntry> legend;
    const std::pair<RunStep, QString> entries[] = {{RunStep::load, ProfileView::tr("load")},
                                                   {RunStep::preprocess, ProfileView::tr("pre")},
                                                   {RunStep::cnn1, ProfileView::tr("cnn")},
                                                   {RunStep::project1, ProfileView::tr("project")},
                                                   {RunStep::graph1, ProfileView::tr("graph")},
                                                   {RunStep::block1, ProfileView::tr("block1")}};
    for (const auto& [step, text] : entries)
        legend.push_back({toVec(stepColour(step, colours)), text.toStdString()});
    legend.push_back({toVec(stepColour(RunStep::block2, colours)), laterBlocksText(history)});
    return legend;
}

std::vector<render::PanelFact> factsOf(const ProfileHistory& history,
                                       const ProfileNumbers& numbers) {
    std::vector<render::PanelFact> facts;
    const auto fact = [&facts](const QString& label, std::string value) {
        facts.push_back({label.toStdString(), std::move(value)});
    };
    // A fit is shown as a number, because beside a bar for it the bars of the run's steps would be
    // too short to read.
    if (!history.runs().empty() && history.runs().back().fit)
        fact(ProfileView::tr("fit ms"), numberText(history.runs().back().fit->duration));
    if (numbers.hostBytes) fact(ProfileView::tr("host MB"), megabytes(*numbers.hostBytes));
    if (numbers.deviceBytes) fact(ProfileView::tr("device MB"), megabytes(*numbers.deviceBytes));
    if (numbers.networkBytes) fact(ProfileView::tr("network MB"), megabytes(*numbers.networkBytes));
    if (numbers.poolUse) {
        fact(ProfileView::tr("pool hits"), std::to_string(numbers.poolUse->reusedCount));
        fact(ProfileView::tr("pool frees"), std::to_string(numbers.poolUse->freedCount));
        fact(ProfileView::tr("pool late"), std::to_string(numbers.poolUse->lateAllocationCount));
    }
    const GpuReading gauges = numbers.gpuReading.value_or(GpuReading{});
    const auto gauge = [&](const QString& label, std::optional<double> value) {
        if (value) fact(label, fixedText(*value, 0).toStdString());
    };
    gauge(ProfileView::tr("CPU %"), numbers.processorPercent);
    gauge(ProfileView::tr("GPU %"), gauges.utilisationPercent);
    if (gauges.usedBytes) fact(ProfileView::tr("GPU used MB"), megabytes(*gauges.usedBytes));
    if (gauges.freeBytes) fact(ProfileView::tr("GPU free MB"), megabytes(*gauges.freeBytes));
    gauge(ProfileView::tr("GPU MHz"), gauges.clockMegahertz);
    gauge(ProfileView::tr("GPU W"), gauges.powerWatts);
    gauge(ProfileView::tr("GPU °C"), gauges.temperatureCelsius);
    if (numbers.viewCache) {
        fact(ProfileView::tr("view hits"), std::to_string(numbers.viewCache->hits) + '/' +
                                               std::to_string(numbers.viewCache->reads));
    }
    if (numbers.queuedRequests > 1)
        fact(ProfileView::tr("queue"), std::to_string(numbers.queuedRequests - 1));
    if (numbers.supersededRequests)
        fact(ProfileView::tr("dropped"), std::to_string(*numbers.supersededRequests));
    return facts;
}

render::PanelColours panelColours(const ThemeColours& colours) {
    render::PanelColours result;
    constexpr float kDarkPanel = 0.86F;
    constexpr float kLightPanel = 0.92F;
    const QColor panel = colours.dark ? colours.panel.darker(135) : colours.panel;
    result.panel = glm::vec4(toVec(panel), colours.dark ? kDarkPanel : kLightPanel);
    result.text = toVec(colours.text);
    result.muted = toVec(colours.muted);
    result.line = toVec(colours.border);
    result.accent = toVec(colours.accent);
    result.overBudget = toVec(colours.warning);
    result.farOverBudget = toVec(colours.resultAccent);
    return result;
}

}  // namespace

render::ProfilePanelView profileView(const ProfileHistory& history,
                                     std::shared_ptr<const render::FlameGraph> runs,
                                     const ProfileNumbers& numbers, const ThemeColours& colours) {
    render::ProfilePanelView view;
    view.heading = {
        ProfileView::tr("live profile").toStdString(),
        {ProfileView::tr("last").toStdString(), ProfileView::tr("median").toStdString(), "p95"}};
    view.network = row(ProfileView::tr("network ms"), history.network());
    view.frame = row(ProfileView::tr("frame ms"), history.frame());
    view.panelCost = row(ProfileView::tr("overlay ms"), history.panel());
    view.flames = std::move(runs);
    view.legend = legendOf(history, colours);
    const auto& frames = history.frames();
    const std::size_t count = std::min(frames.size(), render::kMaxGraphFrames);
    for (std::size_t i = frames.size() - count; i < frames.size(); ++i)
        view.frames.push_back(static_cast<float>(frames[i].milliseconds));
    const double rate = numbers.refreshRate > 0 ? numbers.refreshRate : 60;
    view.budget = static_cast<float>(1000 / rate);
    view.budgetText = fixedText(1000 / rate, 1).toStdString();
    view.facts = factsOf(history, numbers);
    view.colours = panelColours(colours);
    return view;
}

}  // namespace threefold::ui
