#include "app/reconstruct/result_json.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/console/process.h"
#include "engine/evaluation/report/json_parts.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/json_text.h"
#include "engine/measures/measure_table.h"
#include "engine/network/precision.h"
#include "engine/views/left_out_view.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

/// Key of earlier releases: "leftOut" for "left_out".
std::string camelCase(std::string_view key) {
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i)
        if (key[i] == '_' && i + 1 < key.size())
            text += static_cast<char>(key[++i] - 'a' + 'A');
        else
            text += key[i];
    return text;
}

/// Adds the values of these keys under their camelCase keys as well, for one release.
void addEarlierKeys(Json& json, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        Json value = json.at(std::string(key));  // a copy: adding a key moves the values
        json[camelCase(key)] = std::move(value);
    }
}

/// Measures by the keys of `score --json`; `scores` repeats the F-scores as the list that earlier
/// releases wrote.
Json measuresJson(const ChamferAndFScores& measures) {
    constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
    Scores scores;
    scores.measures = measures;
    scores.hausdorff = scores.hausdorffToTruth = scores.hausdorffFromTruth = kUnmeasured;
    Json json = Json::object();
    for (const TruthMeasure& measure : truthMeasures())
        if (const auto value = measure.value(scores)) json[measure.key] = *value;
    json["scores"] = jsonArray(measures.fScores, [](const FScore& score) -> Json {
        return {{"threshold", score.threshold},
                {"precisionPercent", score.precision},
                {"recallPercent", score.recall},
                {"fPercent", score.fScore}};
    });
    return json;
}

Json depthJson(const DepthResult& depth) {
    Json steps = Json::object();
    for (const StepTime& each : depth.times) steps[std::string(each.step)] = each.milliseconds;
    Json json = {{"taken", depth.problem.empty()},
                 {"sure", depth.sureFraction},
                 {"strong", depth.strongFraction},
                 {"ms", depth.milliseconds},
                 {"steps_ms", std::move(steps)}};
    addEarlierKeys(json, {"steps_ms"});
    if (!depth.problem.empty()) json["problem"] = depth.problem;
    return json;
}

Json fitJson(const FitSummary& summary) {
    const FitResult& fit = summary.result;
    const auto viewJson = [](const FitAgreement& each) -> Json {
        Json view = {{"view", each.view},
                     {"overlap_before", each.before.overlap},
                     {"overlap_after", each.after.overlap}};
        addEarlierKeys(view, {"overlap_before", "overlap_after"});
        return view;
    };
    Json json = {{"ms", fit.milliseconds},
                 {"surface", fitSourceName(summary.source)},
                 {"steps", fit.steps.size()},
                 {"views", jsonArray(fit.agreements, viewJson)},
                 {"left_out", viewNumbersOf(fit.leftOut)},
                 {"notes", remarksOf(fit.leftOut, summary.notes)},
                 {"choice", summary.choice},
                 {"crease_before", fit.defectsBefore.crease},
                 {"crease_after", fit.defectsAfter.crease},
                 {"folded_faces_before", fit.defectsBefore.foldedFaceCount},
                 {"folded_faces_after", fit.defectsAfter.foldedFaceCount},
                 {"intersecting_faces_before", fit.defectsBefore.intersectingFaceCount},
                 {"intersecting_faces_after", fit.defectsAfter.intersectingFaceCount}};
    addEarlierKeys(json,
                   {"left_out", "crease_before", "crease_after", "folded_faces_before",
                    "folded_faces_after", "intersecting_faces_before", "intersecting_faces_after"});
    if (summary.depth) json["depth"] = depthJson(*summary.depth);
    return json;
}

Json hullJson(const SampleHull& hull) {
    Json json = {{"ms", hull.milliseconds},
                 {"vertices", hull.mesh.vertices.size()},
                 {"views", hull.photoCount},
                 {"overlap", hull.overlap},
                 {"left_out", viewNumbersOf(hull.leftOut)},
                 {"notes", remarksOf(hull.leftOut, hull.notes)}};
    addEarlierKeys(json, {"left_out"});
    if (hull.measures) json["measures"] = measuresJson(*hull.measures);
    return json;
}

Json exposuresJson(const TextureExposures& texture) {
    const auto listed = [](glm::vec3 value) { return Json{value.x, value.y, value.z}; };
    return {
        {"mesh", texture.mesh},
        {"photographs", jsonArray(texture.exposures, [&](const ExposureCorrection& each) -> Json {
             return {{"gain", listed(each.gain)}, {"offset", listed(each.offset)}};
         })}};
}

Json sampleJson(const SampleResult& result) {
    Json json = {
        {"sample", result.found.name}, {"given", result.given}, {"ok", result.succeeded()}};
    if (!result.succeeded()) {
        json["error"] = result.error;
        return json;
    }
    json["source"] = result.found.source.string();
    json["views"] = result.found.views;
    if (!result.notes.empty()) json["notes"] = result.notes;
    Json timings = Json::object();
    for (const StepTiming& timing : result.measured.timings)
        timings[std::string(runStepName(timing.step))] = timing.milliseconds;
    json["steps_ms"] = std::move(timings);
    json["network_ms"] = result.measured.backendMilliseconds;
    addEarlierKeys(json, {"network_ms"});
    json["timingsMs"] = Json(json["steps_ms"]);
    json["files"] = jsonArray(result.written.files, [](const auto& file) { return file.string(); });
    if (const auto& truth = result.measured.measures) {
        json["measures"] = {
            {"truth", truth->truth.string()},
            {"truth_space", truth->truthSpace == MeshSpace::world ? "world" : "view"}};
        addEarlierKeys(json["measures"], {"truth_space"});
        for (const auto& [mesh, measures] : truth->meshes.entries())
            json["measures"][mesh] = measuresJson(measures);
    }
    if (result.fit) json["fit"] = fitJson(*result.fit);
    json["silhouettes"] = silhouettesJson(result.measured.silhouettes);
    if (result.hull) json["hull"] = hullJson(*result.hull);
    if (const auto& exposures = result.written.exposures; !exposures.empty())
        json["exposures"] = jsonArray(exposures, exposuresJson);
    for (const auto& [kind, text] : result.remarks) {
        const std::string_view key = remarkKey(kind);
        json[std::string(key)] = text;
        json[camelCase(key)] = text;
    }
    return json;
}

/// Views shared by all samples; null if they differ.
Json usedViews(const ReconstructRequest& request, const std::vector<SampleResult>& results) {
    if (!request.sources.views.empty()) return request.sources.views;
    const std::vector<int>* views = nullptr;
    for (const SampleResult& result : results) {
        if (result.found.views.empty()) continue;
        if (views != nullptr && *views != result.found.views) return nullptr;
        views = &result.found.views;
    }
    return views != nullptr ? Json(*views) : Json(nullptr);
}

}  // namespace

nlohmann::ordered_json reconstructJson(const NetworkInfo& network,
                                       const ReconstructRequest& request,
                                       const std::vector<SampleResult>& results, bool cancelled) {
    const auto done = std::count_if(results.begin(), results.end(),
                                    [](const SampleResult& result) { return result.succeeded(); });
    const Model& model = *network.model;
    Json json = {{"threefold", THREEFOLD_VERSION},
                 {"backend", network.description},
                 {"precision", precisionName(network.precision)},
                 {"model",
                  {{"file", model.file.string()},
                   {"sha256", model.hash},
                   {"sampler", samplerName(model.sampler)}}},
                 {"views", usedViews(request, results)},
                 {"done", done},
                 {"failed", results.size() - static_cast<std::size_t>(done)},
                 {"cancelled", cancelled},
                 {"samples", jsonArray(results, sampleJson)},
                 {"peak_memory_mb", peakMemoryMegabytes()}};
    addEarlierKeys(json, {"peak_memory_mb"});
    return json;
}

}  // namespace threefold
