#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/texturing/exposure.h"
#include "engine/texturing/texture_view.h"

namespace threefold {

/// Number of texels on a texture's side.
inline constexpr int kMinTextureSide = 1024;
inline constexpr int kMaxTextureSide = 8192;
inline constexpr int kDefaultTextureSide = 2048;

/// Options of bakeTexture().
struct TextureOptions {
    int side = kDefaultTextureSide;
    /// Evens out exposure and white balance, see estimateExposures().
    bool equalisesExposure = true;
    bool levelsSeams = true;  ///< adjusts colours so that seams vanish
    int threads = 0;          ///< 0: all available
    std::stop_token cancel = {};
};

/// Result of bakeTexture().
struct BakedTexture {
    /// Texture coordinates, three for each face, as in MeshAppearance: (0, 0) is the picture's
    /// lower left corner.
    std::vector<glm::vec2> textureCoordinates;
    Image picture;  ///< the texture: square and opaque
    /// `picture` with alpha 0 where no photograph shows the surface, and outside of the faces.
    Image observedPicture;
    std::vector<ExposureCorrection> exposures;  ///< colour correction of each view
    double visibleFraction = 0;  ///< fraction of the faces' texels that a photograph shows
    /// Mean colour difference at seams, 0…255, before levelling and after.
    double meanSeamDifferenceBefore = 0;
    double meanSeamDifferenceAfter = 0;
};

/// Bakes a texture from photographs. Each texel is the mean of the photographs that show it best,
/// weighted by the square of the size at which they show it. Only photographs count in which the
/// texel is not occluded and lies inside of the mask. Adjacent faces of one photograph stay
/// adjacent in the texture. Texels that no photograph shows take the colours around them. At least
/// four texels around each chart continue the chart. Throws InputError: no faces, no view, no view
/// that shows the mesh, a side out of range, or too few pixels for the mesh; Cancelled. The result
/// does not depend on the number of threads. Thread-safe.
BakedTexture bakeTexture(const Mesh& mesh, std::span<const TextureView> views,
                         const TextureOptions& options);

}  // namespace threefold
