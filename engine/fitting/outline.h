#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/views/foreground.h"

namespace threefold::fitting {

/// A place on the outline of an object in a photograph, in pixels of the 224×224 projection
/// (METHOD.md §2: column, row; 0…224 from edge to edge).
struct OutlinePoint {
    glm::vec2 place;
    glm::vec2 normal;  ///< unit length, away from the object
};

/// Signed distance and its slope at a place.
struct OutlineDistanceAt {
    float distance;  ///< to the outline in pixels, above 0 outside of the object
    glm::vec2 slope;
};

/// What one photograph says of an object's shape: the distance of every pixel to its outline, and
/// places on the outline. Where the object leaves what is known of the image there is none.
class Outline {
  public:
    /// Most pixels on a side.
    static constexpr int kMostSide = 1024;

    /// Up to `mostPoints` places, spread over the outline in the same way each time. Larger masks
    /// than kMostSide, and oblong ones, are sampled in a square. Holes and specks smaller than a
    /// 500th of the object are taken for errors of the mask. None where the mask is empty or fills
    /// the image, as far as it is known.
    static std::optional<Outline> of(const Mask& mask, std::size_t mostPoints);

    const std::vector<OutlinePoint>& points() const { return points_; }

    /// What the outline was taken from: square, without holes and specks.
    const Mask& mask() const { return mask_; }

    /// At the centres of the mask's pixels, row by row; below 0 where the mask is not known.
    const std::vector<float>& distances() const { return distance_; }

    /// Side of the mask's pixels in pixels of the 224×224 projection.
    float pixel() const { return pixel_; }

    /// Bilinear; beyond the image as on its border. Any finite place.
    OutlineDistanceAt at(glm::vec2 place) const;

  private:
    explicit Outline(Mask mask);
    void collectPoints(std::size_t most);

    Mask mask_;
    int size_;
    float pixel_;
    std::vector<float> distance_;
    std::vector<OutlinePoint> points_;
};

}  // namespace threefold::fitting
