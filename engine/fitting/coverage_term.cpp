#include "engine/fitting/vertex_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>

#include "engine/compute/parallel.h"
#include "engine/fitting/blur.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/bilinear.h"
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr float kCoverageWeight = 2;

/// A short segment of the mesh's silhouette.
struct SilhouetteSegment {
    glm::u32vec2 ends;  ///< vertices of the edge
    float fraction;     ///< position on the edge, 0 to 1, = weight of the second end
    glm::vec2 normal;   ///< in the image, unit length, away from the mesh
    float offset;       ///< estimated distance to the mask's outline along the normal, pixels
    float length;       ///< pixels
};

/// The mesh rendered into one photograph.
class Rendering {
  public:
    Rendering(const ViewOutline& view, const Points& vertices, const MeshLevels& levels,
              float sigma, int samples)
        : levels_(levels),
          linear_(view.toCameraMatrix()),
          grid_(view.coverageGrid()),
          samples_(static_cast<float>(samples)),
          rendered_(view.renderMask(vertices, levels.faces(), grid_.side() * samples)),
          difference_(grid_.difference(rendered_)) {
        inCamera_.reserve(vertices.size());
        positions_.reserve(vertices.size());
        for (const glm::vec3& vertex : vertices) {
            const glm::vec3 q = inCamera_.emplace_back(view.toCamera(vertex));
            positions_.push_back(kPrincipalPixel + kFocal / q.z * glm::vec2(-q.x, q.y));
        }
        // The gradient of the squared error between blurred images is the error blurred twice.
        const float sigmaOfTwoBlurs = sigma * std::sqrt(2.0F);
        gaussianBlur(difference_, grid_.side(), sigmaOfTwoBlurs / grid_.cellSize());
        // Blurred, a narrow strip of width d has the height d / (sigma √(2π)).
        constexpr float kRootOfTwoPi = 2.5066283F;
        pixelsPerDifference_ = std::max(sigmaOfTwoBlurs * kRootOfTwoPi, grid_.cellSize());
    }

    std::vector<SilhouetteSegment> silhouetteSegments() const {
        std::vector<std::uint8_t> isClockwise;
        isClockwise.reserve(levels_.faces().size());
        for (const glm::u32vec3& face : levels_.faces()) {
            const glm::vec2 first = positions_[face.y] - positions_[face.x];
            const glm::vec2 second = positions_[face.z] - positions_[face.x];
            isClockwise.push_back(first.x * second.y > first.y * second.x ? 1 : 0);
        }
        std::vector<SilhouetteSegment> segments;
        for (const InteriorEdge& edge : levels_.interiorEdges())
            if (isClockwise[edge.faces.x] != isClockwise[edge.faces.y])
                addSegments(edge.ends, segments);
        return segments;
    }

    /// Gradient of the vertex's image position along `direction` with respect to the vertex's
    /// coordinates.
    glm::vec3 gradient(std::uint32_t vertex, glm::vec2 direction) const {
        const glm::vec3 q = inCamera_[vertex];
        const glm::vec2 scaled = kFocal / q.z * glm::vec2(-direction.x, direction.y);
        // Derivative of the projection with respect to q. The product with linear_ rotates this
        // derivative into the vertices' space.
        const glm::vec3 byCameraPoint(scaled, -(scaled.x * q.x + scaled.y * q.y) / q.z);
        return byCameraPoint * linear_;
    }

  private:
    void addSegments(glm::u32vec2 ends, std::vector<SilhouetteSegment>& segments) const {
        const glm::vec2 from = positions_[ends.x];
        const glm::vec2 along = positions_[ends.y] - from;
        const float length = glm::length(along);
        // Skip edges without a direction and edges that reach far beyond the image.
        constexpr float kMinLength = 1e-4F;
        if (!(length > kMinLength) || length > static_cast<float>(kInputSide)) return;
        const glm::vec2 perpendicular(along.y / length, -along.x / length);
        const int count = std::max(1, static_cast<int>(std::ceil(length / grid_.cellSize())));
        for (int i = 0; i < count; ++i) {
            const float fraction = (static_cast<float>(i) + 0.5F) / static_cast<float>(count);
            const glm::vec2 cell = (from + fraction * along) / grid_.cellSize();
            const bool isCovered = covers(cell + perpendicular);
            if (isCovered == covers(cell - perpendicular)) continue;
            const glm::vec2 normal = isCovered ? -perpendicular : perpendicular;
            // Background outside of the image, or where the mask is unknown, does not count.
            const glm::vec2 outside = cell + normal;
            if (!sampleAt(outside) || !grid_.isKnown(outside)) continue;
            segments.push_back({ends, fraction, normal, pixelsPerDifference_ * differenceAt(cell),
                                length / static_cast<float>(count)});
        }
    }

    /// Index of the sample at a position in cells; nullopt outside of the image.
    std::optional<std::size_t> sampleAt(glm::vec2 cell) const {
        const glm::vec2 sample = samples_ * cell;
        const auto end = static_cast<float>(rendered_.width);
        if (!(sample.x >= 0 && sample.y >= 0 && sample.x < end && sample.y < end))
            return std::nullopt;
        return static_cast<std::size_t>(sample.y) * static_cast<std::size_t>(rendered_.width) +
               static_cast<std::size_t>(sample.x);
    }

    bool covers(glm::vec2 cell) const {
        const auto sample = sampleAt(cell);
        return sample && rendered_.inside[*sample] != 0;
    }

    /// Interpolates the difference bilinearly, at a position in cells.
    float differenceAt(glm::vec2 cell) const {
        return interpolated(difference_.data(), grid_.side(), bilinearCell(cell, grid_.side()))
            .value;
    }

    const MeshLevels& levels_;
    const glm::mat3& linear_;
    const CoverageGrid& grid_;
    float samples_;  ///< samples of `rendered_` on a side of a cell
    Mask rendered_;
    std::vector<float> difference_;  ///< mask − rendering, blurred
    /// Pixels of outline offset per unit of difference; exact for small offsets.
    float pixelsPerDifference_;
    Points inCamera_;
    std::vector<glm::vec2> positions_;  ///< pixels of the 224×224 projection
};

void evaluate(const ViewOutline& view, const Points& vertices, const MeshLevels& levels,
              float sigma, int samples, VertexEquations& equations) {
    equations.matrices.assign(vertices.size(), {});
    equations.rhs.assign(vertices.size(), glm::vec3(0));
    equations.energy = 0;
    const Rendering rendering(view, vertices, levels, sigma, samples);
    const std::vector<SilhouetteSegment> segments = rendering.silhouetteSegments();
    float total = 0;
    for (const SilhouetteSegment& segment : segments) total += segment.length;
    for (const SilhouetteSegment& segment : segments) {
        // The weight per vertex equals that of the other terms, however long the silhouette is.
        const float squared = segment.offset * segment.offset;
        const float weight = kCoverageWeight * robustWeight(squared) * segment.length / total *
                             static_cast<float>(vertices.size());
        equations.energy += weight * squared;
        const std::array<std::pair<std::uint32_t, float>, 2> ends = {
            {{segment.ends.x, 1 - segment.fraction}, {segment.ends.y, segment.fraction}}};
        for (const auto& [vertex, fraction] : ends) {
            // Assumes that both ends move alike. The matrix of each end is then the sum of the two
            // 3×3 blocks in the end's rows of the segment's 6×6 matrix.
            const glm::vec3 gradient = rendering.gradient(vertex, segment.normal);
            equations.matrices[vertex].addOuter(gradient, fraction * weight);
            equations.rhs[vertex] += fraction * weight * segment.offset * gradient;
        }
    }
}

}  // namespace

CoverageTerm::CoverageTerm(const MeshLevels& levels, std::vector<const ViewOutline*> views,
                           int threads, std::stop_token cancel)
    : levels_(levels),
      views_(std::move(views)),
      threads_(threads),
      cancel_(std::move(cancel)),
      equations_(views_.size()) {}

void CoverageTerm::addTo(const Points& vertices, const Points& /*normals*/, const FitScale& scale,
                         VertexEquations& sum) {
    parallelFor(threads_, views_.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
        const int samples = scale.hasFineCoverage ? views_[i]->coverageGrid().samplesPerSide() : 1;
        evaluate(*views_[i], vertices, levels_, scale.coverageBlurSigma, samples, equations_[i]);
    });
    // Sums in the order of the views, so that the number of threads does not change the result.
    for (const VertexEquations& equations : equations_) sum += equations;
}

}  // namespace threefold::fitting
