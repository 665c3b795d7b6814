#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/views/lens.h"
#include "engine/views/mask.h"
#include "engine/views/pose.h"

namespace threefold {

/// Camera of a photograph.
struct PhotoCamera {
    Pose pose;
    Lens lens;
};

/// Agreement of cameras with the outlines of their photographs.
struct OutlineScore {
    std::size_t photographCount = 0;
    std::size_t cameraCount = 0;  ///< photographs with a camera
    /// Mean intersection over union, 0…1, of the masks with the visual hull of all masks that have
    /// a camera; 0 without a hull. The mean is over the masks with a camera and a whole outline.
    /// The fewer masks have a camera, the higher the mean, since fewer masks bound the hull.
    double overlap = 0;
    /// The mean of `overlap`, in which whole outlines of photographs without a camera also count,
    /// as 0. It is comparable between candidates with different numbers of cameras.
    double explained = 0;

    /// Minimum of `overlap` or `explained` for good cameras.
    static constexpr double kGood = 0.9;
    bool explainsMost() const { return explained >= kGood; }
    /// Whether each photograph has a camera and the overlap is good.
    bool explainsAll() const { return cameraCount == photographCount && overlap >= kGood; }
};

/// Method by which findMarkerlessCameras() finds cameras.
enum class CameraMethod {
    colmap,
    colmapInMasks,  ///< COLMAP, with features inside of the masks only
    turntable,
};

/// Name of a method in JSON: "colmap", "colmap_in_masks", "turntable".
constexpr const char* nameOf(CameraMethod method) {
    switch (method) {
        case CameraMethod::colmap:
            return "colmap";
        case CameraMethod::colmapInMasks:
            return "colmap_in_masks";
        case CameraMethod::turntable:
            break;
    }
    return "turntable";
}

/// Cameras that one method found.
struct CameraCandidate {
    CameraMethod method = CameraMethod::colmap;
    std::vector<std::optional<PhotoCamera>> cameras;  ///< one for each photograph
    OutlineScore score;
};

/// Whether the mask shows an object that stays clear of the photograph's border.
bool showsWholeOutline(const Mask& mask);

/// Measures how well cameras explain the outlines of their photographs, by
/// turntable::uncoveredAtReducedSize(). Only whole outlines (showsWholeOutline()) count, while
/// all masks with a camera bound the hull. `cameras`, `masks`: one for each photograph; nullopt:
/// none. Does not depend on the scale of the cameras' world. Throws Cancelled.
OutlineScore outlineScore(std::span<const std::optional<PhotoCamera>> cameras,
                          std::span<const std::optional<Mask>> masks,
                          const std::stop_token& cancel);

/// Index of the candidate that explains most of the outlines (OutlineScore::explained), the first
/// of equal ones. `candidates`: one or more, scored by the same masks.
std::size_t bestCandidate(std::span<const CameraCandidate> candidates);

}  // namespace threefold
