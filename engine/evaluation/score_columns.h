#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/evaluation/silhouettes.h"
#include "engine/metrics/scores.h"

namespace threefold {

/// One number of a mesh, as every table and file of an evaluation names it.
struct MeasureColumn {
    enum class Kind {
        squared,   ///< object units², shown × 10⁴
        percent,   ///< 0…100
        distance,  ///< object units
        cosine,    ///< 0…1
        share,     ///< 0…1
        pixels,    ///< of the photographs
    };

    std::string_view key;    ///< "chamfer", "f_tau": in names of columns and in JSON
    std::string_view title;  ///< "Chamfer distance", "F(τ)"
    Kind kind;
    bool lowerIsBetter;
};

/// Of Scores: a mesh against the truth, under one protocol.
struct ScoreColumn : MeasureColumn {
    /// Nothing where it was not measured, or is not finite.
    std::optional<double> (*value)(const Scores&);
};

/// In the order of all tables: Chamfer, then F, precision and recall at τ/2, τ, 3τ/2, 2τ, …
std::span<const ScoreColumn> scoreColumns();
/// Where the column of that key is among them, which it is.
std::size_t indexOfScore(std::string_view key);

/// Of a mesh's silhouettes: against the photographs, whatever the protocol.
struct SilhouetteColumn : MeasureColumn {
    /// Nothing where it was not measured.
    std::optional<double> (*value)(const SilhouetteMeans&);
};

/// The overlap, then the distance of the outlines.
std::span<const SilhouetteColumn> silhouetteColumns();

/// "object units²", "%", "object units", "mean |cos|", "intersection over union", "pixels".
std::string_view unitName(MeasureColumn::Kind kind);

/// A number as people read it, without its unit: × 10⁴ with three decimals, or as many as its kind
/// needs. The decimal point is '.' in every locale; a minus is U+2212.
std::string shownNumber(MeasureColumn::Kind kind, double value, bool withSign = false);

/// One sentence on what a protocol compares (METHOD.md §9).
std::string_view protocolDescription(Protocol protocol);

}  // namespace threefold
