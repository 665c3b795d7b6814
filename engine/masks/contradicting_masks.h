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
    std::string reason;  ///< hull::MaskContradiction::reason()
    /// Mask from repairContradictingMasks() in place of this one, white on the object, of the
    /// photograph's size; nullopt where no new mask agrees better.
    std::optional<Image> repaired = {};
    bool fromHull = false;  ///< MaskRepair::fromHull
};

/// Finds the masks of a sample's photographs that contradict the others, by
/// hull::findContradictions(), in the order of the views. Photographs that cannot be read or used,
/// and those without a mask, are not judged. Empty also for fewer than six masks, and for more
/// contradictions than masks alone explain. Takes about as long as reading the photographs. Throws
/// Cancelled, what loadMaskedViews() throws.
std::vector<ContradictingMask> findContradictingMasks(const Sample& sample,
                                                      const std::stop_token& cancel);

/// Finds the masks that contradict the others, and the photographs that are not cut out, and cuts
/// these out again (repairMasks()); writes nothing. Photographs whose own pixels are transparent
/// stay as they are. Throws as findContradictingMasks().
std::vector<ContradictingMask> repairContradictingMasks(const Sample& sample,
                                                        const std::stop_token& cancel);

struct LoadedViews {
    std::shared_ptr<const std::vector<MaskedView>> views;
    std::vector<std::string> notes;  ///< a sentence for each mask that was replaced
};

/// Replaces the masks of loaded views that repairMasks() replaces, in memory, and the opacity of
/// their photographs. Changes nothing where a mask is not a file of its own: then no background is
/// seen. `threads`: 0 for all. Throws Cancelled, what readImage() throws.
LoadedViews withRepairedMasks(const Sample& sample,
                              std::shared_ptr<const std::vector<MaskedView>> views, int threads,
                              const std::stop_token& cancel);

}  // namespace threefold
