#include "engine/measures/measure_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace threefold {
namespace {

constexpr bool kDetail = true;

template <auto Field>
std::optional<double> ofScores(const Scores& scores) {
    return scores.*Field;
}

std::optional<double> chamfer(const Scores& scores) {
    return scores.measures.chamfer;
}

template <auto Field, TauMultiple Multiple>
std::optional<double> at(const Scores& scores) {
    return scores.measures.at(Multiple).*Field;
}

template <auto Field>
std::optional<double> ofEarthMovers(const Scores& scores) {
    return scores.earthMovers ? std::optional((*scores.earthMovers).*Field) : std::nullopt;
}

constexpr auto kF = &FScore::fScore;
constexpr auto kPrecision = &FScore::precision;
constexpr auto kRecall = &FScore::recall;

constexpr TruthMeasure kTruthMeasures[] = {
    {{"chamfer", "Chamfer distance", Unit::squaredDistance, BetterDirection::lower, false,
      "Chamfer",
      "Chamfer distance in 10⁻⁴ object units²: mean squared distance from vertices to truth plus "
      "from truth to vertices."},
     chamfer},
    {{"f_half_tau", "F(τ/2)", Unit::percent, BetterDirection::higher}, at<kF, TauMultiple::half>},
    {{"f_tau", "F(τ)", Unit::percent, BetterDirection::higher, false, "",
      "Harmonic mean of precision and recall at the squared distance τ, in percent."},
     at<kF, TauMultiple::one>},
    {{"f_1_5_tau", "F(3τ/2)", Unit::percent, BetterDirection::higher},
     at<kF, TauMultiple::threeHalves>},
    {{"f_2tau", "F(2τ)", Unit::percent, BetterDirection::higher, false, "",
      "Harmonic mean of precision and recall at the squared distance 2τ, in percent."},
     at<kF, TauMultiple::two>},
    {{"precision_half_tau", "Precision(τ/2)", Unit::percent, BetterDirection::higher, kDetail},
     at<kPrecision, TauMultiple::half>},
    {{"precision_tau", "Precision(τ)", Unit::percent, BetterDirection::higher, false, "precision",
      "Percentage of the mesh's vertices within τ of the truth."},
     at<kPrecision, TauMultiple::one>},
    {{"precision_1_5_tau", "Precision(3τ/2)", Unit::percent, BetterDirection::higher, kDetail},
     at<kPrecision, TauMultiple::threeHalves>},
    {{"precision_2tau", "Precision(2τ)", Unit::percent, BetterDirection::higher, kDetail},
     at<kPrecision, TauMultiple::two>},
    {{"recall_half_tau", "Recall(τ/2)", Unit::percent, BetterDirection::higher, kDetail},
     at<kRecall, TauMultiple::half>},
    {{"recall_tau", "Recall(τ)", Unit::percent, BetterDirection::higher, false, "recall",
      "Percentage of the true points within τ of a vertex."},
     at<kRecall, TauMultiple::one>},
    {{"recall_1_5_tau", "Recall(3τ/2)", Unit::percent, BetterDirection::higher, kDetail},
     at<kRecall, TauMultiple::threeHalves>},
    {{"recall_2tau", "Recall(2τ)", Unit::percent, BetterDirection::higher, kDetail},
     at<kRecall, TauMultiple::two>},
    {{"hausdorff", "Hausdorff distance", Unit::distance, BetterDirection::lower},
     ofScores<&Scores::hausdorff>},
    {{"hausdorff_to_truth", "Hausdorff, to the truth", Unit::distance, BetterDirection::lower,
      kDetail},
     ofScores<&Scores::hausdorffToTruth>},
    {{"hausdorff_from_truth", "Hausdorff, from the truth", Unit::distance, BetterDirection::lower,
      kDetail},
     ofScores<&Scores::hausdorffFromTruth>},
    {{"normal_consistency", "Normal consistency", Unit::cosine, BetterDirection::higher},
     ofScores<&Scores::normalConsistency>},
    {{"emd", "Earth mover's distance", Unit::distance, BetterDirection::lower, kDetail},
     ofEarthMovers<&EarthMoversDistance::distance>},
    {{"emd_lower_bound", "Earth mover's, lower bound", Unit::distance, BetterDirection::lower,
      kDetail},
     ofEarthMovers<&EarthMoversDistance::lowerBound>},
};

constexpr SilhouetteMeasure kSilhouettes[] = {
    {{"overlap", "Silhouette overlap", Unit::fraction, BetterDirection::higher},
     [](const SilhouetteMeans& means) { return std::optional(means.overlap); }},
    {{"outline_distance", "Distance of the outlines", Unit::pixels, BetterDirection::lower},
     [](const SilhouetteMeans& means) { return means.outlineDistance; }},
};

constexpr SurfaceMeasure kSurface[] = {
    {{"surface_mean", "Distance to the surface, mean", Unit::distance, BetterDirection::lower,
      false, "mean"},
     [](const DistanceSummary& distances) { return distances.mean; }},
    {{"surface_median", "Distance to the surface, median", Unit::distance, BetterDirection::lower,
      kDetail, "median"},
     [](const DistanceSummary& distances) { return distances.lowerMedian; }},
    {{"surface_p95", "Distance to the surface, 95th percentile", Unit::distance,
      BetterDirection::lower, kDetail, "95th percentile"},
     [](const DistanceSummary& distances) { return distances.p95; }},
    {{"surface_largest", "Distance to the surface, largest", Unit::distance, BetterDirection::lower,
      false, "largest"},
     [](const DistanceSummary& distances) { return distances.max; }},
};

struct UnitFormat {
    std::string_view name;
    int decimals;
    double scale;
};

const UnitFormat& formatOf(Unit unit) {
    static constexpr UnitFormat kFormats[] = {
        {"object units²", 3, 1e4},
        {"%", 2, 1},
        {"object units", 4, 1},
        {"mean |cos|", 4, 1},
        {"intersection over union", 3, 1},
        {"pixels", 2, 1},
    };
    static_assert(std::size(kFormats) == static_cast<std::size_t>(Unit::pixels) + 1);
    return kFormats[static_cast<std::size_t>(unit)];
}

}  // namespace

std::optional<double> TruthMeasure::value(const Scores& scores) const {
    const std::optional<double> number = fromScores(scores);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::span<const TruthMeasure> truthMeasures() {
    return kTruthMeasures;
}

const TruthMeasure& truthMeasure(std::string_view key) {
    return *std::ranges::find(truthMeasures(), key, &TruthMeasure::key);
}

std::span<const SilhouetteMeasure> silhouetteMeasures() {
    return kSilhouettes;
}

std::span<const SurfaceMeasure> surfaceMeasures() {
    return kSurface;
}

std::string_view unitName(Unit unit) {
    return formatOf(unit).name;
}

int shownDecimals(Unit unit) {
    return formatOf(unit).decimals;
}

double shownScale(Unit unit) {
    return formatOf(unit).scale;
}

std::string shownNumber(Unit unit, double value, bool withSign) {
    const double scaled = value * shownScale(unit);
    std::string digits = fmt::format("{:.{}f}", std::abs(scaled), shownDecimals(unit));
    const bool isZero = digits.find_first_not_of("0.") == std::string::npos;
    if (isZero) return digits;
    if (scaled < 0) return "−" + digits;
    return withSign ? "+" + digits : digits;
}

}  // namespace threefold
