#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"
#include "engine/raster/rasterize.h"

namespace threefold {

/// Draws transparent faces from front to back by depth peeling (Everitt 2001): exact at each sample
/// point, in memory that does not grow with the layers. Each layer costs a pass over the remaining
/// faces. One thread at a time.
class TransparentLayers {
  public:
    /// Maximum layers at a point; transparent faces behind them are ignored.
    static constexpr int kMaxLayers = 256;
    /// Minimum difference of depth (z/w) between layers. Of faces that are closer to each other
    /// only one is drawn: models often have every pane twice, once for each side.
    static constexpr float kMinLayerGap = 1e-8F;

    /// `faces` must outlive the object; `indices`: the faces to draw.
    TransparentLayers(const Faces& faces, std::vector<std::uint32_t> indices);

    bool empty() const { return indices_.empty(); }

    /// Callback for one layer at a point; returns whether anything behind the face is visible.
    using LayerFunction =
        std::function<bool(std::size_t point, std::uint32_t face, const glm::vec3& weights)>;

    /// Calls `visit` for the layers at each point, nearest first, while `visit` returns true and
    /// the layer is not behind `maxDepths` (a depth for each point, or infinity). Options and
    /// errors as rasterize().
    void draw(std::span<const glm::vec4> corners, RasterOptions options,
              std::span<const float> maxDepths, const LayerFunction& visit);

    RasterTier tier() const { return raster_.tier; }  ///< tier that drew the last layer

  private:
    bool drawLayer(std::span<const float> maxDepths, const LayerFunction& visit);
    void dropHidden(std::span<const glm::vec4> corners);
    bool mayBeVisible(const glm::u32vec3& face, std::span<const glm::vec4> corners) const;

    const Faces& meshFaces_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint32_t> remaining_;  ///< faces of `indices_` that can still be visible
    Faces faces_;                           ///< corners of `remaining_`
    RasterImage raster_;
    std::vector<float> previousDepths_;
    std::vector<std::uint8_t>
        unfinishedBlocks_;          ///< 1 for blocks with points that need more layers
    std::size_t blocksPerRow_ = 0;  // blocks in a row of the picture
};

}  // namespace threefold
