#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/texturing/exposure.h"
#include "engine/texturing/mesh_visibility.h"

namespace threefold::texturing {

/// A mesh, and the views that colour its faces.
struct SeamInput {
    const Mesh& mesh;
    std::span<const MeshVisibility> views;
    std::span<const ExposureCorrection> exposures;  ///< corrections of `views`; empty: none
    std::span<const std::uint32_t> viewOfFace;      ///< result of chooseViews()
};

/// The pairs (vertex, view) where a face of the vertex has its colour from the view, numbered in
/// the order of add().
class VertexViews {
  public:
    static constexpr std::uint32_t kNoPair = UINT32_MAX;

    explicit VertexViews(std::size_t vertexCount) : firstPair_(vertexCount, kNoPair) {}

    /// Adds a pair, unless it was added before.
    void add(std::uint32_t vertex, std::uint32_t view);
    /// Number of the pair, or kNoPair.
    std::uint32_t find(std::uint32_t vertex, std::uint32_t view) const;
    std::size_t size() const { return pairs_.size(); }

    /// Calls visit(pair, view) for each pair, vertex by vertex.
    template <class Visit>
    void forEach(const Visit& visit) const {
        for (std::uint32_t pair : firstPair_)
            for (; pair != kNoPair; pair = pairs_[pair].next) visit(pair, pairs_[pair].view);
    }

  private:
    /// The pairs of a vertex, one to four in most places, form a linked list, short enough for a
    /// search per texel.
    struct Pair {
        std::uint32_t view;
        std::uint32_t next;  ///< pair of the same vertex; kNoPair ends the list
    };

    std::vector<std::uint32_t> firstPair_;  ///< first pair of each vertex
    std::vector<Pair> pairs_;
};

/// A point on an edge where two views meet, at `fraction` of the way from the edge's first vertex.
struct SeamPoint {
    std::uint32_t view[2];
    std::uint32_t vertex[2];
    float fraction;
    glm::vec3 difference;  ///< corrected colour in the first view minus that in the second, 0…255
};

/// The seams of a mesh: the edges at which the views of its faces meet.
struct Seams {
    std::size_t viewCount = 0;
    std::vector<SeamPoint> points;  ///< only points that both views show
    VertexViews vertexViews;
    /// For each edge of a face with a view: the pairs of its two vertices and this view, as indices
    /// in `vertexViews`.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

/// Colour corrections that make views meet at seams: one for each vertex of a face and the view
/// that colours the face, interpolated linearly (Waechter et al. 2014, global adjustment).
class SeamCorrections {
  public:
    /// `values`: correction of each pair of `vertexViews`, whose views are less than `viewCount`.
    SeamCorrections(VertexViews vertexViews, std::vector<glm::vec3> values, std::size_t viewCount);

    /// Correction to add, in units of 0…255. For a view without a face at the vertex, the mean
    /// correction of that view.
    glm::vec3 at(std::uint32_t vertex, std::uint32_t view) const;

  private:
    VertexViews vertexViews_;
    std::vector<glm::vec3> values_;
    std::vector<glm::vec3> means_;  ///< mean correction of each view
};

/// Samples the views' corrected colours along the seams of a mesh.
Seams findSeams(const SeamInput& input);

/// Solves for the corrections that make the views meet; all 0 without points. Throws Cancelled.
SeamCorrections levelled(const Seams& seams, const std::stop_token& cancel);

/// Mean difference of the two views' colours along seams, 0…255; 0 without points.
double meanDifference(const Seams& seams);
/// meanDifference() after the corrections.
double meanDifference(const Seams& seams, const SeamCorrections& corrections);

}  // namespace threefold::texturing
