#include "engine/comparison/comparison_html.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/text.h"

namespace threefold {
namespace {

constexpr const char* kColumns[] = {"f_tau", "chamfer", "overlap"};

/// An element with escaped text.
std::string element(const char* tag, std::string_view text, std::string_view kind = {},
                    int columns = 1) {
    std::string opened(tag);
    if (!kind.empty()) opened += fmt::format(" class=\"{}\"", kind);
    if (columns > 1) opened += fmt::format(" colspan=\"{}\"", columns);
    return fmt::format("<{}>{}</{}>", opened, escapeHtml(std::string(text)), tag);
}

std::string verdictClass(const ComparedMeasure& each) {
    const std::optional<bool> better = each.secondIsBetter();
    return !better ? "" : *better ? "good" : "bad";
}

std::string startOf(std::string_view title) {
    return fmt::format("<section>\n<h2>{}</h2>\n<div class=\"scroll\"><table>\n", title);
}

std::string endOf(std::string_view note) {
    return fmt::format("</tbody></table></div>\n<p class=\"note\">{}</p>\n</section>\n", note);
}

std::string tile(std::string_view label, const std::string& value, std::string_view unit,
                 const std::vector<std::string>& details) {
    std::string text = fmt::format(
        "<div class=\"tile\"><div class=\"label\">{}</div><div class=\"value two\">{}<small> "
        "{}</small></div>",
        label, value, unit);
    for (const std::string& detail : details)
        text += fmt::format("<div class=\"detail\">{}</div>", detail);
    return text + "</div>\n";
}

std::string measureTile(const ComparedMeasure& each) {
    const MeasureDescription& measure = *each.measure;
    const PairedStatistics& column = each.statistics;
    return tile(titleWithUnit(measure),
                fmt::format("{} → {}", shownNumber(measure.unit, column.first.mean),
                            shownNumber(measure.unit, column.second.mean)),
                "",
                {fmt::format("<span class=\"{}\">B − A {}</span>", verdictClass(each),
                             shownNumber(measure.unit, column.difference.mean, true)),
                 fmt::format("95 %: {}", intervalText(measure.unit, column.difference))});
}

std::string timeTile(std::string_view label, std::optional<Statistics> RunTimeStatistics::*time,
                     const Comparison& comparison, const std::string& detail) {
    const auto shown = [&](const RunTimeStatistics& times) {
        return times.*time ? fmt::format("{:.0f}", (*(times.*time)).mean) : std::string("–");
    };
    const std::string a = shown(comparison.firstTimes);
    const std::string b = shown(comparison.secondTimes);
    if (a == "–" && b == "–") return {};
    return tile(label, fmt::format("{} → {}", a, b), "ms",
                detail.empty() ? std::vector<std::string>{} : std::vector{detail});
}

/// Two header rows: the measures' titles above A, B and their difference.
std::string measureHeads(const ComparedGroup& group, const std::vector<std::string>& before,
                         bool intervals, const std::vector<std::string>& after) {
    std::string over;
    std::string below;
    for (const std::string& head : before) below += element("th", head);
    over += element("th", "", "", static_cast<int>(before.size()));
    for (const char* key : kColumns) {
        const ComparedMeasure* const each = group.find(key);
        if (each == nullptr) continue;
        over += element("th", titleWithUnit(*each->measure), "gap", intervals ? 4 : 3);
        below += element("th", "A", "gap") + element("th", "B") + element("th", "B − A");
        if (intervals) below += element("th", "95 % interval");
    }
    for (const std::string& head : after) below += element("th", head);
    if (!after.empty()) over += element("th", "", "", static_cast<int>(after.size()));
    return fmt::format("<thead><tr class=\"over\">{}</tr>\n<tr>{}</tr></thead>\n<tbody>\n", over,
                       below);
}

constexpr double kPlot = 360;
constexpr double kLeft = 44;
constexpr double kTop = 8;

std::string scatter(const ComparedRun& first, const std::vector<SamplePair>& pairs) {
    const auto x = [](double f) { return kLeft + f / 100 * kPlot; };
    const auto y = [](double f) { return kTop + kPlot - f / 100 * kPlot; };
    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\">", kLeft + kPlot + 12, kPlot + 52);
    for (int f = 0; f <= 100; f += 25)
        text += fmt::format(
            "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>"
            "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>",
            x(f), y(0) + 16, f, kLeft - 6, y(f) + 4, f);
    text += fmt::format(
        "<path d=\"M{0:.0f} {1:.0f}h{2:.0f}v{2:.0f}h-{2:.0f}z\" class=\"axis\"/>"
        "<path d=\"M{3:.0f} {4:.0f}L{5:.0f} {6:.0f}\" class=\"diagonal\"/>"
        "<text x=\"{7:.0f}\" y=\"{8:.0f}\" text-anchor=\"middle\">A</text>"
        "<text x=\"10\" y=\"{9:.0f}\" text-anchor=\"middle\">B</text>",
        kLeft, kTop, kPlot, x(0), y(0), x(100), y(100), x(50), y(0) + 36, y(50));
    for (const SamplePair& each : pairs)
        if (each.fScore)
            text += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" class=\"point\"><title>{}: A {:.2f}, "
                "B {:.2f}</title></circle>",
                x(each.fScore->first), y(each.fScore->second),
                escapeHtml(first.evaluation.records[each.firstRecordIndex].name),
                each.fScore->first, each.fScore->second);
    return text + "</svg>\n";
}

std::string histogram(const std::vector<SamplePair>& pairs) {
    constexpr std::size_t kBins = 21;  // odd: the bin in the middle holds samples that are equal
    constexpr double kHeight = 360;
    double range = 0;
    for (const SamplePair& each : pairs) range = std::max(range, std::abs(each.fScoreDifference()));
    const double step = std::pow(10, std::floor(std::log10(std::max(range, 1e-3))));
    range = std::ceil(std::max(range, 1e-3) / step) * step;
    std::array<std::size_t, kBins> bins{};
    for (const SamplePair& each : pairs) {
        if (!each.fScore) continue;
        const double position = (each.fScoreDifference() + range) / (2 * range);
        ++bins.at(std::min(static_cast<std::size_t>(position * kBins), kBins - 1));
    }
    const auto most =
        static_cast<double>(std::max<std::size_t>(*std::ranges::max_element(bins), 1));
    const auto x = [&](double change) { return kLeft + (change + range) / (2 * range) * kPlot; };
    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\">", kLeft + kPlot + 12, kHeight + 52);
    const double width = kPlot / kBins;
    for (std::size_t i = 0; i < kBins; ++i) {
        if (bins.at(i) == 0) continue;
        const double height = static_cast<double>(bins.at(i)) / most * kHeight;
        const auto edge = [&](std::size_t bin) {
            return -range + 2 * range * static_cast<double>(bin) / kBins;
        };
        text += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"bin {}\">"
            "<title>{:.3g} … {:.3g}: {}</title></rect>",
            kLeft + width * static_cast<double>(i) + 0.5, kTop + kHeight - height, width - 1,
            height,
            i < kBins / 2   ? "bad"
            : i > kBins / 2 ? "good"
                            : "",
            edge(i), edge(i + 1), bins.at(i));
    }
    for (const double label : {-range, -range / 2, 0.0, range / 2, range})
        text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>",
                            x(label), kTop + kHeight + 16,
                            (label < 0 ? "−" : "") + fmt::format("{:g}", std::abs(label)));
    text += fmt::format(
        "<path d=\"M{0:.0f} {1:.0f}h{2:.0f}\" class=\"axis\"/>"
        "<path d=\"M{3:.0f} {4:.0f}V{1:.0f}\" class=\"diagonal\"/>"
        "<text x=\"{5:.0f}\" y=\"{6:.0f}\" text-anchor=\"end\">{7:.0f}</text>",
        kLeft, kTop + kHeight, kPlot, x(0), kTop, kLeft - 6, kTop + 8, most);
    return text + "</svg>\n";
}

}  // namespace

std::string nameHtml(const std::string& name, const std::string& id) {
    if (id.empty()) return escapeHtml(name);
    return fmt::format(
        "<button type=\"button\" class=\"link\" title=\"Turn the meshes\" data-result=\"{}\">{}"
        "</button>",
        id, escapeHtml(name));
}

std::string tableHtml(const ComparisonTable& table) {
    const auto kindOf = [&](std::size_t row, std::size_t column) {
        std::string kind =
            column < table.columnAlignments.size() && table.columnAlignments[column] == 'l' ? "text"
                                                                                            : "";
        for (const ComparisonTable::HighlightedCell& each : table.highlightedCells)
            if (each.row == row && each.column == column) kind = each.isBetter ? "good" : "bad";
        return kind;
    };
    std::string text = startOf(table.title());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        text += i == 0 ? "<thead><tr>" : "<tr>";
        for (std::size_t k = 0; k < table.rows[i].size(); ++k) {
            const bool isStage = table.rows[i][k].starts_with("  ");
            text += element(i == 0 ? "th" : "td", table.rows[i][k],
                            isStage  ? "stage"
                            : k == 0 ? ""
                                     : kindOf(i, k));
        }
        text += i == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
    }
    text += "</tbody></table></div>\n";
    for (const std::string& note : table.notes) text += element("p", note, "note") + "\n";
    return text + "</section>\n";
}

std::string tilesHtml(const Comparison& comparison) {
    std::string text = "<section class=\"tiles\" aria-label=\"Headline\">\n";
    const ComparedMeasure* judged = nullptr;
    for (const char* key : kColumns) {
        const ComparedMeasure* const each = comparison.all.find(key);
        if (each == nullptr) continue;
        if (judged == nullptr) judged = each;
        text += measureTile(*each);
    }
    if (judged != nullptr)
        text += tile(fmt::format("Samples, by {}", judged->measure->title),
                     fmt::format("{}", judged->betterCount()), "better in B",
                     {fmt::format("{} worse · {} equal, within 1 % of A's", judged->worseCount(),
                                  judged->statistics.similarCount)});
    std::string ratio;
    if (!comparison.speedUps.empty() && !comparison.isOnlyOneFitted)
        ratio = fmt::format("B {:.2f} times as fast", comparison.speedUps.front().ratio);
    if (comparison.isOnlyOneFitted) ratio = "not comparable: a fit ran beside";
    text += timeTile("Network, mean", &RunTimeStatistics::network, comparison, ratio);
    text += timeTile("Fit, mean", &RunTimeStatistics::fit, comparison, "");
    return text + "</section>\n";
}

std::string categoriesHtml(const Comparison& comparison) {
    std::string text = startOf("By category");
    text += measureHeads(comparison.all, {"Category", "n"}, true, {});
    const auto add = [&](const ComparedGroup& group, const char* kind) {
        text += fmt::format("<tr class=\"{}\">", kind) + element("td", group.name) +
                element("td", std::to_string(group.sampleCount));
        for (const char* key : kColumns) {
            if (comparison.all.find(key) == nullptr) continue;
            const ComparedMeasure* const each = group.find(key);
            if (each == nullptr) {
                text += element("td", "–", "gap") + element("td", "", "", 3);
                continue;
            }
            const Unit unit = each->measure->unit;
            text += element("td", shownNumber(unit, each->statistics.first.mean), "gap") +
                    element("td", shownNumber(unit, each->statistics.second.mean)) +
                    element("td", shownNumber(unit, each->statistics.difference.mean, true),
                            verdictClass(*each)) +
                    element("td", intervalText(unit, each->statistics.difference));
        }
        text += "</tr>\n";
    };
    add(comparison.all, "all");
    for (const ComparedGroup& group : comparison.categories) add(group, "");
    return text + endOf("Means. Green and red: the interval of the difference excludes zero.");
}

std::string samplesHtml(const ComparedRun& first, const Comparison& comparison,
                        const std::vector<std::string>& results) {
    const std::size_t shown = std::min(kComparedRows, comparison.pairs.size());
    std::string text = startOf(
        shown < comparison.pairs.size()
            ? fmt::format("Samples · the {} of {} that differ most", shown, comparison.pairs.size())
            : fmt::format("Samples · {}", shown));
    text += measureHeads(comparison.all, {"Sample"}, false, {"largest distance"});
    for (std::size_t i = 0; i < shown; ++i) {
        const SamplePair& pair = comparison.pairs[i];
        text += fmt::format("<tr><td>{}</td>",
                            nameHtml(first.evaluation.records[pair.firstRecordIndex].name,
                                     i < results.size() ? results[i] : ""));
        for (const auto& [key, both] :
             {std::pair("f_tau", &pair.fScore), std::pair("chamfer", &pair.chamfer),
              std::pair("overlap", &pair.overlap)}) {
            const ComparedMeasure* const each = comparison.all.find(key);
            if (each == nullptr) continue;
            if (!*both) {
                text += element("td", "–", "gap") + element("td", "–") + element("td", "–");
                continue;
            }
            const auto [a, b] = **both;
            const MeasureDescription& measure = *each->measure;
            const bool isEqual = isSimilar(a, b);
            const bool isBetter = (b > a) == (measure.better == BetterDirection::higher);
            text += element("td", shownNumber(measure.unit, a), "gap") +
                    element("td", shownNumber(measure.unit, b)) +
                    element("td", shownNumber(measure.unit, b - a, true),
                            isEqual    ? ""
                            : isBetter ? "good"
                                       : "bad");
        }
        text += element("td",
                        pair.maxMeshDistance ? fmt::format("{:.3g}", *pair.maxMeshDistance) : "–") +
                "</tr>\n";
    }
    return text +
           endOf(
               "Green and red: better and worse by more than 1 % of A's value. Largest distance: "
               "between the two meshes, object units.");
}

std::string chartsHtml(const ComparedRun& first, const std::vector<SamplePair>& pairs) {
    return fmt::format(
        "<section class=\"charts\">\n<figure><figcaption><span class=\"symbol\">F(τ)</span> <span "
        "class=\"as-is\">of each sample, %; B is better above the "
        "line</span></figcaption>{}</figure>\n"
        "<figure><figcaption>Samples <span class=\"as-is\">by B − A of F(τ), points of %</span>"
        "</figcaption>{}</figure>\n</section>\n",
        scatter(first, pairs), histogram(pairs));
}

}  // namespace threefold
