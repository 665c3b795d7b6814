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

}  // namespace threefold
