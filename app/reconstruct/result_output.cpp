#include "app/reconstruct/result_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/console/peak_memory.h"
#include "engine/evaluation/report_json.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

std::string measuresText(const Measures& measures) {
    return fmt::format("CD {:.6f}  F(τ) {:.2f} %  F(2τ) {:.2f} %", measures.chamfer,
                       measures.atTau().f, measures.atTwoTau().f);
}

Json measuresJson(const Measures& measures) {
    Json scores = Json::array();
    for (const FScore& score : measures.scores) {
        scores.push_back({{"threshold", score.threshold},
                          {"precisionPercent", score.precision},
                          {"recallPercent", score.recall},
                          {"fPercent", score.f}});
    }
    Json json = {{"chamfer", measures.chamfer}, {"scores", std::move(scores)}};
    for (const auto& [key, value] : measures.further) json[key] = value;
    return json;
}

Json fitJson(const FitResult& fit) {
    Json views = Json::array();
    for (const FitAgreement& each : fit.agreement) {
        views.push_back({{"view", each.view},
                         {"overlapBefore", each.before.overlap},
                         {"overlapAfter", each.after.overlap}});
    }
    return {{"ms", fit.milliseconds},
            {"steps", fit.steps.size()},
            {"views", std::move(views)},
            {"leftOut", fit.leftOut},
            {"notes", fit.notes},
            {"creaseBefore", fit.creaseBefore},
            {"creaseAfter", fit.creaseAfter},
            {"foldedFacesBefore", fit.foldedBefore},
            {"foldedFacesAfter", fit.foldedAfter},
            {"intersectingFacesBefore", fit.intersectingBefore},
            {"intersectingFacesAfter", fit.intersectingAfter}};
}

Json resultJson(const SampleResult& result) {
    Json json = {{"sample", result.name}, {"given", result.given}, {"ok", result.done()}};
    if (!result.done()) {
        json["error"] = result.error;
        return json;
    }
    json["source"] = result.source.string();
    json["views"] = result.views;
    if (!result.notes.empty()) json["notes"] = result.notes;
    if (!result.missingImages.empty()) json["missingImages"] = result.missingImages;
    Json timings = Json::object();
    for (const StageTiming& timing : result.timings) {
        timings[std::string(stageName(timing.stage))] = timing.milliseconds;
    }
    json["timingsMs"] = std::move(timings);
    json["networkMs"] = result.networkMs;
    json["files"] = Json::array();
    for (const auto& file : result.files) json["files"].push_back(file.string());
    if (result.measures) {
        json["measures"] = {
            {"truth", result.measures->truth.string()},
            {"truthSpace", result.measures->truthSpace == MeshSpace::world ? "world" : "view"},
            {"coarse", measuresJson(result.measures->coarse)},
            {"refined", measuresJson(result.measures->refined)}};
        if (result.measures->fitted)
            json["measures"]["fitted"] = measuresJson(*result.measures->fitted);
    }
    if (result.fit) json["fit"] = fitJson(*result.fit);
    json["silhouettes"] = silhouettesJson(result.silhouettes);
    if (!result.warning.empty()) json["warning"] = result.warning;
    if (!result.fitWarning.empty()) json["fitWarning"] = result.fitWarning;
    return json;
}

/// The views that all samples were made from; null where they differ.
Json usedViews(const ReconstructRequest& request, const std::vector<SampleResult>& results) {
    if (!request.views.empty()) return request.views;
    const std::vector<int>* views = nullptr;
    for (const SampleResult& result : results) {
        if (result.views.empty()) continue;
        if (views != nullptr && *views != result.views) return nullptr;
        views = &result.views;
    }
    return views != nullptr ? Json(*views) : Json(nullptr);
}

}  // namespace

std::string resultLine(const SampleResult& result) {
    constexpr double kBrief = 100;  // milliseconds; below, hundredths are worth showing
    std::string line = fmt::format("{}  {:.{}f} ms", result.name, result.networkMs,
                                   result.networkMs < kBrief ? 2 : 0);
    if (result.measures) {
        line += fmt::format("  coarse {}  refined {}", measuresText(result.measures->coarse),
                            measuresText(result.measures->refined));
    }
    if (result.fit) {
        line += fmt::format("  fitted to {} views", result.fit->agreement.size());
        if (result.measures && result.measures->fitted)
            line += ' ' + measuresText(*result.measures->fitted);
    }
    if (const auto means = meansOf(result.silhouettes)) {
        line +=
            fmt::format("  overlap {:.3f} → {:.3f}", means->coarse.overlap, means->refined.overlap);
        if (const auto fitted = meansOf(result.silhouettes, &ViewSilhouettes::fitted))
            line += fmt::format(" → {:.3f}", fitted->overlap);
    }
    return line + '\n';
}

Json reconstructJson(const Backend& backend, const ReconstructRequest& request,
                     const std::vector<SampleResult>& results, bool cancelled) {
    const auto done = std::count_if(results.begin(), results.end(),
                                    [](const SampleResult& result) { return result.done(); });
    const Model& model = backend.model();
    Json json = {{"threefold", THREEFOLD_VERSION},
                 {"backend", backend.description()},
                 {"precision", precisionName(backend.precision())},
                 {"model",
                  {{"file", model.source.string()},
                   {"sha256", model.hash},
                   {"sampler", samplerName(model.sampler)}}},
                 {"views", usedViews(request, results)},
                 {"done", done},
                 {"failed", results.size() - static_cast<std::size_t>(done)},
                 {"cancelled", cancelled},
                 {"samples", Json::array()}};
    for (const SampleResult& result : results) json["samples"].push_back(resultJson(result));
    json["peakMemoryMb"] = peakMemoryMegabytes();
    return json;
}

}  // namespace threefold
