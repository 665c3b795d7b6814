#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/measures/scores.h"
#include "engine/measures/silhouette.h"
#include "engine/measures/truth_distances.h"

/// Table of measures for CSV, JSON, the page, texts and the window. To add a measure, add a field
/// to Scores and a line in measure_table.cpp.
namespace threefold {

enum class Unit {
    squaredDistance,  ///< object units², shown × 10⁴
    percent,          ///< 0…100
    distance,         ///< object units
    cosine,           ///< 0…1
    fraction,         ///< 0…1
    pixels,           ///< pixels of the photographs
};

/// "object units²", "%", "object units", "mean |cos|", "intersection over union", "pixels".
std::string_view unitName(Unit unit);
int shownDecimals(Unit unit);  ///< decimals of a displayed number
double shownScale(Unit unit);  ///< factor of a displayed number: 1e4 for `squaredDistance`, else 1

/// Formats a number for display, without unit: '.' as decimal point in every locale, U+2212 as
/// minus.
std::string shownNumber(Unit unit, double value, bool withSign = false);

/// Which of two values is better.
enum class BetterDirection { lower, higher };

/// Name of a direction in JSON and in the pages' scripts: "less" or "more".
constexpr std::string_view betterKey(BetterDirection better) {
    return better == BetterDirection::lower ? "less" : "more";
}

/// A measure for tables, without its value.
struct MeasureDescription {
    std::string_view key;    ///< "chamfer", "f_tau": in column names and JSON
    std::string_view title;  ///< "Chamfer distance", "F(τ)"
    Unit unit;
    BetterDirection better;
    /// Whether only complete listings show the measure: CSV, JSON and metrics_summary.txt.
    bool isDetail = false;
    std::string_view label = {};    ///< short title; empty: `title`
    std::string_view meaning = {};  ///< definition with unit, a sentence

    std::string_view shortTitle() const { return label.empty() ? title : label; }
    std::string_view betterKey() const { return threefold::betterKey(better); }
};

/// Measure of a mesh against the truth, under one protocol.
struct TruthMeasure : MeasureDescription {
    std::optional<double> (*fromScores)(const Scores&);

    /// The value; nullopt if not measured or not finite.
    std::optional<double> value(const Scores& scores) const;
};

/// All measures against truths, in the order of tables: Chamfer, then F, precision and recall at
/// τ/2, τ, 3τ/2, 2τ, …
std::span<const TruthMeasure> truthMeasures();
/// The measure with this key, which must exist.
const TruthMeasure& truthMeasure(std::string_view key);

/// Measure of a mesh against the photographs; does not depend on the protocol.
struct SilhouetteMeasure : MeasureDescription {
    /// The value; nullopt if not measured.
    std::optional<double> (*value)(const SilhouetteMeans&);
};

/// All silhouette measures: overlap, outline distance.
std::span<const SilhouetteMeasure> silhouetteMeasures();

/// Measure of the distances of a mesh's vertices from the surface of a truth with faces; does not
/// depend on the protocol.
struct SurfaceMeasure : MeasureDescription {
    double (*value)(const DistanceSummary&);
};

/// All measures of distances from the surface: mean, median, 95th percentile, largest.
std::span<const SurfaceMeasure> surfaceMeasures();

}  // namespace threefold
