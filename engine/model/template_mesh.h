#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Sparse square matrix in compressed-row (CSR) format.
struct SparseMatrix {
    std::vector<std::uint32_t> rowStart;  ///< size rows + 1
    std::vector<std::uint32_t> column;
    std::vector<float> value;

    std::size_t rows() const { return rowStart.empty() ? 0 : rowStart.size() - 1; }
};

/// One level of the template: its faces, and its scaled Laplacian L (METHOD.md §6).
struct TemplateLevel {
    std::size_t vertexCount = 0;
    Faces faces;
    SparseMatrix laplacian;
    /// For the step to the next level: one midpoint for each of these edges, appended in order.
    /// Empty on the last level.
    std::vector<glm::u32vec2> unpoolEdges;
};

/// The mesh that the network deforms, and the graph of hypotheses around each vertex (METHOD.md §1,
/// §7). All counts come from the model file.
struct TemplateMesh {
    Points coordinates;                 ///< level 1, in view-0 space
    std::vector<TemplateLevel> levels;  ///< three in the published method
    Points hypotheses;  ///< offsets, the centre (0,0,0) first; 43 in the published one
    SparseMatrix hypothesisLaplacian;  ///< of hypotheses.size() rows
};

/// Throws ModelError where counts, indices or values contradict each other.
void checkTemplate(const TemplateMesh& mesh, const std::string& subject);

}  // namespace threefold
