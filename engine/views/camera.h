#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace threefold {

/// What a row may hold, generously: beyond it stands a slip, not a camera. The object's bounding
/// box has a diagonal of 0.57, its cameras stand at about 0.65 to 0.98 (METHOD.md §2). Nearer than
/// kLeastRowDistance they stand inside of it; farther than kMostRowDistance it is no pixel large.
inline constexpr double kMostRowDegrees = 36'000;  ///< of azimuth and elevation, either way
inline constexpr double kLeastRowDistance = 0.2;
inline constexpr double kMostRowDistance = 1000;

inline constexpr double kShapeNetField = 25;

/// One row of `rendering_metadata.txt` (METHOD.md §2): a view's camera.
struct CameraRow {
    double azimuth = 0;    ///< degrees, at most kMostRowDegrees either way
    double elevation = 0;  ///< likewise
    double inPlane = 0;    ///< degrees anticlockwise that the camera was turned about its axis
    double distance = 0;   ///< ratio, kLeastRowDistance…kMostRowDistance
    /// Degrees across the picture's longer side. What all rows of ShapeNet's renderings have,
    /// kShapeNetField, is none: it stands for the method's lens, as does what ownsLens() refuses.
    double fieldOfView = kShapeNetField;

    bool ownsLens() const {
        return fieldOfView != kShapeNetField && fieldOfView >= 1 && fieldOfView <= 150;
    }
};

/// One row a line, five numbers separated by blanks; empty lines and `#` comments are skipped.
/// Throws FormatError naming the line (wrong count, not a number, not finite, out of range).
std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject);
std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file);
std::string formatRenderingMetadata(std::span<const CameraRow> rows);

/// A calibrated view (METHOD.md §2). World → view: q = R (p − o); the object lies near q.z = −0.8.
/// Double precision: computed once, it keeps the network's float32 free of its error.
struct Camera {
    glm::dmat3 rotation{1.0};  ///< glm is column-major: rotation * v applies R; rows are X, Y, Z
    glm::dvec3 origin{0.0};    ///< o, in world space

    /// Focal length ÷ kFocalLength: more than 1 for an object that is far away and shown as large
    /// as those that the network was trained with. The principal point is the picture's centre.
    double zoom = 1;

    /// With the zoom that shows an object at the origin as if from a trained distance: 1 from
    /// kNearestDistance to kFarthestDistance, beyond as if from kUsualDistance.
    static Camera fromRow(const CameraRow& row);

    glm::dvec3 toView(glm::dvec3 world) const;
    glm::dvec3 toWorld(glm::dvec3 view) const;

    /// World → view with x and y times `zoom`: the linear part of the projection, for p − o.
    glm::dmat3 zoomedRotation() const;
};

/// Distances of cameras from the object that the network was trained with. Nearer and farther
/// ones are shown as from their middle: as from the farthest one, F(τ) of seven meshes at 1.6
/// to 4.5 was 40 for 48, and as from the nearest one at 0.5 34 for 46 (docs/MEASUREMENTS.md).
inline constexpr double kNearestDistance = 0.6;
inline constexpr double kFarthestDistance = 1.0;
inline constexpr double kDefaultDistance = 0.8;

/// Side of the network's square images in pixels; focal length and centre of its projection.
inline constexpr int kImageSize = 224;
inline constexpr double kFocalLength = 248.0;
inline constexpr double kImageCentre = 112.0;

/// Pixel (column w, row h) of a point in a view's space without zoom, or whose x and y are times
/// the zoom already, in a 224×224 image, not clamped.
glm::dvec2 projectToPixel(glm::dvec3 view);

/// A point in `from`'s space, expressed in `to`'s.
glm::dvec3 betweenViews(const Camera& from, const Camera& to, glm::dvec3 point);

/// Points of `from`'s space (Camera{}: the world) in `to`'s clip space as rasterize() takes it: the
/// 224×224 projection of METHOD.md §2, times `to.zoom`, fills the image, first row on top. Cuts
/// away what is behind the camera or nearer than 0.001. Depth grows with distance, without loss of
/// precision.
std::vector<glm::vec4> toClipSpace(std::span<const glm::vec3> points, const Camera& from,
                                   const Camera& to);

}  // namespace threefold
