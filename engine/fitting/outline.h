#pragma once

#include <cstddef>
#include <cstdint>
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

/// A mask as drawings of a mesh are compared with it: in cells of about a pixel of the 224×224
/// projection, however fine the mask is, so that its resolution costs nothing in each step. A cell
/// is a pixel of a mask of up to 224 a side. Of a finer one it has 2×2 samples, which hold the mean
/// of the mask's pixels; drawings have the samples' resolution, so that neither is larger or
/// smaller than what it shows.
class CoverageGrid {
  public:
    /// `mask`: square.
    explicit CoverageGrid(const Mask& mask);

    int side() const { return side_; }        ///< cells
    int samples() const { return samples_; }  ///< on a side of a cell: 1 or 2
    float pixel() const { return pixel_; }    ///< side of a cell, pixels of the projection

    /// Of each sample, row by row: which part of it is the object's, 0…1.
    const std::vector<float>& shares() const { return share_; }
    /// Whether most of the sample at a place, in cells, is known. The place is in the image.
    bool knows(glm::vec2 place) const;

    /// Of each cell, row by row: the object's part of it less the drawing's, 0 where not known.
    /// `drawn`: a pixel for each sample, or for each cell.
    std::vector<float> less(const Mask& drawn) const;

  private:
    int side_;
    int samples_;
    float pixel_;
    std::vector<float> share_;
    std::vector<std::uint8_t> known_;  ///< of each sample; empty: all
    std::vector<float> cellShare_;     ///< means of the samples', not known ones 0; empty: `share_`
    std::vector<float> cellKnown_;     ///< the part of a cell's samples that is known; likewise
};

}  // namespace threefold::fitting
