#pragma once

#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Texture image with all its mip levels, so that distant surfaces do not flicker.
class Texture {
  public:
    /// `image` must not be empty.
    explicit Texture(Image image);

    /// Width and height of the image, texels.
    glm::vec2 size() const { return {levels_.front().width, levels_.front().height}; }
    /// Whether any pixel has an alpha below 255.
    bool hasAlpha() const { return hasAlpha_; }

    /// Samples bilinearly; returns sRGB-encoded colour and straight alpha, 0…1. Pixels are weighted
    /// by alpha, so that transparent ones add no colour. Any coordinate is valid; (0, 0) is the
    /// lower left corner. `level` 0 is the whole image; each further level is half as wide.
    glm::vec4 at(glm::vec2 coordinate, float level, Wrap wrapS = Wrap::repeat,
                 Wrap wrapT = Wrap::repeat) const;

  private:
    std::vector<Image> levels_;
    bool hasAlpha_ = false;
};

}  // namespace threefold
