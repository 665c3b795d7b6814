#include "engine/measures/silhouette.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/geometry/nearest.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

/// Pixels known in both masks; empty: all.
std::vector<std::uint8_t> knownInBoth(const Mask& one, const Mask& other) {
    std::vector<std::uint8_t> known = one.known.empty() ? other.known : one.known;
    if (!one.known.empty() && !other.known.empty())
        for (std::size_t i = 0; i < known.size(); ++i) known[i] = other.known[i] & known[i];
    return known;
}

/// Known outline pixels as (column, row, 0). Searching outlines is much faster than a distance
/// transform of all pixels.
Points outlineOf(const Mask& mask, const std::vector<std::uint8_t>& known) {
    Points outline;
    const auto width = static_cast<std::size_t>(mask.width);
    const auto height = static_cast<std::size_t>(mask.height);
    const auto isKnown = [&](std::size_t i) { return known.empty() || known[i] != 0; };
    const auto isOutside = [&](std::size_t i) { return mask.inside[i] == 0 && isKnown(i); };
    for (std::size_t y = 0; y < height; ++y) {
        const auto row = mask.inside.begin() + static_cast<std::ptrdiff_t>(y * width);
        const auto end = row + static_cast<std::ptrdiff_t>(width);
        for (auto pixel = std::find(row, end, 1); pixel != end;
             pixel = std::find(pixel + 1, end, 1)) {
            const auto x = static_cast<std::size_t>(pixel - row);
            const std::size_t index = y * width + x;
            if (!isKnown(index)) continue;
            const bool edge =
                (x > 0 && isOutside(index - 1)) || (x + 1 < width && isOutside(index + 1)) ||
                (y > 0 && isOutside(index - width)) || (y + 1 < height && isOutside(index + width));
            if (edge) outline.emplace_back(x, y, 0);
        }
    }
    return outline;
}

/// One-sided distance between outlines.
OutlineDistance oneSidedDistance(const Points& from, const NearestIndex& to) {
    OutlineDistance distance;
    for (const double squared : to.find(from).squaredDistances) {
        const double pixels = std::sqrt(squared);
        distance.mean += pixels / static_cast<double>(from.size());
        distance.hausdorff = std::max(distance.hausdorff, pixels);
    }
    return distance;
}

void requireSameSize(const Mask& one, const Mask& other) {
    requireValidMask(one);
    requireValidMask(other);
    if (one.width != other.width || one.height != other.height)
        throw InputError({"masks", "",
                          fmt::format("{}×{} and {}×{} pixels cannot be compared", one.width,
                                      one.height, other.width, other.height),
                          "Draw the mesh at the image's size."});
}

double overlapWhere(const std::vector<std::uint8_t>& known, const Mask& one, const Mask& other) {
    std::size_t both = 0;
    std::size_t any = 0;
    for (std::size_t i = 0; i < one.inside.size(); ++i) {
        const int counts = known.empty() ? 1 : known[i];
        both += static_cast<std::size_t>(one.inside[i] & other.inside[i] & counts);
        any += static_cast<std::size_t>((one.inside[i] | other.inside[i]) & counts);
    }
    return any > 0 ? static_cast<double>(both) / static_cast<double>(any) : 1;
}

}  // namespace

double maskOverlap(const Mask& one, const Mask& other) {
    requireSameSize(one, other);
    return overlapWhere(knownInBoth(one, other), one, other);
}

double uncoveredFraction(const Mask& mask, const Mask& rendered) {
    requireSameSize(mask, rendered);
    std::size_t masked = 0;
    std::size_t uncovered = 0;
    for (std::size_t i = 0; i < mask.inside.size(); ++i) {
        if (mask.inside[i] == 0 || !mask.isKnown(i) || !rendered.isKnown(i)) continue;
        ++masked;
        if (rendered.inside[i] == 0) ++uncovered;
    }
    return masked > 0 ? static_cast<double>(uncovered) / static_cast<double>(masked) : 0;
}

SilhouetteScore compareMasks(const Mask& one, const Mask& other) {
    requireSameSize(one, other);
    const std::vector<std::uint8_t> known = knownInBoth(one, other);
    SilhouetteScore score;
    score.overlap = overlapWhere(known, one, other);
    const Points first = outlineOf(one, known);
    const Points second = outlineOf(other, known);
    if (first.empty() || second.empty()) return score;
    const OutlineDistance forward = oneSidedDistance(first, NearestIndex(second));
    const OutlineDistance backward = oneSidedDistance(second, NearestIndex(first));
    score.outlineDistance = {(forward.mean + backward.mean) / 2,
                             std::max(forward.hausdorff, backward.hausdorff)};
    return score;
}

std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouetteScores> views,
                                       std::string_view mesh) {
    SilhouetteMeans means;
    double distance = 0;
    std::size_t measured = 0;
    for (const ViewSilhouetteScores& view : views) {
        const SilhouetteScore* const score = view.meshes.find(mesh);
        if (score == nullptr) continue;
        means.overlap += score->overlap;
        ++means.viewCount;
        if (!score->outlineDistance) continue;
        distance += score->outlineDistance->mean;
        ++measured;
    }
    if (means.viewCount == 0) return std::nullopt;
    means.overlap /= static_cast<double>(means.viewCount);
    if (measured > 0) means.outlineDistance = distance / static_cast<double>(measured);
    return means;
}

MeansByMesh meansOf(std::span<const ViewSilhouetteScores> views) {
    MeansByMesh means;
    for (const ViewSilhouetteScores& view : views)
        for (const auto& entry : view.meshes.entries())
            if (means.find(entry.mesh) == nullptr)
                means.add(entry.mesh, *meansOf(views, entry.mesh));
    return means;
}

}  // namespace threefold
