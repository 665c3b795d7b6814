#pragma once

#include <span>

#include "ui/document/document.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

struct ValueRange {
    float lowest = 0;
    float highest = 1;
    bool operator==(const ValueRange&) const = default;
};

/// The smallest value of several ascending lists that `share` (0…1) of all their values do not
/// exceed; 0 without values. O(n log n) of the logarithms of their lengths at worst.
float percentileOf(std::span<const std::vector<float>* const> sorted, double share);

/// The share of the values within a fitted range of the quantity, for the look's `percentile`: all
/// if that is 1, at least half.
double fittedShare(float percentile, const QuantityInfo& info);

/// The range that the look's percentile gives for the values of all lists, see
/// SurfaceValues::sizes.
ValueRange fittedRange(std::span<const std::vector<float>* const> lists, const Look& look,
                       const QuantityInfo& info);

/// The range of the colours on this mesh, by the look's range mode: shared and manual ones are the
/// same for every mesh. Shared: from the first mesh and the refined one, whatever
/// stage is shown, so that colours keep their meaning while it changes. Signed quantities:
/// symmetrical about zero. Logarithmic: `lowest` above 0. Always lowest < highest.
ValueRange valueRange(const Document& document, MeshId id);

/// The mesh in the first pane: the comparison mesh, or else the coarse one.
MeshId firstShown(const Document& document);

/// Range, map and scale for the renderer. Signed quantities always take the diverging map and a
/// linear scale.
render::ValueColours valueColours(const Document& document, MeshId id);

/// A value's position between the ends, 0…1 and not clamped; for NaN, NaN.
float shareOf(float value, const render::ValueColours& colours);
/// The value at that position.
float valueAt(float share, const render::ValueColours& colours);

/// Shares of values in `bins` equal parts of the scale between the ends of `axis` (of its
/// logarithm, for a logarithmic one), as parts of the fullest bin, 0…1; values outside do not
/// count. `sorted`: finite and ascending. O(bins log n). Empty without bins, all 0 without values
/// inside.
std::vector<float> histogram(const std::vector<float>& sorted, const render::ValueColours& axis,
                             std::size_t bins);

}  // namespace threefold::ui
