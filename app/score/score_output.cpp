#include "app/score/score_output.h"

#include <fmt/format.h>

#include "engine/evaluation/report_json.h"
#include "engine/metrics/measure_table.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

const char* predictionName(Protocol protocol) {
    return protocol == Protocol::surface ? "samples of the mesh's surface" : "vertices of the mesh";
}

const char* truthName(const ScoredFiles& scored) {
    return scored.truthSampled ? "samples of the truth's surface" : "points of the truth";
}

std::string earthMoversText(const std::optional<EarthMovers>& earthMovers) {
    if (!earthMovers) return "not computed: --emd computes it";
    if (earthMovers->exact) return fmt::format("{:.6e} units, exact", earthMovers->distance);
    return fmt::format("{:.6e} units, an approximation: the true one is not below {:.6e}",
                       earthMovers->distance, earthMovers->lowerBound);
}

/// Measures that are not fields of Scores, with their values.
void forEachOwnMeasure(const Scores& scores, const auto& visit) {
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.compute == nullptr) continue;
        if (const auto value = measure.value(scores)) visit(measure, *value);
    }
}

std::string measuresText(const Scores& scores) {
    using Align = Table::Align;
    Table table({Align::left, Align::left});
    table.add({"Chamfer distance", fmt::format("{:.6e} units², mean squared distance, both ways "
                                               "added",
                                               scores.measures.chamfer)});
    table.add({"Hausdorff distance",
               fmt::format("{:.6e} units (to the truth {:.6e}, from it {:.6e})", scores.hausdorff,
                           scores.hausdorffToTruth, scores.hausdorffFromTruth)});
    table.add({"normal consistency",
               scores.normalConsistency
                   ? fmt::format("{:.6f} of 1, mean |cos| of neighbours", *scores.normalConsistency)
                   : "none: a side has no normals"});
    table.add({"earth mover's", earthMoversText(scores.earthMovers)});
    forEachOwnMeasure(scores, [&](const TruthMeasure& measure, double value) {
        table.add(
            {std::string(measure.title), fmt::format("{:.6e} {}", value, unitName(measure.unit))});
    });
    return table.text("  ");
}

std::string thresholdsText(const Measures& measures) {
    using Align = Table::Align;
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right});
    table.add({"", "τ/2", "τ", "3τ/2", "2τ"});
    const auto row = [&](const char* name, const char* form, double FScore::*value) {
        std::vector<std::string> cells = {name};
        for (const FScore& score : measures.scores) {
            cells.push_back(fmt::format(fmt::runtime(form), score.*value));
        }
        table.add(std::move(cells));
    };
    row("threshold, units²", "{:.3g}", &FScore::threshold);
    row("F, %", "{:.4f}", &FScore::f);
    row("precision, %", "{:.4f}", &FScore::precision);
    row("recall, %", "{:.4f}", &FScore::recall);
    return table.text("  ");
}

/// The measures of one protocol: keys "protocol", "units", "tau", "points", "chamfer", "f_tau", …
nlohmann::ordered_json scoresJson(const Scores& scores, double tau) {
    nlohmann::ordered_json json;
    json["protocol"] = protocolName(scores.protocol);
    nlohmann::ordered_json& units = json["units"];
    units = {{"chamfer", "object units squared"},
             {"tau", "object units squared"},
             {"f", "percent"},
             {"precision", "percent"},
             {"recall", "percent"},
             {"hausdorff", "object units"},
             {"normal_consistency", "0 to 1"},
             {"emd", "object units"}};
    forEachOwnMeasure(scores, [&](const TruthMeasure& measure, double /*value*/) {
        units[measure.key] = unitName(measure.unit);
    });
    json["tau"] = tau;
    json["points"] = {{"mesh", scores.predictionPoints}, {"truth", scores.truthPoints}};
    for (const TruthMeasure& measure : truthMeasures()) {
        json[measure.key] = numberJson(measure.value(scores));
    }
    json["emd_exact"] = scores.earthMovers ? nlohmann::ordered_json(scores.earthMovers->exact)
                                           : nlohmann::ordered_json(nullptr);
    return json;
}

}  // namespace

std::string scoreText(const ScoredFiles& scored) {
    std::string text = fmt::format("{}\nagainst {}, τ = {:g} units² (object units)\n",
                                   scored.mesh.string(), scored.truth.string(), scored.tau);
    for (const Scores& scores : scored.scores) {
        text += fmt::format("\n{} protocol: {} {}, {} {}\n{}\n{}", protocolName(scores.protocol),
                            scores.predictionPoints, predictionName(scores.protocol),
                            scores.truthPoints, truthName(scored), measuresText(scores),
                            thresholdsText(scores.measures));
    }
    return text;
}

nlohmann::ordered_json scoreJson(const ScoredFiles& scored) {
    nlohmann::ordered_json json;
    json["mesh"] = scored.mesh.string();
    json["truth"] = scored.truth.string();
    json["truth_sampled"] = scored.truthSampled;
    if (scored.scores.size() == 1) {
        json.update(scoresJson(scored.scores.front(), scored.tau));
        return json;
    }
    for (const Scores& scores : scored.scores) {
        json[std::string(protocolName(scores.protocol))] = scoresJson(scores, scored.tau);
    }
    return json;
}

}  // namespace threefold
