#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/image.h"

namespace threefold {

/// An image over a surface, in as many sizes as it can be halved, so that far things do not
/// flicker. Repeats in both directions. Its alpha is not looked at.
class Texture {
  public:
    /// Not empty.
    explicit Texture(Image image);

    glm::vec2 size() const { return {levels_.front().width, levels_.front().height}; }

    /// Bilinear, sRGB-encoded 0…1; any coordinate will do. `level` 0 is the whole image, each
    /// further one half as wide.
    glm::vec3 at(glm::vec2 coordinate, float level) const;

  private:
    std::vector<Image> levels_;
};

}  // namespace threefold
