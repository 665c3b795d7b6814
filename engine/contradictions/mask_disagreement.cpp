#include "engine/contradictions/mask_disagreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr int kGridSide = 128;
constexpr int kSkippedBlockSide = 4;  // voxels along the side of a block that is skipped as a whole
constexpr int kBlocksPerSide = kGridSide / kSkippedBlockSide;
constexpr double kVoxelSide = 2 * kHullHalfSide / kGridSide;
constexpr double kVoxelRadius = 0.87 * kVoxelSide;  // half the diagonal, √3 / 2, rounded up
constexpr int kPictureSide = 128;                   // side of the reduced masks, pixels
constexpr std::size_t kMaxExcluders = 8;

/// A voxel that at most maxExcludersOf() views exclude. A view excludes what lies outside of its
/// silhouette.
struct Voxel {
    glm::dvec3 centre;
    std::uint8_t count = 0;
    std::array<std::uint16_t, kMaxExcluders> excluders{};

    bool isExcludedBy(std::size_t view) const {
        return std::find(excluders.begin(), excluders.begin() + count, view) !=
               excluders.begin() + count;
    }
};

glm::dvec3 cornerOf(int x, int y, int z, int cells) {
    return glm::dvec3(x, y, z) * (2 * kHullHalfSide / cells) - kHullHalfSide;
}

std::size_t maxExcludersOf(std::size_t views) {
    return std::min(views / 4, kMaxExcluders);
}

/// Whether more than `maxExcluders` views exclude the whole block around a centre.
bool isExcluded(std::span<const SilhouetteField* const> views, glm::dvec3 centre,
                std::size_t maxExcluders) {
    constexpr double kBlockRadius = kSkippedBlockSide * kVoxelRadius;
    constexpr auto kFarOutside =
        static_cast<float>(SilhouetteField::kMaxSlope * kBlockRadius + kVoxelRadius);
    std::size_t excluders = 0;
    for (const SilhouetteField* view : views)
        if (view->signedDistance(centre) > kFarOutside && ++excluders > maxExcluders) return true;
    return false;
}

void addVoxelsOfBlock(std::span<const SilhouetteField* const> views, glm::ivec3 block,
                      std::size_t maxExcluders, std::vector<Voxel>& voxels) {
    const glm::dvec3 lowest = cornerOf(block.x, block.y, block.z, kBlocksPerSide);
    if (isExcluded(views, lowest + kSkippedBlockSide * kVoxelSide / 2, maxExcluders)) return;
    for (int z = 0; z < kSkippedBlockSide; ++z)
        for (int y = 0; y < kSkippedBlockSide; ++y)
            for (int x = 0; x < kSkippedBlockSide; ++x) {
                Voxel voxel{lowest + (glm::dvec3(x, y, z) + 0.5) * kVoxelSide};
                bool hasFewExcluders = true;
                for (std::size_t view = 0; hasFewExcluders && view < views.size(); ++view) {
                    if (views[view]->signedDistance(voxel.centre) <=
                        static_cast<float>(kVoxelRadius))
                        continue;
                    hasFewExcluders = voxel.count < maxExcluders;
                    if (hasFewExcluders)
                        voxel.excluders[voxel.count++] = static_cast<std::uint16_t>(view);
                }
                if (hasFewExcluders) voxels.push_back(voxel);
            }
}

/// Voxels that at most maxExcludersOf() views exclude.
std::vector<Voxel> voxelsOf(std::span<const SilhouetteField* const> views, int threads,
                            const std::stop_token& cancel) {
    const std::size_t maxExcluders = maxExcludersOf(views.size());
    std::vector<std::vector<Voxel>> slices(kBlocksPerSide);
    parallelFor(threads, kBlocksPerSide, cancel, [&](std::size_t slice, std::size_t /*thread*/) {
        for (int y = 0; y < kBlocksPerSide; ++y)
            for (int x = 0; x < kBlocksPerSide; ++x)
                addVoxelsOfBlock(views, {x, y, static_cast<int>(slice)}, maxExcluders,
                                 slices[slice]);
    });
    std::vector<Voxel> voxels;
    for (const std::vector<Voxel>& slice : slices)
        voxels.insert(voxels.end(), slice.begin(), slice.end());
    return voxels;
}

/// Reduces a mask to kPictureSide and erodes it by a pixel. A reduced pixel is inside if all pixels
/// of the mask that the reduced pixel covers are known and inside.
Mask reducedAndEroded(const Mask& mask) {
    const auto first = [&](int cell) { return cell * mask.width / kPictureSide; };
    const auto last = [&](int cell) { return ((cell + 1) * mask.width - 1) / kPictureSide; };
    const auto isInside = [&](int column, int row) {
        for (int y = first(row); y <= last(row); ++y)
            for (int x = first(column); x <= last(column); ++x) {
                const auto pixel = static_cast<std::size_t>(y * mask.width + x);
                if (mask.inside[pixel] == 0 || !mask.isKnown(pixel)) return false;
            }
        return true;
    };
    Mask innerMask{kPictureSide, kPictureSide, {}};
    for (int row = 0; row < kPictureSide; ++row)
        for (int column = 0; column < kPictureSide; ++column)
            innerMask.inside.push_back(isInside(column, row) ? 1 : 0);
    return eroded(innerMask);
}

/// Calls `visit` with each pixel of the reduced picture that a voxel may cover.
template <class Visit>
void forPixels(const Camera& camera, glm::dvec3 centre, const Visit& visit) {
    const ProjectedPoint projected = projectToPicture(camera, centre);
    if (projected.unitsAcrossPicture <= 0) return;
    const float radius =
        static_cast<float>(kVoxelRadius) / projected.unitsAcrossPicture * kPictureSide + 0.5F;
    const glm::vec2 at = projected.position * float{kPictureSide} - 0.5F;
    const auto first = [](float value) { return std::max(0, static_cast<int>(std::ceil(value))); };
    const auto last = [](float value) {
        return std::min(kPictureSide - 1, static_cast<int>(std::floor(value)));
    };
    if (!(std::abs(at.x) < 1e6F && std::abs(at.y) < 1e6F)) return;
    for (int y = first(at.y - radius); y <= last(at.y + radius); ++y)
        for (int x = first(at.x - radius); x <= last(at.x + radius); ++x)
            visit(static_cast<std::size_t>(y * kPictureSide + x));
}

/// Disagreement of one mask, the observer's, with the others.
struct ObservedDisagreement {
    /// For each view: fraction of the observer's mask that is uncovered because of the view.
    std::vector<double> missing;
    double surplus = 0;
};

ObservedDisagreement disagreementSeenBy(std::span<const SilhouetteField* const> views,
                                        std::size_t observer, const std::vector<Voxel>& voxels) {
    constexpr std::uint8_t kUncovered = 255;
    const Camera& camera = views[observer]->camera();
    const std::vector<std::uint8_t> innerMask = reducedAndEroded(views[observer]->mask()).inside;
    std::vector<std::uint8_t> minExcluders(innerMask.size(), kUncovered);
    const auto forVoxels = [&](const auto& visit) {
        for (const Voxel& voxel : voxels) {
            if (voxel.isExcludedBy(observer)) continue;
            forPixels(camera, voxel.centre, [&](std::size_t pixel) { visit(voxel, pixel); });
        }
    };
    forVoxels([&](const Voxel& voxel, std::size_t pixel) {
        minExcluders[pixel] = std::min(minExcluders[pixel], voxel.count);
    });
    const auto isLeastExcluded = [&](const Voxel& voxel, std::size_t pixel) {
        return innerMask[pixel] != 0 && voxel.count > 0 && voxel.count == minExcluders[pixel];
    };
    std::vector<std::uint32_t> leastExcludedVoxels(innerMask.size(), 0);
    forVoxels([&](const Voxel& voxel, std::size_t pixel) {
        if (isLeastExcluded(voxel, pixel)) ++leastExcludedVoxels[pixel];
    });
    ObservedDisagreement observed{std::vector<double>(views.size(), 0.0)};
    forVoxels([&](const Voxel& voxel, std::size_t pixel) {
        if (!isLeastExcluded(voxel, pixel)) return;
        for (std::size_t i = 0; i < voxel.count; ++i)
            observed.missing[voxel.excluders[i]] += 1.0 / leastExcludedVoxels[pixel];
    });
    double pixels = 0;
    for (std::size_t pixel = 0; pixel < innerMask.size(); ++pixel) {
        if (innerMask[pixel] == 0) continue;
        ++pixels;
        if (minExcluders[pixel] == kUncovered) ++observed.surplus;
    }
    if (pixels == 0) return observed;
    observed.surplus /= pixels;
    for (double& each : observed.missing) each /= pixels;
    return observed;
}

/// Mean of all but the largest eighth of the values (the number of dropped values is rounded up).
/// To an observer whose mask includes background, correct masks look incomplete: the values of such
/// an observer are the largest, and are dropped.
double trimmedMean(std::vector<double> values) {
    constexpr std::size_t kTrimmed = 8;
    std::ranges::sort(values);
    values.resize(values.size() - (values.size() + kTrimmed - 1) / kTrimmed);
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<MaskDisagreement> maskDisagreements(std::span<const SilhouetteField* const> views,
                                                int threads, const std::stop_token& cancel) {
    // Of two masks that disagree, either may be wrong.
    constexpr std::size_t kMinInputViews = 3;
    if (views.size() < kMinInputViews)
        throw InputError(
            {"masks", "",
             fmt::format("{} views were given, but at least {} are needed to compare their masks",
                         views.size(), kMinInputViews),
             "Give more views."});
    const std::vector<Voxel> voxels = voxelsOf(views, threads, cancel);
    std::vector<ObservedDisagreement> observed(views.size());
    parallelFor(threads, views.size(), cancel, [&](std::size_t view, std::size_t /*thread*/) {
        observed[view] = disagreementSeenBy(views, view, voxels);
    });
    std::vector<MaskDisagreement> result(views.size());
    for (std::size_t view = 0; view < views.size(); ++view) {
        std::vector<double> missing;
        for (std::size_t observer = 0; observer < views.size(); ++observer)
            if (observer != view) missing.push_back(observed[observer].missing[view]);
        result[view] = {trimmedMean(std::move(missing)), observed[view].surplus};
    }
    return result;
}

std::string ContradictingSilhouette::reason() const {
    constexpr double kPercent = 100;
    if (!isIncomplete())
        return fmt::format("{:.0f} % of the mask are background in the other views",
                           kPercent * disagreement.surplus);
    return disagreement.surplus > MaskDisagreement::kMaxSurplus
               ? std::string(kContradictionReason)
               : "the mask lacks a part of the object that the other masks show";
}

std::vector<ContradictingSilhouette> findContradictingSilhouettes(
    std::span<const SilhouetteField* const> views, int threads, const std::stop_token& cancel) {
    // Compares the surplus first: what one mask has too much, all other masks seem to lack.
    const auto byContradiction = [](const MaskDisagreement& each) {
        return std::pair(each.surplus > MaskDisagreement::kMaxSurplus ? each.surplus : 0.0,
                         each.missing > MaskDisagreement::kMaxMissing ? each.missing : 0.0);
    };
    std::vector<ContradictingSilhouette> found;
    std::vector<std::size_t> remaining(views.size());
    std::iota(remaining.begin(), remaining.end(), std::size_t{0});
    while (remaining.size() >= kMinViewsToCompareMasks) {
        std::vector<const SilhouetteField*> used;
        for (const std::size_t view : remaining) used.push_back(views[view]);
        const std::vector<MaskDisagreement> measured = maskDisagreements(used, threads, cancel);
        const auto worst = std::ranges::max_element(measured, {}, byContradiction);
        if (byContradiction(*worst) == std::pair(0.0, 0.0)) return found;
        if (4 * (found.size() + 1) > views.size()) return {};
        const auto position = worst - measured.begin();
        found.push_back({remaining[static_cast<std::size_t>(position)], *worst});
        remaining.erase(remaining.begin() + position);
    }
    return found;
}

}  // namespace threefold
