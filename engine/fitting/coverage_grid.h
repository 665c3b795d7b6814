#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/views/foreground.h"

namespace threefold::fitting {

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
