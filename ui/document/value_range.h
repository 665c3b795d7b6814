#pragma once

#include <span>

#include "engine/order_statistics.h"
#include "ui/document/shown_document.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// The values at the ends of a colour map.
struct ValueRange {
    float min = 0;
    float max = 1;
    bool operator==(const ValueRange&) const = default;
};

/// Quantile of the values at the upper end of an automatic range of the quantity, at least 0.5: 1
/// minus the product of the look's tail (1 − upperQuantile) and QuantityInfo::tailFactor.
double automaticRangeFraction(float upperQuantile, const QuantityInfo& info);

/// Automatic range from the look's upper quantile for the values of all lists
/// (SurfaceValues::magnitudes).
ValueRange automaticRange(std::span<const std::vector<float>* const> lists, const Look& look,
                          const QuantityInfo& info);

/// Colour range of a mesh by the look's range mode; shared and custom ranges are the same for all
/// meshes. A shared range covers the opened meshes, and defaultFirstMesh() and the network's
/// result, whatever stage is shown, so that colours keep their meaning when the stage changes; but
/// the fitted mesh in their place if the chosen panes show only that. Automatic ranges of signed
/// quantities are symmetric about 0. `min` is below max, and above 0 on a logarithmic scale.
ValueRange valueRange(const ShownDocument& shown, MeshId id);

/// The default mesh of the first pane: the first opened mesh, or else the first published one.
MeshId defaultFirstMesh(const Document& document);

/// Range, colour map and scale for the renderer. Signed quantities always have the diverging map
/// and a linear scale.
render::ColourScale colourScaleOf(const ShownDocument& shown, MeshId id);

/// Position of a value on the colour scale: 0…1 within the range, not clamped; NaN for NaN, −1 for
/// values ≤ 0 on a logarithmic scale.
float scalePosition(float value, const render::ColourScale& colourScale);
/// The value at a position on the colour scale; inverse of scalePosition().
float valueAtScalePosition(float position, const render::ColourScale& colourScale);

/// Histogram of the values within the range of `axis`, in `bins` bins of equal width on the (linear
/// or logarithmic) scale of the axis. Returns for each bin its fraction of the fullest bin, 0…1; 0
/// everywhere if no value is in the range. `sorted`: finite and ascending. O(bins log n).
std::vector<float> histogram(const std::vector<float>& sorted, const render::ColourScale& axis,
                             std::size_t bins);

}  // namespace threefold::ui
