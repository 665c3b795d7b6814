#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
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
#include "engine/views/camera.h"

namespace threefold {

/// Draws transparent faces layer by layer from front to back by depth peeling: exact at each point,
/// with the same memory for any number of layers. Each layer costs a pass over the faces that still
/// matter. One thread at a time.
class TransparentLayers {
  public:
    /// Most layers drawn at a point; transparent faces behind them are ignored.
    static constexpr int kMostLayers = 256;
    /// Faces closer to each other than this in depth (z/w) count as one sheet, of which the nearest
    /// or first is drawn: models often have every pane twice, once for each side.
    static constexpr float kSameSheet = 1e-8F;

    /// `faces` must outlive it; `numbers` are the indices of those to draw.
    TransparentLayers(const Faces& faces, std::vector<std::uint32_t> numbers);

    bool empty() const { return numbers_.empty(); }

    /// Takes one layer at a point; returns whether anything behind the face is visible there.
    using Visit =
        std::function<bool(std::size_t point, std::uint32_t face, const glm::vec3& weights)>;

    /// Calls `visit` for each point's layers, nearest first, while it returns true and they are not
    /// behind `ends` (a depth for each point, or infinity). Takes the options of rasterize() and
    /// throws the same errors.
    void draw(std::span<const glm::vec4> corners, RasterOptions options,
              std::span<const float> ends, const Visit& visit);

    RasterTier tier() const { return raster_.tier; }  ///< that drew the last layer

  private:
    bool drawLayer(std::span<const float> ends, const Visit& visit);
    void keepNeeded(std::span<const glm::vec4> corners);
    bool isNeeded(const glm::u32vec3& face, std::span<const glm::vec4> corners) const;

    const Faces& all_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint32_t> listed_;  // those of `numbers_` that still matter
    Faces faces_;                        // the faces of `listed_`
    RasterImage raster_;
    std::vector<float> prior_;
    std::vector<std::uint8_t> open_;  // 1 for squares with points that need more layers
    std::size_t squares_ = 0;         // in a row of the picture
};

/// Smallest and largest side of the images that can be made.
inline constexpr int kSmallestRendering = 16;
inline constexpr int kLargestRendering = 1024;
/// The side of the images in ShapeNetRendering.
inline constexpr int kDefaultRendering = 137;
/// Sample points in each pixel, across and down.
inline constexpr int kSupersampling = 4;

/// Unit direction to the light: from above, always the same for a seed and an item.
glm::vec3 lightOf(std::uint64_t seed, std::string_view item);

/// What draws.
struct RasterChoice {
    RasterTier tier = RasterTier::automatic;  ///< all give the same faces
    DeviceRasterFactory deviceRaster = {};    ///< as RasterOptions has them
    std::shared_ptr<RasterFallback> fallback = {};
};

/// Draws one mesh from many cameras and keeps the memory between them. One thread at a time.
class ViewRenderer {
  public:
    /// `prepared` must outlive it; `threads` of 0: all.
    ViewRenderer(const PreparedMesh& prepared, int size, glm::vec3 light, int threads,
                 RasterChoice choice = {});

    /// `size`² pixels, straight alpha: the mean coverage of 4×4 points, colours blended from front
    /// to back in sRGB values; (0, 0, 0, 0) where nothing is. Masks are cut out exactly, a pane of
    /// opacity 0.3 has alpha 0.3. Throws InputError, Cancelled, DeviceError (cuda without a GPU).
    Image render(const Camera& camera, const std::stop_token& cancel = {});

    /// That drew the last image; of a mesh that is transparent all over, its last layer.
    RasterTier tier() const { return opaqueIsEmpty() ? layers_.tier() : raster_.tier; }

  private:
    bool opaqueIsEmpty() const { return !layers_.empty() && opaqueFaces_.empty(); }
    void drawOpaque(const RasterOptions& options, Image& image);
    void drawLayers(RasterOptions options, Image& image);
    /// Values common to all points of a face in one view.
    struct Face {
        static constexpr std::uint32_t kNone = UINT32_MAX;

        std::uint32_t number = kNone;
        glm::vec3 corner[3];
        glm::vec3 across;  ///< perpendicular to the face
        const SurfaceColour::Kind* kind = nullptr;
        SurfaceColour::Levels levels;
    };

    glm::vec4 colourAt(std::uint32_t face, const glm::vec3& weights);
    void prepare(std::uint32_t face);
    glm::vec3 lit(const glm::vec3& weights, const glm::vec3& colour) const;
    std::size_t pixelOf(std::size_t point) const;

    const PreparedMesh& prepared_;
    SurfaceColour look_;
    int size_;
    glm::vec3 light_;
    int threads_;
    RasterChoice choice_;
    TransparentLayers layers_;
    std::vector<std::uint32_t> opaque_;  // opaque faces, if there are others, too
    Faces opaqueFaces_;
    glm::vec3 eye_{0.0F};
    std::vector<glm::vec4> corners_;
    RasterImage raster_;
    Face face_;                    // the last face that was shaded
    std::vector<float> through_;   // of each point: visible share of the background
    std::vector<glm::vec3> sums_;  // of each pixel: colours times the shares they hide
};

}  // namespace threefold
