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
    /// Mean overlap (intersection over union) of a mask with the visual hull of all masks that have
    /// a camera, 0…1, over these masks; 0 without a hull. The hull of fewer masks overlaps more.
    double overlap = 0;
    /// The same mean over the masks of all photographs, those without a camera as 0: comparable
    /// between candidates with different numbers of cameras.
    double explained = 0;

    /// Whether each photograph has a camera and the overlap is 0.9 or more.
    bool explainsAll() const {
        constexpr double kMinOverlap = 0.9;
        return cameraCount == photographCount && overlap >= kMinOverlap;
    }
};

/// Method by which findMarkerlessCameras() finds cameras.
enum class CameraMethod { colmap, turntable };

/// Name of a method in JSON: "colmap", "turntable".
constexpr const char* nameOf(CameraMethod method) {
    return method == CameraMethod::colmap ? "colmap" : "turntable";
}

/// Cameras that one method found.
struct CameraCandidate {
    CameraMethod method = CameraMethod::colmap;
    std::vector<std::optional<PhotoCamera>> cameras;  ///< one for each photograph
    OutlineScore score;
};

/// Measures how well cameras explain the outlines of their photographs, by
/// turntable::uncoveredAtReducedSize(). Only outlines clear of the photograph's border count, while
/// all masks with a camera bound the hull. `cameras`, `masks`: one for each photograph; nullopt:
/// none. Does not depend on the scale of the cameras' world. Throws Cancelled.
OutlineScore outlineScore(std::span<const std::optional<PhotoCamera>> cameras,
                          std::span<const std::optional<Mask>> masks,
                          const std::stop_token& cancel);

/// The candidate that explains most of the outlines (OutlineScore::explained), the first of equal
/// ones. `candidates`: one or more, scored by the same masks.
const CameraCandidate& bestCandidate(std::span<const CameraCandidate> candidates);

}  // namespace threefold
