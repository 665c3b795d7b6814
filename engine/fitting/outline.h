#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/views/mask.h"

namespace threefold::fitting {

/// A point on the outline of an object in a photograph, in pixels of the 224×224 projection
/// (METHOD.md §2: column, row; 0…224 from edge to edge).
struct OutlinePoint {
    glm::vec2 position;
    glm::vec2 normal;  ///< unit length, away from the object
};

/// Signed distance to the outline, and its gradient.
struct OutlineSample {
    float distance;  ///< pixels of the 224×224 projection, above 0 outside of the object
    glm::vec2 gradient;
};

/// Outline of an object in one photograph: each pixel's distance to it, and points on it. The
/// border of the known part of the image is no outline.
class Outline {
  public:
    /// Maximum number of pixels on a side.
    static constexpr int kMaxSide = 1024;

    /// Extracts the outline with up to `maxPoints` points, spread evenly and deterministically.
    /// Masks that are larger than kMaxSide or not square are resampled to a square. Holes and
    /// specks smaller than a 500th of the object are treated as errors of the mask. nullopt if the
    /// mask is empty, full in its known part, or narrower or lower than two pixels.
    static std::optional<Outline> of(const Mask& mask, std::size_t maxPoints);

    const std::vector<OutlinePoint>& points() const { return points_; }

    /// The mask of the outline: square, without holes and specks.
    const Mask& mask() const { return mask_; }

    /// Distances at the centres of the mask's pixels, row by row, in pixels of the 224×224
    /// projection; above 0 outside of the object, below 0 where the mask is unknown.
    const std::vector<float>& distances() const { return distances_; }

    /// Side of the mask's pixels in pixels of the 224×224 projection.
    float pixelSize() const { return pixelSize_; }

    /// Interpolates the distances bilinearly; clamps positions beyond the image to its border.
    /// `position`: finite, in pixels of the 224×224 projection.
    OutlineSample sample(glm::vec2 position) const;

  private:
    explicit Outline(Mask mask);
    void collectPoints(std::size_t maxPoints);

    Mask mask_;
    int side_;
    float pixelSize_;
    std::vector<float> distances_;
    std::vector<OutlinePoint> points_;
};

/// A mask reduced to cells of about one pixel of the 224×224 projection. Renderings of a mesh are
/// compared with the mask by cells, which bounds a step's cost. A mask of up to 224 pixels a side
/// has one cell per pixel. A finer mask has 2×2 samples per cell, each the mean of its pixels. If a
/// rendering has one pixel per sample, neither mask nor rendering is systematically larger.
class CoverageGrid {
  public:
    /// `mask`: square.
    explicit CoverageGrid(const Mask& mask);

    int side() const { return side_; }                      ///< number of cells on a side
    int samplesPerSide() const { return samplesPerSide_; }  ///< samples along a cell's side, 1 or 2
    float cellSize() const { return cellSize_; }  ///< side of a cell, pixels of the projection

    /// Fraction of each sample that the object covers, 0…1, row by row.
    const std::vector<float>& coverage() const { return coverage_; }
    /// Whether most of the sample at `position` is known. `position`: in cells, within the image.
    bool isKnown(glm::vec2 position) const;

    /// Coverage of each cell by the object minus coverage by a rendering, row by row; 0 if unknown.
    /// `rendered`: one pixel for each sample, or for each cell.
    std::vector<float> difference(const Mask& rendered) const;

  private:
    int side_;
    int samplesPerSide_;
    float cellSize_;
    std::vector<float> coverage_;
    std::vector<std::uint8_t> known_;  ///< one for each sample; empty: all known
    /// Mean coverage of each cell's samples, unknown ones counting 0; empty: equal to
    /// `coverage_`.
    std::vector<float> cellCoverage_;
    /// Fraction of each cell's samples that is known; empty: equal to `known_`.
    std::vector<float> cellKnown_;
};

}  // namespace threefold::fitting
