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
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr float kCoverageWeight = 2;

/// A short piece of the mesh's silhouette.
struct Piece {
    glm::u32vec2 ends;  ///< of its edge
    float share;        ///< of the second end
    glm::vec2 normal;   ///< in the image, unit length, away from the mesh
    float offset;       ///< pixels along the normal to the mask's outline, about
    float length;       ///< pixels
};

/// One photograph and the mesh drawn into it.
class Drawing {
  public:
    Drawing(const OutlineTerms& view, const Points& vertices, const MeshLevels& levels,
            float deviation, int samples)
        : levels_(levels),
          rotation_(view.rotation()),
          grid_(view.grid()),
          samples_(static_cast<float>(samples)),
          drawn_(view.draw(vertices, levels.faces(), grid_.side() * samples)),
          difference_(grid_.less(drawn_)) {
        inView_.reserve(vertices.size());
        places_.reserve(vertices.size());
        for (const glm::vec3& vertex : vertices) {
            glm::vec3 q = rotation_ * vertex + view.offset();
            q.z = std::min(q.z, kNearestDepth);
            inView_.push_back(q);
            places_.push_back(kCentre + kFocal / q.z * glm::vec2(-q.x, q.y));
        }
        // The squared error of blurred images has the error blurred twice as its slope.
        const float twice = deviation * std::sqrt(2.0F);
        blur(difference_, grid_.side(), twice / grid_.pixel());
        // A narrow strip of width d is d / (deviation √(2π)) high after it.
        constexpr float kRootOfTwoPi = 2.5066283F;
        gain_ = std::max(twice * kRootOfTwoPi, grid_.pixel());
    }

    std::vector<Piece> silhouette() const {
        std::vector<std::uint8_t> turned;
        turned.reserve(levels_.faces().size());
        for (const glm::u32vec3& face : levels_.faces()) {
            const glm::vec2 one = places_[face.y] - places_[face.x];
            const glm::vec2 other = places_[face.z] - places_[face.x];
            turned.push_back(one.x * other.y > one.y * other.x ? 1 : 0);
        }
        std::vector<Piece> pieces;
        for (const InnerEdge& edge : levels_.innerEdges())
            if (turned[edge.faces.x] != turned[edge.faces.y]) addPieces(edge.ends, pieces);
        return pieces;
    }

    /// The derivative of a vertex's place along a direction of the image by its coordinates.
    glm::vec3 slope(std::uint32_t vertex, glm::vec2 direction) const {
        const glm::vec3 q = inView_[vertex];
        const glm::vec2 scaled = kFocal / q.z * glm::vec2(-direction.x, direction.y);
        // Of the projection by q, turned into the vertices' space.
        const glm::vec3 byView(scaled, -(scaled.x * q.x + scaled.y * q.y) / q.z);
        return byView * rotation_;
    }

  private:
    static constexpr auto kFocal = static_cast<float>(kFocalLength);
    static constexpr auto kCentre = static_cast<float>(kImageCentre);

    void addPieces(glm::u32vec2 ends, std::vector<Piece>& pieces) const {
        const glm::vec2 from = places_[ends.x];
        const glm::vec2 along = places_[ends.y] - from;
        const float length = glm::length(along);
        // Without a direction, or far beyond the image.
        constexpr float kShortest = 1e-4F;
        if (!(length > kShortest) || length > static_cast<float>(kImageSize)) return;
        const glm::vec2 side(along.y / length, -along.x / length);
        const int count = std::max(1, static_cast<int>(std::ceil(length / grid_.pixel())));
        for (int i = 0; i < count; ++i) {
            const float share = (static_cast<float>(i) + 0.5F) / static_cast<float>(count);
            const glm::vec2 at = (from + share * along) / grid_.pixel();
            const bool isCovered = covers(at + side);
            if (isCovered == covers(at - side)) continue;
            const glm::vec2 normal = isCovered ? -side : side;
            // Neither is what is beyond the image.
            const glm::vec2 next = at + normal;
            if (!sampleAt(next) || !grid_.knows(next)) continue;
            pieces.push_back({ends, share, normal, gain_ * differenceAt(at),
                              length / static_cast<float>(count)});
        }
    }

    /// Places here and below are in cells of the grid. None beyond the image.
    std::optional<std::size_t> sampleAt(glm::vec2 cell) const {
        const glm::vec2 at = samples_ * cell;
        const auto end = static_cast<float>(drawn_.width);
        if (!(at.x >= 0 && at.y >= 0 && at.x < end && at.y < end)) return std::nullopt;
        return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(drawn_.width) +
               static_cast<std::size_t>(at.x);
    }

    bool covers(glm::vec2 cell) const {
        const auto sample = sampleAt(cell);
        return sample && drawn_.inside[*sample] != 0;
    }

    /// Bilinear.
    float differenceAt(glm::vec2 at) const {
        const auto last = static_cast<float>(grid_.side() - 1);
        const glm::vec2 within = glm::clamp(at - 0.5F, glm::vec2(0), glm::vec2(last));
        const auto size = static_cast<std::size_t>(grid_.side());
        const auto x = std::min(static_cast<std::size_t>(within.x), size - 2);
        const auto y = std::min(static_cast<std::size_t>(within.y), size - 2);
        const glm::vec2 part = within - glm::vec2(x, y);
        const float* corner = difference_.data() + y * size + x;
        return glm::mix(glm::mix(corner[0], corner[1], part.x),
                        glm::mix(corner[size], corner[size + 1], part.x), part.y);
    }

    const MeshLevels& levels_;
    const glm::mat3& rotation_;
    const CoverageGrid& grid_;
    float samples_;  ///< of `drawn_` on a side of a cell
    Mask drawn_;
    std::vector<float> difference_;  ///< mask − drawn, blurred
    float gain_;  ///< pixels that an outline is off by, per difference there, where these are few
    Points inView_;
    std::vector<glm::vec2> places_;  ///< pixels of the 224×224 projection
};

void evaluate(const OutlineTerms& view, const Points& vertices, const MeshLevels& levels,
              float deviation, int samples, NormalEquations& equations) {
    equations.matrix.assign(vertices.size(), {});
    equations.vector.assign(vertices.size(), glm::vec3(0));
    equations.energy = 0;
    const Drawing drawing(view, vertices, levels, deviation, samples);
    const std::vector<Piece> pieces = drawing.silhouette();
    float total = 0;
    for (const Piece& piece : pieces) total += piece.length;
    for (const Piece& piece : pieces) {
        // As much for each vertex as the other terms, however long the silhouette is.
        const float squared = piece.offset * piece.offset;
        const float weight = kCoverageWeight * robustWeight(squared) * piece.length / total *
                             static_cast<float>(vertices.size());
        equations.energy += weight * squared;
        const std::array<std::pair<std::uint32_t, float>, 2> ends = {
            {{piece.ends.x, 1 - piece.share}, {piece.ends.y, piece.share}}};
        for (const auto& [vertex, share] : ends) {
            // The ends move together: each gets its row's sum.
            const glm::vec3 slope = drawing.slope(vertex, piece.normal);
            equations.matrix[vertex].addOuter(slope, share * weight);
            equations.vector[vertex] += share * weight * piece.offset * slope;
        }
    }
}

}  // namespace

CoverageTerm::CoverageTerm(const MeshLevels& levels, std::vector<const OutlineTerms*> views,
                           int threads, std::stop_token cancel)
    : levels_(levels),
      views_(std::move(views)),
      threads_(threads),
      cancel_(std::move(cancel)),
      equations_(views_.size()) {}

void CoverageTerm::add(const Points& vertices, const Points& /*normals*/, NormalEquations& sum) {
    parallelFor(threads_, views_.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
        const int samples = fine_ ? views_[i]->grid().samples() : 1;
        evaluate(*views_[i], vertices, levels_, deviation_, samples, equations_[i]);
    });
    // In the views' order, so that the threads' number changes nothing.
    for (const NormalEquations& each : equations_) sum += each;
}

}  // namespace threefold::fitting
