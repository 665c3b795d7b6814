#include "app/score/score_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kThresholdKeys[] = {"half_tau", "tau", "1_5_tau", "2tau"};

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

nlohmann::ordered_json number(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
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
    json["chamfer"] = scores.measures.chamfer;
    const auto add = [&](const char* name, double FScore::*value) {
        for (std::size_t i = 0; i < scores.measures.scores.size(); ++i) {
            json[fmt::format("{}_{}", name, kThresholdKeys[i])] = scores.measures.scores[i].*value;
        }
    };
    add("f", &FScore::f);
    add("precision", &FScore::precision);
    add("recall", &FScore::recall);
    json["hausdorff"] = scores.hausdorff;
    json["hausdorff_to_truth"] = scores.hausdorffToTruth;
    json["hausdorff_from_truth"] = scores.hausdorffFromTruth;
    json["normal_consistency"] = number(scores.normalConsistency);
    const std::optional<EarthMovers>& moved = scores.earthMovers;
    json["emd"] = moved ? number(moved->distance) : nullptr;
    json["emd_lower_bound"] = moved ? number(moved->lowerBound) : nullptr;
    json["emd_exact"] = moved ? nlohmann::ordered_json(moved->exact) : nullptr;
    return json;
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
