#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/image.h"
#include "engine/making/subject.h"
#include "engine/raster/rasterize.h"
#include "engine/sample/camera.h"

namespace threefold {

/// Smallest and largest side of the images that can be made.
inline constexpr int kSmallestRendering = 16;
inline constexpr int kLargestRendering = 1024;
/// The side that ShapeNetRendering has.
inline constexpr int kDefaultRendering = 137;
/// Points looked at in each pixel, across and down.
inline constexpr int kSupersampling = 4;

/// Where the light comes from, of length 1: from above somewhere, the same for an item always.
glm::vec3 lightOf(std::uint64_t seed, std::string_view item);

/// Draws one subject from many cameras and keeps the memory between them. One thread at a time.
class ViewRenderer {
  public:
    /// `subject` must stay. `threads`: of the rasteriser, 0 for all.
    ViewRenderer(const Subject& subject, int size, glm::vec3 light, int threads);

    /// `size`², straight alpha: the share of 4×4 points that the subject covers. What is not
    /// covered at all is (0, 0, 0, 0). Throws InputError, Cancelled.
    Image render(const Camera& camera, const std::stop_token& cancel = {});

  private:
    void shade(Image& image);
    glm::vec3 colourAt(std::uint32_t face, const glm::vec3& weights) const;
    glm::vec3 surfaceColour(std::uint32_t face, const glm::vec3& weights) const;
    float textureLevel(std::uint32_t face, const Texture& texture) const;

    const Subject& subject_;
    int size_;
    glm::vec3 light_;
    int threads_;
    glm::vec3 eye_{0.0F};
    std::vector<glm::vec4> corners_;
    RasterImage raster_;
};

}  // namespace threefold
