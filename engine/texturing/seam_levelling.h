#pragma once

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

/// A mesh, and the views that its faces have their colours from.
struct SeamInput {
    const Mesh& mesh;
    std::span<const MeshVisibility> views;
    std::span<const ExposureCorrection> exposures;  ///< of `views`; empty: none
    std::span<const std::uint32_t> viewOfFace;      ///< of chooseViews()
};

/// Colour corrections that make views meet at seams: one for each view at each vertex of its faces,
/// interpolated linearly (Waechter et al. 2014, global adjustment).
class SeamLevelling {
  public:
    /// Correction to add, in units of 0…255. For a view without a face at the vertex, the mean of
    /// that view.
    glm::vec3 correction(std::uint32_t vertex, std::uint32_t view) const;
    /// Mean difference of the two views' colours along seams, 0…255.
    double meanSeamDifferenceBefore() const { return before_; }
    double meanSeamDifferenceAfter() const { return after_; }

  private:
    friend SeamLevelling measureSeams(const SeamInput& input);
    friend SeamLevelling levelSeams(const SeamInput& input, const std::stop_token& cancel);

    explicit SeamLevelling(const SeamInput& input);
    void solve(const std::stop_token& cancel);

    /// A point on an edge where two views meet, at `fraction` between its vertices.
    struct SeamPoint {
        std::uint32_t view[2];
        std::uint32_t vertex[2];
        float fraction;
        glm::vec3 difference;
    };
    /// A view at a vertex of its faces: an unknown of the least squares. The nodes of a vertex, one
    /// to four in most places, form a linked list, short enough for a search per texel.
    struct Node {
        std::uint32_t view;
        std::uint32_t next;  // node of the same vertex; kNoNode ends the list
    };
    static constexpr std::uint32_t kNoNode = UINT32_MAX;

    std::uint32_t nodeOf(std::uint32_t vertex, std::uint32_t view) const;
    void addNode(std::uint32_t vertex, std::uint32_t view);
    double meanDifference() const;

    std::vector<SeamPoint> seamPoints_;
    std::vector<std::uint32_t> firstNode_;  // of each vertex
    std::vector<Node> nodes_;
    /// Pairs of nodes of one view that an edge joins.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
    std::vector<glm::vec3> corrections_;  // correction of each node
    std::vector<glm::vec3> means_;        // mean correction of each view
    double before_ = 0;
    double after_ = 0;
};

/// Samples the seams of a mesh in its corrected colours. All corrections are 0, and the mean
/// difference after is that before.
SeamLevelling measureSeams(const SeamInput& input);

/// Samples the seams as measureSeams(), and solves for the corrections. Throws Cancelled.
SeamLevelling levelSeams(const SeamInput& input, const std::stop_token& cancel);

}  // namespace threefold::texturing
