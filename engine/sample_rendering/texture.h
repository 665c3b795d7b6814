#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/textured_mesh.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// An image over a surface with all its mip levels, so that distant surfaces do not flicker.
class Texture {
  public:
    /// `image` must not be empty.
    explicit Texture(Image image);

    glm::vec2 size() const { return {levels_.front().width, levels_.front().height}; }
    /// Whether any pixel has an alpha below 255.
    bool hasAlpha() const { return hasAlpha_; }

    /// Bilinear; sRGB-encoded colour and straight alpha, 0…1. Pixels are weighted by alpha, so that
    /// invisible ones add no colour. Any coordinate is valid; (0, 0) is the lower left corner.
    /// `level` 0 is the whole image, each further one half as wide.
    glm::vec4 at(glm::vec2 coordinate, float level, Wrap across = Wrap::repeat,
                 Wrap up = Wrap::repeat) const;

  private:
    std::vector<Image> levels_;
    bool hasAlpha_ = false;
};

}  // namespace threefold
