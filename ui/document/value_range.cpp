#include "ui/document/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace threefold::ui {
namespace {

using Lists = std::span<const std::vector<float>* const>;

// Largest ratio of the ends of an automatic logarithmic range.
constexpr float kMaxLogRatio = 1e4F;

// Like surfaceValues(), but MeshId::result stands for the network's result, whatever stage is
// shown.
SurfaceValues finalValues(const ShownDocument& shown, MeshId id) {
    const Document& document = shown.document;
    const Quantity quantity = document.shownQuantity();
    const ResultRef& result = document.run.shownResult(id);
    if (id == MeshId::result && result) return quantityValues(*result, id, quantity);
    return surfaceValues(shown, id, quantity);
}

// Whether the chosen panes show the fitted mesh of a result, and no other mesh of the network. The
// fitted mesh is much nearer to the truth, so that the network's range would hide its errors.
bool showsFittedAlone(const Document& document) {
    const ResultRef& result = document.result.current();
    if (!result || !result->mesh(MeshId::fitted)) return false;
    bool showsFitted = false;
    for (const MeshId chosen : document.look.current().panes) {
        const MeshId id = document.shownForChosen(chosen);
        if (id == MeshId::firstPublished || id == MeshId::result) return false;
        showsFitted = showsFitted || id == MeshId::fitted;
    }
    return showsFitted;
}

ValueRange percentileRange(Lists lists, const Look& look, const QuantityInfo& info) {
    const double fraction = automaticRangeFraction(look.upperQuantile, info);
    const float high = quantileOfSorted(lists, fraction);
    if (info.diverging) return {-high, high};
    const float low = quantileOfSorted(lists, 1 - fraction);
    if (look.scale == render::ValueScale::logarithmic)
        return {std::max(low, high / kMaxLogRatio), high};
    return {info.fromZero ? std::min(0.0F, low) : low, high};
}

ValueRange validRange(ValueRange range, bool logarithmic) {
    if (!std::isfinite(range.min)) range.min = 0;
    if (!std::isfinite(range.max)) range.max = range.min + 1;
    if (logarithmic) {
        if (!(range.max > 0)) range.max = 1;
        if (!(range.min > 0)) range.min = range.max / kMaxLogRatio;
    }
    if (!(range.max > range.min)) {
        const float width = std::max(std::abs(range.min) * 1e-3F, 1e-6F);
        range.max = range.min + width;
    }
    return range;
}

bool isLogarithmic(const Look& look, const QuantityInfo& info) {
    return look.scale == render::ValueScale::logarithmic && !info.diverging;
}

}  // namespace

double automaticRangeFraction(float upperQuantile, const QuantityInfo& info) {
    return std::max(
        0.5, 1 - static_cast<double>(info.tailFactor) * (1 - static_cast<double>(upperQuantile)));
}

ValueRange automaticRange(Lists lists, const Look& look, const QuantityInfo& info) {
    return validRange(percentileRange(lists, look, info), isLogarithmic(look, info));
}

MeshId defaultFirstMesh(const Document& document) {
    const std::vector<MeshId> opened = document.opened.ids();
    if (!opened.empty()) return opened.front();
    const ResultRef& shown = document.run.shownResult(MeshId::firstPublished);
    return shown && shown->morph.hasOnePublished() ? MeshId::result : MeshId::firstPublished;
}

ValueRange valueRange(const ShownDocument& shown, MeshId id) {
    const Document& document = shown.document;
    const Look& look = document.look.current();
    const QuantityInfo info = quantityInfo(document.shownQuantity());
    if (look.hasCustomOrKeptRange())
        return validRange({look.rangeMin, look.rangeMax}, isLogarithmic(look, info));
    std::vector<const std::vector<float>*> lists;
    std::vector<SurfaceValues> alive;  // keeps the values in `lists` alive
    const auto add = [&](const SurfaceValues& values) {
        if (!values.magnitudes) return;
        alive.push_back(values);
        lists.push_back(values.magnitudes.get());
    };
    if (look.range == RangeMode::perPane) {
        add(surfaceValues(shown, id));
    } else {
        if (showsFittedAlone(document)) {
            add(finalValues(shown, MeshId::fitted));
        } else {
            add(finalValues(shown, defaultFirstMesh(document)));
            add(finalValues(shown, MeshId::result));
        }
        // Takes no more opened meshes than there can be panes.
        std::vector<MeshId> opened = document.opened.ids();
        opened.resize(std::min(opened.size(), kMaxPanes));
        for (const MeshId further : opened)
            if (further != defaultFirstMesh(document)) add(finalValues(shown, further));
    }
    return automaticRange(lists, look, info);
}

render::ColourScale colourScaleOf(const ShownDocument& shown, MeshId id) {
    const Document& document = shown.document;
    const Look& look = document.look.current();
    const QuantityInfo info = quantityInfo(document.shownQuantity());
    const ValueRange range = valueRange(shown, id);
    return {.map = info.diverging ? render::ColourMap::coolWarm : look.map,
            .scale = isLogarithmic(look, info) ? render::ValueScale::logarithmic
                                               : render::ValueScale::linear,
            .min = range.min,
            .max = range.max};
}

float scalePosition(float value, const render::ColourScale& colourScale) {
    if (colourScale.scale == render::ValueScale::linear)
        return (value - colourScale.min) / (colourScale.max - colourScale.min);
    if (std::isnan(value)) return value;
    if (!(value > 0)) return -1;
    return std::log(value / colourScale.min) / std::log(colourScale.max / colourScale.min);
}

float valueAtScalePosition(float position, const render::ColourScale& colourScale) {
    if (colourScale.scale == render::ValueScale::linear)
        return colourScale.min + position * (colourScale.max - colourScale.min);
    return colourScale.min * std::pow(colourScale.max / colourScale.min, position);
}

std::vector<float> histogram(const std::vector<float>& sorted, const render::ColourScale& axis,
                             std::size_t bins) {
    std::vector<float> counts(bins, 0.0F);
    auto from = std::lower_bound(sorted.begin(), sorted.end(), axis.min);
    float maxCount = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const bool last = bin + 1 == bins;
        const float end =
            valueAtScalePosition(static_cast<float>(bin + 1) / static_cast<float>(bins), axis);
        const auto to = last ? std::upper_bound(from, sorted.end(), axis.max)
                             : std::lower_bound(from, sorted.end(), end);
        counts[bin] = static_cast<float>(to - from);
        maxCount = std::max(maxCount, counts[bin]);
        from = to;
    }
    if (maxCount > 0)
        for (float& count : counts) count /= maxCount;
    return counts;
}

}  // namespace threefold::ui
