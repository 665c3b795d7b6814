#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/lens.h"
#include "engine/views/mask.h"
#include "engine/views/photo_mapping.h"

namespace threefold {

/// Side of a view's picture: the network's input size, or the photograph's resolution over the same
/// angle, kMinViewSide to kMaxViewSide pixels.
enum class ViewResolution { network, photograph };
inline constexpr int kMinViewSide = 128;
inline constexpr int kMaxViewSide = 1024;

/// View at ViewResolution::photograph with the object's mask.
struct ObjectView {
    Image picture;
    /// Mask by foregroundOf(), known only inside the photograph; nullopt if the photograph shows no
    /// object, or only the object.
    std::optional<Mask> mask;
};

/// The camera that the network assumes for a photograph: at the centre of the photograph's own
/// camera, but turned to the object, upright, with the training lens. Resamples the photograph to
/// the virtual camera's 224×224 picture, and maps back. The mapping is the homography K' R K⁻¹
/// after removing the distortion, exact up to the resampling of pixels, since both cameras have the
/// same centre. Photographs given to the members have the size of the lens.
class VirtualCamera {
  public:
    /// `rotation`: from the virtual camera's space to the photograph's. `zoom`: Camera::zoom.
    VirtualCamera(const Lens& lens, const glm::dmat3& rotation, double zoom);

    /// Whether the photograph already has this camera, within a hundredth of a pixel: resample()
    /// only resizes.
    bool isIdentity() const;

    /// Resamples the photograph to a square picture: transparent white outside the photograph;
    /// inside, alpha is the photograph's mean alpha around each pixel.
    Image resample(const Image& photograph,
                   ViewResolution resolution = ViewResolution::network) const;

    /// Resamples like resample() at ViewResolution::photograph, but makes a white background
    /// transparent, and adds the object's mask.
    ObjectView objectView(Image photograph) const;

    /// Mapping from the 224×224 picture to the photograph.
    PhotoMapping toPhoto() const;

    /// Maps the mask of a view, of any size, back to the whole photograph: white on the object,
    /// black elsewhere, also beyond the view's picture.
    Image photoMask(const Mask& mask) const;

  private:
    /// Projects a pixel of the 224×224 picture into the photograph.
    std::optional<glm::dvec2> project(double x, double y) const;
    /// Projects a pixel of the photograph into the 224×224 picture: inverts project(). nullopt
    /// behind the virtual camera, and where the lens has no ray.
    std::optional<glm::dvec2> pictureOf(glm::dvec2 pixel) const;
    /// Resamples as the other resample() does, and sets `isInPhoto` to 1 for pixels of the
    /// photograph, else to 0.
    Image resample(const Image& photograph, ViewResolution resolution,
                   std::vector<std::uint8_t>& isInPhoto) const;

    Lens lens_;
    glm::dmat3 rotation_;
    double focalLength_;
    LensProjection projection_;
};

/// Whether the network was trained with pictures of such a camera row.
bool isAsTrained(const CameraRow& row);

/// Virtual camera of a picture with ShapeNet's camera row: upright, with the training lens, at a
/// training distance. A row without its own lens has the training lens. nullopt if the picture is
/// not resampled: if isAsTrained(row), or if a picture with the training lens is not square, which
/// loadViews() refuses.
std::optional<VirtualCamera> virtualCameraOfRow(const CameraRow& row, ImageSize picture);

/// Scales `mask`, of any size, to the photograph's `size`: replaces VirtualCamera::photoMask() if
/// the view is the unchanged photograph.
Image scaledMaskImage(ImageSize size, const Mask& mask);

}  // namespace threefold
