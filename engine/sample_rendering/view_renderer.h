#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/prepared_mesh.h"
#include "engine/sample_rendering/surface_colour.h"
#include "engine/sample_rendering/transparent_layers.h"
#include "engine/views/camera.h"

namespace threefold {

/// Sample points in each pixel, across and down.
inline constexpr int kSupersampling = 4;

/// Unit direction to the light: from above, deterministic for a seed and a sample's id.
glm::vec3 lightDirection(std::uint64_t seed, std::string_view id);

/// Draws one mesh from many cameras, reusing memory. One thread at a time.
class ViewRenderer {
  public:
    /// `prepared` must outlive the renderer; `threads` 0: all.
    ViewRenderer(const PreparedMesh& prepared, int side, glm::vec3 light, int threads,
                 RasterChoice choice = {});

    /// Renders `side`² pixels with straight alpha: mean coverage of 4×4 points, colours blended
    /// front to back in sRGB values; (0, 0, 0, 0) in the background. Surfaces of AlphaMode::mask
    /// are cut out exactly; a pane of opacity 0.3 has alpha 0.3. Throws InputError, Cancelled,
    /// DeviceError (cuda without a GPU).
    Image render(const Camera& camera, const std::stop_token& cancel = {});

    /// Tier that drew the last image, or for a fully transparent mesh its last layer.
    RasterTier tier() const { return hasNoOpaqueFaces() ? layers_.tier() : raster_.tier; }

  private:
    bool hasNoOpaqueFaces() const { return !layers_.empty() && opaqueFaces_.empty(); }
    void drawOpaque(const RasterOptions& options, Image& image);
    void drawLayers(RasterOptions options, Image& image);
    /// Values common to all points of a face in one view.
    struct ShadedFace {
        static constexpr std::uint32_t kNone = UINT32_MAX;

        std::uint32_t index = kNone;
        glm::vec3 corner[3];
        glm::vec3 faceNormal;  ///< normal of the face, not normalised
        const SurfaceColour::MaterialTraits* traits = nullptr;
        SurfaceColour::MipLevels levels;
    };

    glm::vec4 colourAt(std::uint32_t face, const glm::vec3& weights);
    void prepareFace(std::uint32_t face);
    glm::vec3 lit(const glm::vec3& weights, const glm::vec3& colour) const;
    std::size_t pixelOf(std::size_t point) const;

    const PreparedMesh& prepared_;
    SurfaceColour surface_;
    int side_;
    glm::vec3 light_;
    int threads_;
    RasterChoice choice_;
    TransparentLayers layers_;
    // Indices of the opaque faces, and these faces; both are empty if all faces are opaque.
    std::vector<std::uint32_t> opaqueIndices_;
    Faces opaqueFaces_;
    glm::vec3 cameraCentre_{0.0F};
    std::vector<glm::vec4> corners_;
    RasterImage raster_;
    ShadedFace lastFace_;
    std::vector<float> transmittance_;  // visible fraction of the background, per point
    std::vector<glm::vec3> sums_;       // colours × the fraction they hide, per pixel
};

}  // namespace threefold
