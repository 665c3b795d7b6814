#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/texturing/texture_view.h"

namespace threefold {

/// Texels on a texture's side.
inline constexpr int kFewestTexels = 1024;
inline constexpr int kMostTexels = 8192;
inline constexpr int kDefaultTexels = 2048;

struct TextureOptions {
    int side = kDefaultTexels;
    bool evenExposure = true;  ///< even out exposure and white balance, see evenExposures()
    bool level = true;         ///< change the photographs' colours so that seams vanish
    int threads = 0;           ///< 0: all that the process may use
    std::stop_token cancel = {};
};

/// Photographs on a mesh.
struct BakedTexture {
    /// Three for each face, as MeshLook has them: (0, 0) is the picture's lower left corner.
    std::vector<glm::vec2> coordinates;
    Image picture;  ///< square and opaque
    /// The same picture with alpha 0 where no photograph shows what is there; outside of the faces
    /// it is 0 as well.
    Image seen;
    std::size_t charts = 0;
    std::vector<Exposure> exposures;  ///< what each view's colours were changed by
    double seenShare = 0;             ///< of the faces' texels those that a photograph shows
    double seamBefore = 0;  ///< mean difference of neighbouring photographs at seams, 0…255
    double seamAfter = 0;
};

/// Each texel is the mean of the photographs that show it best, weighted by how large they show it
/// squared: unhidden, and inside of their masks. Neighbouring faces of one photograph lie beside
/// each other. What no photograph shows takes the colours around it. At least four texels around
/// each chart continue it. Throws InputError: no faces, no view, none that shows the mesh, a side
/// out of range, or too few pixels for the mesh; Cancelled. The same with any number of threads.
/// Thread-safe.
BakedTexture bakeTexture(const Mesh& mesh, std::span<const TextureView> views,
                         const TextureOptions& options);

}  // namespace threefold
