#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/model.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {

/// One stage's weights, named without the stage's prefix, as in weight files (METHOD.md §10).
inline ArrayMap stageWeights(const Model& model, const std::string& prefix) {
    ArrayMap weights;
    for (const auto& [name, array] : model.weights)
        if (name.starts_with(prefix)) weights[name.substr(prefix.size())] = array;
    return weights;
}

namespace pickle {

inline std::string matrix(const SparseMatrix& matrix) {
    std::vector<std::int64_t> indices;
    for (std::size_t row = 0; row < matrix.rows(); ++row)
        for (std::uint32_t i = matrix.rowOffsets[row]; i < matrix.rowOffsets[row + 1]; ++i)
            indices.insert(indices.end(), {static_cast<std::int64_t>(row), matrix.columns[i]});
    const std::vector<double> values(matrix.values.begin(), matrix.values.end());
    const std::string size = integer(static_cast<std::int32_t>(matrix.rows()));
    return tuple({array("i8", indices, {values.size(), 2}), array("f8", values, {values.size()}),
                  tuple({size, size})});
}

inline std::string dense(const SparseMatrix& matrix) {
    const std::size_t rows = matrix.rows();
    std::vector<double> values(rows * rows);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::uint32_t i = matrix.rowOffsets[row]; i < matrix.rowOffsets[row + 1]; ++i)
            values[row * rows + matrix.columns[i]] = static_cast<double>(matrix.values[i]);
    return array("f8", values, {rows, rows});
}

inline std::string points(const Points& points) {
    std::vector<double> values;
    for (const glm::vec3& p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return array("f8", values, {points.size(), 3});
}

template <int N>
std::string tuples(const std::vector<glm::vec<N, std::uint32_t>>& tuples) {
    std::vector<std::int32_t> values;
    for (const auto& tuple : tuples)
        for (int i = 0; i < N; ++i) values.push_back(static_cast<std::int32_t>(tuple[i]));
    return array("i4", values, {tuples.size(), static_cast<std::size_t>(N)});
}

/// Entries of a template's dict (METHOD.md §10), which a test may change before it writes them.
using Entries = std::vector<std::pair<std::string, std::string>>;

inline Entries templateEntries(const TemplateMesh& mesh) {
    Entries entries = {{"coord", points(mesh.vertices)}};
    std::vector<std::string> pools, faces;
    for (std::size_t i = 0; i < mesh.levels.size(); ++i) {
        const TemplateLevel& level = mesh.levels[i];
        entries.emplace_back("stage" + std::to_string(i + 1), list({"N", matrix(level.laplacian)}));
        faces.push_back(tuples<3>(level.faces));
        if (i + 1 < mesh.levels.size()) pools.push_back(tuples<2>(level.unpoolEdges));
    }
    entries.emplace_back("pool_idx", list(pools));
    entries.emplace_back("faces_triangle", list(faces));
    entries.emplace_back("sample_coord", points(mesh.hypothesisOffsets));
    entries.emplace_back("sample_cheb_dense", list({"N", dense(mesh.hypothesisLaplacian)}));
    return entries;
}

}  // namespace pickle
}  // namespace threefold::test
