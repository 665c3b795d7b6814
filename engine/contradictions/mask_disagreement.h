#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/silhouettes/silhouette_field.h"

namespace threefold {

/// Disagreement of one mask with the masks of the other views.
struct MaskDisagreement {
    /// Trimmed mean (largest eighth dropped) of the fraction of each other mask that the visual
    /// hull leaves uncovered because of this mask. Large: the mask lacks a part of the object, or
    /// is misplaced.
    double missing = 0;
    /// Fraction of this mask's pixels behind which more than a quarter of the views, or more than
    /// eight, exclude every voxel. Large: the mask holds more than the object.
    double surplus = 0;

    /// Limits of masks that agree.
    static constexpr double kMaxMissing = 0.0015;
    static constexpr double kMaxSurplus = 0.015;

    /// The larger ratio of a value to its limit: above 1, the mask contradicts the others.
    double severity() const { return std::max(missing / kMaxMissing, surplus / kMaxSurplus); }
};

/// Measures for each view how far its mask disagrees with the others. A voxel counts against the
/// views that exclude it if
/// - at most a quarter of the views exclude it, and
/// - it projects to a pixel of another mask that the visual hull does not cover.
///
/// Of several voxels behind such a pixel, those that the fewest views exclude count. Resolves parts
/// down to about 0.02 object units. The result does not depend on the number of threads. With three
/// views, `missing` is 0. Throws InputError (fewer than three views), Cancelled.
std::vector<MaskDisagreement> maskDisagreements(std::span<const SilhouetteField* const> views,
                                                int threads, const std::stop_token& cancel);

/// Silhouette that contradicts the others: its mask or its camera is wrong.
struct ContradictingSilhouette {
    std::size_t viewIndex = 0;      ///< index in the argument `views`
    MaskDisagreement disagreement;  ///< as measured when the view was found
    /// Whether the mask lacks a part of the object that the others show.
    bool isIncomplete() const { return disagreement.missing > MaskDisagreement::kMaxMissing; }
    /// Text about the contradiction: "the mask lacks a part of the object that the other masks
    /// show".
    std::string reason() const;
};

/// Finds the silhouettes that contradict the others: the one that disagrees most is set aside, and
/// the rest is measured again, until none exceeds the limits of MaskDisagreement. Returns them in
/// the order found. Empty for fewer than kMinViewsToCompareMasks views, and if more than a quarter
/// of the views would be returned: then the cameras are as likely to be wrong. Throws Cancelled.
std::vector<ContradictingSilhouette> findContradictingSilhouettes(
    std::span<const SilhouetteField* const> views, int threads, const std::stop_token& cancel);
inline constexpr std::size_t kMinViewsToCompareMasks = 6;

/// Reason why a view is not used: its mask or its camera is wrong.
inline constexpr std::string_view kContradictionReason =
    "mask or camera contradicts the other views";

}  // namespace threefold
