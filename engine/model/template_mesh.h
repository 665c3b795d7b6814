#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/tensors/array.h"
#include "engine/mesh.h"

namespace threefold {

/// Sparse square matrix in compressed sparse row (CSR) format.
struct SparseMatrix {
    std::vector<std::uint32_t> rowOffsets;  ///< size rows + 1
    std::vector<std::uint32_t> columns;
    std::vector<float> values;

    std::size_t rows() const { return rowOffsets.empty() ? 0 : rowOffsets.size() - 1; }
};

/// A level of the template: faces and scaled Laplacian L (METHOD.md §6).
struct TemplateLevel {
    std::size_t vertexCount = 0;
    Faces faces;
    SparseMatrix laplacian;
    /// Edges whose midpoints are appended, in order, to make the next level. Empty on the last
    /// level.
    std::vector<glm::u32vec2> unpoolEdges;
};

/// The mesh that the network deforms, and the graph of hypotheses around each vertex (METHOD.md §1,
/// §7). The model file determines all counts.
struct TemplateMesh {
    Points vertices;                    ///< level 1, in the reference view's camera space
    std::vector<TemplateLevel> levels;  ///< three in the published method
    Points hypothesisOffsets;           ///< the centre (0,0,0) first; 43 in the published model
    SparseMatrix hypothesisLaplacian;   ///< hypothesisOffsets.size() rows
};

/// Checks a template. Throws ModelError if counts, indices or values are inconsistent.
void requireValidTemplate(const TemplateMesh& mesh, const std::string& subject);

/// Prefix of the template's arrays in a model file; weights begin with "stage1." or "stage2.".
inline constexpr std::string_view kTemplatePrefix = "template.";

/// Converts a template to arrays of a model file, int32 and float32: "template.coordinates" [V,3],
/// "template.hypotheses" [H,3], "template.level1.faces" [F,3], "template.level1.unpool_edges" [E,2]
/// (not on the last level), and for each Laplacian ("template.level1.laplacian",
/// "template.hypothesis_laplacian") ".row_start" [rows + 1], ".column" and ".value" [non-zeros].
ArrayMap templateToArrays(const TemplateMesh& mesh);

/// Converts arrays of a model file to a template and checks it (requireValidTemplate()). Ignores
/// arrays without the prefix "template.", but refuses left-over arrays with it. `subject` names the
/// file. Throws ModelError.
TemplateMesh templateFromArrays(const ArrayMap& arrays, const std::string& subject);

}  // namespace threefold
