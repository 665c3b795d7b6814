#include "ui/document/value_range.h"
#include "ui/document/shown_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

namespace threefold::ui {
namespace {

using Lists = std::span<const std::vector<float>* const>;

// A logarithmic scale spans no more than this.
constexpr float kDecades = 1e4F;

// Of the final mesh, whatever stage is shown.
SurfaceValues settledValues(const Document& document, MeshId id) {
    const Quantity quantity = document.quantity();
    const ResultRef& shown = document.shownResult(id);
    if (id == MeshId::result && shown) return quantityValues(*shown, id, quantity);
    return surfaceValues(document, id, quantity);
}

ValueRange fitted(Lists lists, const Look& look, const QuantityInfo& info) {
    const double share = fittedShare(look.percentile, info);
    const float high = percentileOf(lists, share);
    if (info.diverging) return {-high, high};
    const float low = percentileOf(lists, 1 - share);
    if (look.scale == render::ValueScale::logarithmic)
        return {std::max(low, high / kDecades), high};
    return {info.fromZero ? std::min(0.0F, low) : low, high};
}

ValueRange sound(ValueRange range, bool logarithmic) {
    if (!std::isfinite(range.lowest)) range.lowest = 0;
    if (!std::isfinite(range.highest)) range.highest = range.lowest + 1;
    if (logarithmic) {
        if (!(range.highest > 0)) range.highest = 1;
        if (!(range.lowest > 0)) range.lowest = range.highest / kDecades;
    }
    if (!(range.highest > range.lowest)) {
        const float width = std::max(std::abs(range.lowest) * 1e-3F, 1e-6F);
        range.highest = range.lowest + width;
    }
    return range;
}

bool isLogarithmic(const Look& look, const QuantityInfo& info) {
    return look.scale == render::ValueScale::logarithmic && !info.diverging;
}

}  // namespace

float percentileOf(Lists sorted, double share) {
    std::size_t total = 0;
    for (const std::vector<float>* list : sorted) total += list->size();
    const auto all = static_cast<double>(total);
    const auto needed =
        static_cast<std::size_t>(std::clamp(std::ceil(share * all), 1.0, std::max(1.0, all)));
    const auto notAbove = [&](float value) {
        std::size_t count = 0;
        for (const std::vector<float>* list : sorted) {
            count += static_cast<std::size_t>(std::upper_bound(list->begin(), list->end(), value) -
                                              list->begin());
        }
        return count;
    };
    float best = std::numeric_limits<float>::infinity();
    for (const std::vector<float>* list : sorted) {
        const auto at = std::partition_point(list->begin(), list->end(),
                                             [&](float value) { return notAbove(value) < needed; });
        if (at != list->end()) best = std::min(best, *at);
    }
    return std::isfinite(best) ? best : 0.0F;
}

double fittedShare(float percentile, const QuantityInfo& info) {
    return std::max(0.5,
                    1 - static_cast<double>(info.tail) * (1 - static_cast<double>(percentile)));
}

ValueRange fittedRange(Lists lists, const Look& look, const QuantityInfo& info) {
    return sound(fitted(lists, look, info), isLogarithmic(look, info));
}

MeshId firstShown(const Document& document) {
    const std::vector<MeshId> opened = document.openedIds();
    if (!opened.empty()) return opened.front();
    const ResultRef& shown = document.shownResult(MeshId::first);
    return shown && shown->morph.hasOnePublished() ? MeshId::result : MeshId::first;
}

ValueRange valueRange(const Document& document, MeshId id) {
    const Look& look = document.look();
    const QuantityInfo info = quantityInfo(document.quantity());
    if (look.range == RangeMode::manual || look.keepRange)
        return sound({look.lowest, look.highest}, isLogarithmic(look, info));
    std::vector<const std::vector<float>*> lists;
    std::vector<SurfaceValues> kept;
    const auto add = [&](const SurfaceValues& values) {
        if (!values.sizes) return;
        kept.push_back(values);
        lists.push_back(values.sizes.get());
    };
    if (look.range == RangeMode::fitted) {
        add(surfaceValues(document, id));
    } else {
        add(settledValues(document, firstShown(document)));
        add(settledValues(document, MeshId::result));
        // No more than there may be panes for.
        for (const MeshId further : document.openedIds() | std::views::take(kMostPanes))
            if (further != firstShown(document)) add(settledValues(document, further));
    }
    return fittedRange(lists, look, info);
}

render::ValueColours valueColours(const Document& document, MeshId id) {
    const Look& look = document.look();
    const QuantityInfo info = quantityInfo(document.quantity());
    const ValueRange range = valueRange(document, id);
    return {.map = info.diverging ? render::ColourMap::coolWarm : look.map,
            .scale = isLogarithmic(look, info) ? render::ValueScale::logarithmic
                                               : render::ValueScale::linear,
            .lowest = range.lowest,
            .highest = range.highest};
}

float shareOf(float value, const render::ValueColours& colours) {
    if (colours.scale == render::ValueScale::linear)
        return (value - colours.lowest) / (colours.highest - colours.lowest);
    if (std::isnan(value)) return value;
    if (!(value > 0)) return -1;
    return std::log(value / colours.lowest) / std::log(colours.highest / colours.lowest);
}

float valueAt(float share, const render::ValueColours& colours) {
    if (colours.scale == render::ValueScale::linear)
        return colours.lowest + share * (colours.highest - colours.lowest);
    return colours.lowest * std::pow(colours.highest / colours.lowest, share);
}

std::vector<float> histogram(const std::vector<float>& sorted, const render::ValueColours& axis,
                             std::size_t bins) {
    std::vector<float> counts(bins, 0.0F);
    auto from = std::lower_bound(sorted.begin(), sorted.end(), axis.lowest);
    float fullest = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const bool last = bin + 1 == bins;
        const float end = valueAt(static_cast<float>(bin + 1) / static_cast<float>(bins), axis);
        const auto to = last ? std::upper_bound(from, sorted.end(), axis.highest)
                             : std::lower_bound(from, sorted.end(), end);
        counts[bin] = static_cast<float>(to - from);
        fullest = std::max(fullest, counts[bin]);
        from = to;
    }
    if (fullest > 0)
        for (float& count : counts) count /= fullest;
    return counts;
}

}  // namespace threefold::ui
