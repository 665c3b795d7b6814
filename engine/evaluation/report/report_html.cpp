#include "engine/evaluation/report/report_html.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/evaluation/report/json_parts.h"
#include "engine/evaluation/report/published_means.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/bytes/data_uri.h"
#include "engine/measures/measure_table.h"
#include "engine/text.h"
#include "engine/web_page/page_parts.h"
#include "engine/web_page/sample_result.h"

namespace threefold {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kPage =
#include <report/report.html.inc>
    ;
constexpr std::string_view kStyle =
#include <report/report.css.inc>
    ;
// The parts of the script are one text: each may use the constants of the parts above it.
// clang-format off
constexpr std::string_view kScript =
#include <report/data.js.inc>
#include <pages/plots.js.inc>
#include <report/elements.js.inc>
#include <report/numbers.js.inc>
#include <report/head.js.inc>
#include <report/categories.js.inc>
#include <report/fitted.js.inc>
#include <report/histograms.js.inc>
#include <report/scatter.js.inc>
#include <report/timings.js.inc>
#include <report/run.js.inc>
#include <report/lists.js.inc>
#include <report/columns.js.inc>
#include <report/samples_table.js.inc>
#include <report/page.js.inc>
    ;
// clang-format on

/// Rounds to seven significant digits, more than the page shows; this halves the bytes.
double rounded(double value) {
    constexpr int kDigits = 6;
    if (value == 0 || !std::isfinite(value)) return value;
    // std::stod would throw at numbers below the smallest normal one.
    return parseNumber<double>(fmt::format("{:.{}e}", value, kDigits)).value_or(value);
}

void roundNumbers(OrderedJson& json) {
    if (json.is_number_float()) {
        json = rounded(json.get<double>());
    } else if (json.is_structured()) {
        for (OrderedJson& element : json) roundNumbers(element);
    }
}

/// Scores of `meshes` under the protocol with this index, as columns with one value per sample.
OrderedJson protocolScoresJson(const std::vector<SampleRecord>& records,
                               std::span<const std::string> meshes, std::size_t protocol) {
    OrderedJson json;
    for (const std::string& mesh : meshes) json[mesh] = OrderedJson::object();
    const auto hasScores = [&](const SampleRecord& record) {
        return record.succeeded() && protocol < record.scores.size();
    };
    // Leaves details out: with more measures, a page of ten thousand samples would open slowly.
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.isDetail) continue;
        for (const std::string& mesh : meshes)
            json[mesh][measure.key] = jsonArray(records, [&](const SampleRecord& record) {
                const Scores* const scores =
                    hasScores(record) ? record.scores[protocol].find(mesh) : nullptr;
                return numberJson(scores != nullptr ? measure.value(*scores) : std::nullopt);
            });
    }
    json["regressed"] = jsonArray(records, [&](const SampleRecord& record) {
        return hasScores(record) && record.scores[protocol].regressed() ? 1 : 0;
    });
    return json;
}

/// Values of each mesh and silhouetteMeasures() measure, as columns with one value per sample.
OrderedJson silhouetteValuesJson(const std::vector<SampleRecord>& records,
                                 std::span<const std::string> meshes) {
    OrderedJson json = OrderedJson::object();
    for (const std::string& mesh : meshes)
        for (const SilhouetteMeasure& measure : silhouetteMeasures())
            json[mesh][measure.key] = jsonArray(records, [&](const SampleRecord& record) {
                const auto means = meansOf(record.silhouettes, mesh);
                return numberJson(means ? measure.value(*means) : std::nullopt);
            });
    return json;
}

/// Values of each mesh and surfaceMeasures() measure, as columns with one value per sample; empty
/// if no truth has faces.
OrderedJson surfaceValuesJson(const std::vector<SampleRecord>& records,
                              std::span<const std::string> meshes) {
    OrderedJson json = OrderedJson::object();
    if (std::ranges::all_of(records, [](const auto& record) { return record.distances.empty(); }))
        return json;
    for (const std::string& mesh : meshes)
        for (const SurfaceMeasure& measure : surfaceMeasures())
            json[mesh][measure.key] = jsonArray(records, [&](const SampleRecord& record) {
                const DistanceSummary* const distances = record.distances.find(mesh);
                return numberJson(distances != nullptr
                                      ? std::optional<double>(measure.value(*distances))
                                      : std::nullopt);
            });
    return json;
}

/// The samples' data as columns, a third of the bytes that an object for each sample would take.
OrderedJson samplesJson(const EvaluationRun& run, const EvaluationSummary& summary) {
    const std::vector<SampleRecord>& records = run.records;
    OrderedJson errors = OrderedJson::object();
    for (std::size_t i = 0; i < records.size(); ++i)
        if (!records[i].succeeded()) errors[std::to_string(i)] = records[i].error;
    OrderedJson scores = OrderedJson::object();
    const std::vector<Protocol>& protocols = run.description.identity.measures.protocols;
    for (std::size_t p = 0; p < protocols.size(); ++p)
        scores[protocolName(protocols[p])] = protocolScoresJson(records, summary.meshes, p);
    const auto groupOf = [&](const SampleRecord& record) {
        std::size_t group = 0;
        while (summary.categories[group].category != record.category) ++group;
        return group;
    };
    const auto networkOf = [](const SampleRecord& record) {
        const bool timed = record.succeeded() && record.times.network > 0;
        return numberJson(timed ? std::optional(record.times.network) : std::nullopt);
    };
    return {{"name", jsonArray(records, displayName)},
            {"category", jsonArray(records, groupOf)},
            {"error", std::move(errors)},
            {"scores", std::move(scores)},
            {"silhouettes", silhouetteValuesJson(records, summary.meshes)},
            {"distances", surfaceValuesJson(records, summary.meshes)},
            {"times", {{"network", jsonArray(records, networkOf)}}}};
}

OrderedJson publishedJson(const std::optional<PublishedMeans>& means) {
    if (!means) return nullptr;
    OrderedJson json;
    for (const std::string_view key : kPublishedKeys) json[key] = *means->of(key);
    return json;
}

/// Last part of a path: a page that is passed on must not name folders of the writer's machine.
std::string lastPart(const std::string& path) {
    const std::filesystem::path whole(path);
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

OrderedJson pageJson(const EvaluationRun& run, const EvaluationSummary& summary,
                     const std::vector<ReportPicture>& pictures) {
    const std::vector<Protocol>& protocols = run.description.identity.measures.protocols;
    const auto groupOf = [&](const GroupSummary& group, const auto& means) {
        OrderedJson json = groupJson(group, protocols);
        json["published"] = publishedJson(means);
        return json;
    };
    const auto category = [&](const GroupSummary& group) {
        return groupOf(group, publishedMeans(group.category));
    };
    const auto failure = [](const FailureGroup& group) -> OrderedJson {
        return {{"reason", group.reason}, {"samples", group.recordIndices}};
    };
    const auto list = [](const ShownList& each) -> OrderedJson {
        return {{"key", each.key}, {"samples", each.recordIndices}};
    };
    OrderedJson picturesJson = OrderedJson::object();
    for (const ReportPicture& each : pictures)
        if (!each.png.empty())
            picturesJson[std::to_string(each.recordIndex)] =
                "data:image/png;base64," + encodeBase64(each.png);
    OrderedJson about = runJson(run);
    about["list"] = lastPart(run.description.list);
    about["model_file"] = lastPart(run.description.modelFile);
    OrderedJson data = {{"run", std::move(about)},
                        {"measures", measuresJson(truthMeasures())},
                        {"silhouette_measures", measuresJson(silhouetteMeasures())},
                        {"surface_measures", measuresJson(surfaceMeasures())},
                        {"all", groupOf(summary.all, publishedMeans(summary.categories))},
                        {"categories", jsonArray(summary.categories, category)},
                        {"published_label", kPublishedLabel},
                        {"failures", jsonArray(summary.failures, failure)},
                        {"timing", timeJson(summary.time)},
                        {"lists", jsonArray(shownLists(run.records), list)},
                        {"pictures", std::move(picturesJson)},
                        {"network_meshes", networkMeshes(summary.meshes)},
                        {"samples", samplesJson(run, summary)}};
    roundNumbers(data);
    return data;
}

}  // namespace

std::string reportHtml(const EvaluationRun& run, const EvaluationSummary& summary,
                       const ReportMedia& media) {
    const std::string data = escapeForScript(dumpJson(pageJson(run, summary, media.pictures)));
    const std::string style = std::string(viewerStyle()) + std::string(kStyle);
    const std::string script =
        std::string(viewerScript()) + std::string(dialogScript()) + std::string(kScript);
    const std::string policy = contentSecurityPolicy({}, script);
    const std::string dialog = media.results.html(webMeasures());
    return fillTemplate(kPage, {{"policy", policy},
                                {"style", style},
                                {"results", dialog},
                                {"data", data},
                                {"script", script}});
}

}  // namespace threefold
