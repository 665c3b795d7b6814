#include "app/score/score_text.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/measures/measure_table.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

std::string earthMoversText(const std::optional<EarthMoversDistance>& earthMovers) {
    if (!earthMovers) return "not computed: --emd computes it";
    if (earthMovers->isExact) return fmt::format("{:.6e} units, exact", earthMovers->distance);
    return fmt::format("{:.6e} units, an upper bound; the exact distance is at least {:.6e}",
                       earthMovers->distance, earthMovers->lowerBound);
}

std::string measuresText(const Scores& scores) {
    TextTable table("ll");
    table.add({"Chamfer distance", fmt::format("{:.6e} units², sum of the mean squared distances "
                                               "in both directions",
                                               scores.measures.chamfer)});
    table.add({"Hausdorff distance",
               fmt::format("{:.6e} units (to the truth {:.6e}, from it {:.6e})", scores.hausdorff,
                           scores.hausdorffToTruth, scores.hausdorffFromTruth)});
    table.add({"normal consistency",
               scores.normalConsistency
                   ? fmt::format("{:.6f} of 1, mean |cos| of neighbours", *scores.normalConsistency)
                   : "not computed: the mesh or the truth has no normals"});
    table.add({"earth mover's", earthMoversText(scores.earthMovers)});
    return table.text("  ");
}

std::string thresholdsText(const ChamferAndFScores& measures) {
    TextTable table("lrrrr");
    table.add({"", "τ/2", "τ", "3τ/2", "2τ"});
    const auto row = [&](const char* name, const char* form, double FScore::*value) {
        std::vector<std::string> cells = {name};
        for (const FScore& score : measures.fScores)
            cells.push_back(fmt::format(fmt::runtime(form), score.*value));
        table.add(std::move(cells));
    };
    row("threshold, units²", "{:.3g}", &FScore::threshold);
    row("F, %", "{:.4f}", &FScore::fScore);
    row("precision, %", "{:.4f}", &FScore::precision);
    row("recall, %", "{:.4f}", &FScore::recall);
    return table.text("  ");
}

/// Lines of the distances from the truth's surface; empty for a truth without faces.
std::string surfaceText(const ScoreRequest& request, const VertexDistances& distances) {
    if (!distances.summary) return {};
    TextTable table("ll");
    for (const SurfaceMeasure& measure : surfaceMeasures())
        table.add({std::string(measure.label),
                   fmt::format("{:.6e} units", measure.value(*distances.summary))});
    if (const auto summary = signedSummary(request, distances)) {
        table.add({"with sign", fmt::format("{:.6e} units, mean; from {:.6e} to {:.6e}",
                                            summary->mean, summary->min, summary->max)});
        table.add({"inside", fmt::format("{:.4f} % of the vertices", 100 * summary->inside)});
    }
    return fmt::format(
        "\ndistances of {} vertices from the truth's surface, not part of a protocol\n{}",
        distances.all.size(), table.text("  "));
}

}  // namespace

std::string scoreText(const ScoreRequest& request, bool truthSampled,
                      const std::vector<Scores>& all, const VertexDistances& distances) {
    std::string text = fmt::format("{}\nagainst {}, τ = {:g} units² (object units)\n",
                                   request.mesh.string(), request.truth.string(), request.tau);
    for (const Scores& scores : all)
        text += fmt::format("\n{} protocol: {} {}, {} {}\n{}\n{}", protocolName(scores.protocol),
                            scores.predictionPoints,
                            scores.protocol == Protocol::surface ? "samples of the mesh's surface"
                                                                 : "vertices of the mesh",
                            scores.truthPoints,
                            truthSampled ? "samples of the truth's surface" : "points of the truth",
                            measuresText(scores), thresholdsText(scores.measures));
    return text + surfaceText(request, distances);
}

}  // namespace threefold
