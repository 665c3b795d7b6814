#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/board/sheet_layout.h"
#include "engine/photo_cameras/camera_search.h"
#include "engine/silhouettes/silhouette_query.h"
#include "engine/views/mask.h"

namespace threefold {

/// Cuts out missing masks by cutOutFiles(), and reports progress. Sets each photograph's
/// maskWarning and maskError. `sheet`: see CutoutFilesOptions::sheet. Throws Cancelled.
void cutOutMissingMasks(std::span<CameraPhoto* const> photographs, const board::SheetLayout* sheet,
                        const ProgressCallbacks& callbacks, const std::stop_token& cancel);

/// Reads the mask of each photograph, at most 640 pixels a side; nullopt: the photograph has no
/// mask or is unreadable. Sets the maskError of an unreadable photograph, unless it is set already.
/// Throws Cancelled.
std::vector<std::optional<Mask>> readObjectMasks(std::span<CameraPhoto* const> photographs,
                                                 const std::stop_token& cancel);

/// Masks of photographs: cutOutMissingMasks() if `makesMasks`, then
/// readObjectMasks(). Reports the step "finding the object" before it reads the masks.
std::vector<std::optional<Mask>> makeAndReadMasks(std::span<CameraPhoto* const> photographs,
                                                  bool makesMasks, const board::SheetLayout* sheet,
                                                  const ProgressCallbacks& callbacks,
                                                  const std::stop_token& cancel);

/// Pairs each mask with the pose and lens of its camera; leaves out cameras without a mask.
/// `cameras`: one for each of `masks`, with the members `pose` and `lens`.
template <class PosedCamera>
std::vector<PosedMask> posedMasks(const std::vector<PosedCamera>& cameras,
                                  std::vector<std::optional<Mask>> masks) {
    std::vector<PosedMask> posed;
    for (std::size_t i = 0; i < masks.size(); ++i)
        if (masks[i]) posed.push_back({cameras[i].pose, cameras[i].lens, *std::move(masks[i])});
    return posed;
}

}  // namespace threefold
