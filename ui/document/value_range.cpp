#include "ui/document/value_range.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace threefold::ui {
namespace {

using Lists = std::span<const std::vector<float>* const>;

// A logarithmic scale spans no more than this.
constexpr float kDecades = 1e4F;

MeshRole firstRole(const Document& document) {
    return document.comparison() ? MeshRole::comparison : MeshRole::coarse;
}

// Values as the mesh itself has them, not where the look stands on the way.
SurfaceValues settledValues(const Document& document, MeshRole role) {
    const Quantity quantity = document.look().quantity;
    if (role == MeshRole::refined && document.result()) {
        return quantityValues(*document.result(), role, quantity);
    }
    return surfaceValues(document, role, quantity);
}

// How many values are the rank of a share of them, 1 to all.
std::size_t rankOf(Lists lists, double share) {
    std::size_t total = 0;
    for (const std::vector<float>* list : lists) total += list->size();
    const double rank = std::ceil(share * static_cast<double>(total));
    return static_cast<std::size_t>(
        std::clamp(rank, 1.0, std::max(1.0, static_cast<double>(total))));
}

// As percentileOf, of the values without their signs.
float sizeOf(Lists lists, double share) {
    const std::size_t needed = rankOf(lists, share);
    const auto tooSmall = [&](float value) {
        const float size = std::abs(value);
        std::ptrdiff_t count = 0;
        for (const std::vector<float>* list : lists) {
            count += std::upper_bound(list->begin(), list->end(), size) -
                     std::lower_bound(list->begin(), list->end(), -size);
        }
        return static_cast<std::size_t>(count) < needed;
    };
    float best = std::numeric_limits<float>::infinity();
    for (const std::vector<float>* list : lists) {
        const auto zero = std::lower_bound(list->begin(), list->end(), 0.0F);
        const auto above = std::partition_point(zero, list->end(), tooSmall);
        if (above != list->end()) best = std::min(best, *above);
        const auto below =
            std::partition_point(std::make_reverse_iterator(zero), list->rend(), tooSmall);
        if (below != list->rend()) best = std::min(best, -*below);
    }
    return std::isfinite(best) ? best : 0.0F;
}

ValueRange fitted(Lists lists, const Look& look, const QuantityInfo& info) {
    if (info.steps) return {1, 3};
    const double share = fittedShare(look.percentile, info);
    if (info.diverging) {
        const float most = sizeOf(lists, share);
        return {-most, most};
    }
    const float high = percentileOf(lists, share);
    const float low = percentileOf(lists, 1 - share);
    if (look.scale == render::ValueScale::logarithmic) {
        return {std::max(low, high / kDecades), high};
    }
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

bool isLogarithmic(const Document& document) {
    const QuantityInfo info = quantityInfo(document.look().quantity);
    return document.look().scale == render::ValueScale::logarithmic && !info.diverging &&
           !info.steps;
}

}  // namespace

float percentileOf(Lists sorted, double share) {
    const std::size_t needed = rankOf(sorted, share);
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

ValueRange valueRange(const Document& document, MeshRole role) {
    const Look& look = document.look();
    const QuantityInfo info = quantityInfo(look.quantity);
    const bool logarithmic = isLogarithmic(document);
    if (look.range == RangeMode::manual && !info.steps) {
        return sound({look.lowest, look.highest}, logarithmic);
    }
    std::vector<const std::vector<float>*> lists;
    std::vector<SurfaceValues> kept;
    const auto add = [&](const SurfaceValues& values) {
        if (!values.sorted) return;
        kept.push_back(values);
        lists.push_back(values.sorted.get());
    };
    if (look.range == RangeMode::fitted) {
        add(surfaceValues(document, role));
    } else {
        add(settledValues(document, firstRole(document)));
        add(settledValues(document, MeshRole::refined));
    }
    return sound(fitted(lists, look, info), logarithmic);
}

render::ValueColours valueColours(const Document& document, MeshRole role) {
    const ValueRange range = valueRange(document, role);
    render::ValueColours colours;
    const bool diverging = quantityInfo(document.look().quantity).diverging;
    colours.map = diverging ? render::ColourMap::coolWarm : document.look().map;
    colours.scale =
        isLogarithmic(document) ? render::ValueScale::logarithmic : render::ValueScale::linear;
    colours.lowest = range.lowest;
    colours.highest = range.highest;
    return colours;
}

float shareOf(float value, const render::ValueColours& colours) {
    if (colours.scale == render::ValueScale::linear) {
        return (value - colours.lowest) / (colours.highest - colours.lowest);
    }
    if (std::isnan(value)) return value;
    if (!(value > 0)) return -1;
    return std::log(value / colours.lowest) / std::log(colours.highest / colours.lowest);
}

float valueAt(float share, const render::ValueColours& colours) {
    if (colours.scale == render::ValueScale::linear) {
        return colours.lowest + share * (colours.highest - colours.lowest);
    }
    return colours.lowest * std::pow(colours.highest / colours.lowest, share);
}

}  // namespace threefold::ui
