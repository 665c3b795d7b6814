#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/views/masked_view.h"

namespace threefold {

/// Mask that contradicts the masks of the other photographs.
struct ContradictingMask {
    int view = 0;
    std::filesystem::path photograph;
    std::string reason;  ///< ContradictingSilhouette::reason()
    /// New mask from repairContradictingMasks(), white on the object, of the photograph's size;
    /// nullopt where no new mask agrees better.
    std::optional<Image> repairedMask = {};
    bool isFromHull = false;  ///< MaskRepair::isFromHull
};

/// Finds the masks of a sample's photographs that contradict the others, by
/// findContradictingSilhouettes(), in the order of the views. Photographs that cannot be read or
/// used, or have no mask, are not judged. The result is empty for fewer than six masks, and if more
/// than a quarter of the masks would be named. Takes about as long as reading the photographs.
/// Throws Cancelled, and as loadMaskedViews().
std::vector<ContradictingMask> findContradictingMasks(const Sample& sample,
                                                      const std::stop_token& cancel);

/// Result of compareMasks().
struct MaskComparison {
    std::vector<ContradictingMask> contradicting;  ///< as findContradictingMasks() finds them
    /// Mean fraction of the other masks that their visual hull covers, 0…1: 0 if they bound no
    /// object; nullopt: there are fewer than three.
    std::optional<double> overlap = {};

    /// Whether masks and cameras disagree so much that no single mask can be blamed.
    bool disagreesAsAWhole() const { return overlap && *overlap < kMinOverlap; }
    static constexpr double kMinOverlap = 0.8;
};

/// Finds contradicting masks as findContradictingMasks() does, and measures how well the others
/// agree. Throws as findContradictingMasks().
MaskComparison compareMasks(const Sample& sample, const std::stop_token& cancel);

/// Cuts out again the photographs whose masks contradict the others or show no object
/// (repairMasks()); writes no file. Photographs with transparent pixels of their own get no new
/// mask. Throws as findContradictingMasks().
std::vector<ContradictingMask> repairContradictingMasks(const Sample& sample,
                                                        const std::stop_token& cancel);

/// Result of withRepairedMasks().
struct RepairedViews {
    std::shared_ptr<const std::vector<MaskedView>> views;
    std::vector<std::string> notes;  ///< a sentence for each mask that was replaced
};

/// Replaces, in memory, the masks that repairMasks() replaces, and the opacity of their
/// photographs. Changes nothing unless each mask is a file of its own: a photograph that is itself
/// cut out no longer shows the background that a new cut-out needs. `threads`: 0 for all. Throws
/// Cancelled, and as readImage().
RepairedViews withRepairedMasks(const Sample& sample,
                                std::shared_ptr<const std::vector<MaskedView>> views, int threads,
                                const std::stop_token& cancel);

}  // namespace threefold
