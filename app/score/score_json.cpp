#include "app/score/score_json.h"

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/evaluation/report/json_parts.h"
#include "engine/measures/measure_table.h"

namespace threefold {
namespace {

/// The measures of one protocol: keys "protocol", "units", "tau", "points", "chamfer", "f_tau", …
nlohmann::ordered_json scoresJson(const Scores& scores, double tau) {
    nlohmann::ordered_json json;
    json["protocol"] = protocolName(scores.protocol);
    json["units"] = {{"chamfer", "object units squared"},
                     {"tau", "object units squared"},
                     {"f", "percent"},
                     {"precision", "percent"},
                     {"recall", "percent"},
                     {"hausdorff", "object units"},
                     {"normal_consistency", "0 to 1"},
                     {"emd", "object units"}};
    json["tau"] = tau;
    json["points"] = {{"mesh", scores.predictionPoints}, {"truth", scores.truthPoints}};
    for (const TruthMeasure& measure : truthMeasures())
        json[measure.key] = numberJson(measure.value(scores));
    json["emd_exact"] = scores.earthMovers ? nlohmann::ordered_json(scores.earthMovers->isExact)
                                           : nlohmann::ordered_json(nullptr);
    return json;
}

/// Adds keys "surface_mean", …; null for a truth without faces.
void addSurface(nlohmann::ordered_json& json, const ScoreRequest& request,
                const VertexDistances& distances) {
    for (const SurfaceMeasure& measure : surfaceMeasures())
        json[measure.key] = numberJson(
            distances.summary ? std::optional(measure.value(*distances.summary)) : std::nullopt);
    if (const auto summary = signedSummary(request, distances))
        json["surface_signed"] = {{"mean", summary->mean},
                                  {"lowest", summary->min},
                                  {"highest", summary->max},
                                  {"inside", summary->inside}};
}

}  // namespace

nlohmann::ordered_json scoreJson(const ScoreRequest& request, bool truthSampled,
                                 const std::vector<Scores>& all, const VertexDistances& distances) {
    nlohmann::ordered_json json;
    json["mesh"] = request.mesh.string();
    json["truth"] = request.truth.string();
    json["truth_sampled"] = truthSampled;
    addSurface(json, request, distances);
    if (all.size() == 1) {
        json.update(scoresJson(all.front(), request.tau));
        return json;
    }
    for (const Scores& scores : all)
        json[std::string(protocolName(scores.protocol))] = scoresJson(scores, request.tau);
    return json;
}

}  // namespace threefold
