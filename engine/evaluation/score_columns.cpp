#include "engine/evaluation/score_columns.h"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace threefold {
namespace {

using Kind = MeasureColumn::Kind;

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <auto Field>
std::optional<double> ofScores(const Scores& scores) {
    return finite(scores.*Field);
}

std::optional<double> chamfer(const Scores& scores) {
    return finite(scores.measures.chamfer);
}

/// `Threshold`: 0…3 for τ/2, τ, 3τ/2, 2τ.
template <auto Field, std::size_t Threshold>
std::optional<double> atThreshold(const Scores& scores) {
    if (scores.measures.scores.size() <= Threshold) return std::nullopt;
    return finite(scores.measures.scores[Threshold].*Field);
}

std::optional<double> normalConsistency(const Scores& scores) {
    return scores.normalConsistency ? finite(*scores.normalConsistency) : std::nullopt;
}

template <auto Field>
std::optional<double> ofEarthMovers(const Scores& scores) {
    return scores.earthMovers ? finite((*scores.earthMovers).*Field) : std::nullopt;
}

constexpr ScoreColumn kColumns[] = {
    {{"chamfer", "Chamfer distance", Kind::squared, true}, chamfer},
    {{"f_half_tau", "F(τ/2)", Kind::percent, false}, atThreshold<&FScore::f, 0>},
    {{"f_tau", "F(τ)", Kind::percent, false}, atThreshold<&FScore::f, 1>},
    {{"f_1_5_tau", "F(3τ/2)", Kind::percent, false}, atThreshold<&FScore::f, 2>},
    {{"f_2tau", "F(2τ)", Kind::percent, false}, atThreshold<&FScore::f, 3>},
    {{"precision_half_tau", "Precision(τ/2)", Kind::percent, false},
     atThreshold<&FScore::precision, 0>},
    {{"precision_tau", "Precision(τ)", Kind::percent, false}, atThreshold<&FScore::precision, 1>},
    {{"precision_1_5_tau", "Precision(3τ/2)", Kind::percent, false},
     atThreshold<&FScore::precision, 2>},
    {{"precision_2tau", "Precision(2τ)", Kind::percent, false}, atThreshold<&FScore::precision, 3>},
    {{"recall_half_tau", "Recall(τ/2)", Kind::percent, false}, atThreshold<&FScore::recall, 0>},
    {{"recall_tau", "Recall(τ)", Kind::percent, false}, atThreshold<&FScore::recall, 1>},
    {{"recall_1_5_tau", "Recall(3τ/2)", Kind::percent, false}, atThreshold<&FScore::recall, 2>},
    {{"recall_2tau", "Recall(2τ)", Kind::percent, false}, atThreshold<&FScore::recall, 3>},
    {{"hausdorff", "Hausdorff distance", Kind::distance, true}, ofScores<&Scores::hausdorff>},
    {{"hausdorff_to_truth", "Hausdorff, to the truth", Kind::distance, true},
     ofScores<&Scores::hausdorffToTruth>},
    {{"hausdorff_from_truth", "Hausdorff, from the truth", Kind::distance, true},
     ofScores<&Scores::hausdorffFromTruth>},
    {{"normal_consistency", "Normal consistency", Kind::cosine, false}, normalConsistency},
    {{"emd", "Earth mover's distance", Kind::distance, true},
     ofEarthMovers<&EarthMovers::distance>},
    {{"emd_lower_bound", "Earth mover's, lower bound", Kind::distance, true},
     ofEarthMovers<&EarthMovers::lowerBound>},
};

constexpr SilhouetteColumn kSilhouetteColumns[] = {
    {{"overlap", "Silhouette overlap", Kind::share, false},
     [](const SilhouetteMeans& means) { return std::optional(means.overlap); }},
    {{"outline_distance", "Distance of the outlines", Kind::pixels, true},
     [](const SilhouetteMeans& means) { return means.distance; }},
};

}  // namespace

std::span<const ScoreColumn> scoreColumns() {
    return kColumns;
}

std::size_t indexOfScore(std::string_view key) {
    std::size_t at = 0;
    while (kColumns[at].key != key) ++at;
    return at;
}

std::span<const SilhouetteColumn> silhouetteColumns() {
    return kSilhouetteColumns;
}

std::string_view unitName(Kind kind) {
    switch (kind) {
        case Kind::squared:
            return "object units²";
        case Kind::percent:
            return "%";
        case Kind::distance:
            return "object units";
        case Kind::cosine:
            return "mean |cos|";
        case Kind::share:
            return "intersection over union";
        case Kind::pixels:
            return "pixels";
    }
    return {};
}

std::string shownNumber(Kind kind, double value, bool withSign) {
    constexpr double kSquaredScale = 1e4;
    const double scaled = kind == Kind::squared ? value * kSquaredScale : value;
    const int decimals = kind == Kind::percent || kind == Kind::pixels  ? 2
                         : kind == Kind::squared || kind == Kind::share ? 3
                                                                        : 4;
    std::string digits = fmt::format("{:.{}f}", std::abs(scaled), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    if (zero) return digits;
    if (scaled < 0) return "−" + digits;
    return withSign ? "+" + digits : digits;
}

std::string_view protocolDescription(Protocol protocol) {
    switch (protocol) {
        case Protocol::published:
            return "the mesh's vertices against the points of the truth's file";
        case Protocol::surface:
            return "10 000 points of each surface, even by area; a truth without faces by its "
                   "points";
    }
    return {};
}

}  // namespace threefold
