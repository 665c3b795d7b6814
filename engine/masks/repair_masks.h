#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/contradictions/mask_disagreement.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/masked_view.h"

namespace threefold {

/// Mask that contradicts the others, or shows no object, and the new mask that replaces it.
struct MaskRepair {
    int view = 0;
    std::string reason;  ///< ContradictingSilhouette::reason(), or "the mask shows no object"
    /// Disagreement of the contradicting mask; {1, 0} if the mask shows no object.
    MaskDisagreement disagreementBefore;
    /// The new mask, of the size of the view's mask; nullopt if no new mask agrees better with the
    /// others.
    std::optional<Mask> mask = {};
    MaskDisagreement disagreementAfter = {};  ///< of `mask`, among the masks as repaired
    /// Whether `mask` is the projection of the other masks' hull, since the photograph's colours do
    /// not separate the object from its background.
    bool isFromHull = false;
};

/// Reads the picture of a view with its background: square, of any size, transparent beyond the
/// photograph (networkImage() at ViewResolution::photograph).
using PictureReader = std::function<Image(int view)>;

/// Cuts out again the views whose masks contradict the others (findContradictingSilhouettes()):
/// inside the projected hull of the others, cutOutWithSeeds() separates the object from the
/// background by colours that it learns from the photograph and its two neighbours (METHOD.md §7b).
/// A new mask is kept if it disagrees less with the others than the old one, by
/// maskDisagreements(). Returns one entry for each mask that contradicts or is empty, in the order
/// of the views. Views without a mask are left out. If fewer than six masks show an object, only
/// empty masks are judged. The result does not depend on the number of threads. Throws Cancelled,
/// and the exceptions of `read`.
std::vector<MaskRepair> repairMasks(std::span<const MaskedView> views, const PictureReader& read,
                                    int threads, const std::stop_token& cancel);

}  // namespace threefold
