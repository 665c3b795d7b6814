#include "engine/model/template_mesh.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/model/architecture.h"

namespace threefold {
namespace {

[[noreturn]] void failTemplate(const std::string& subject, const std::string& place,
                               const std::string& problem) {
    throw ModelError(
        {subject, place, problem, "Use a template in the published layout (METHOD.md §10)."});
}

bool allFinite(const Points& points) {
    return std::ranges::all_of(points, isFinite);
}

void requireValidMatrix(const SparseMatrix& matrix, std::size_t rows, const std::string& location,
                        const std::string& subject) {
    if (matrix.rows() != rows)
        failTemplate(subject, location,
                     fmt::format("has {} rows, expected {}", matrix.rows(), rows));
    if (matrix.rowOffsets.front() != 0 || matrix.rowOffsets.back() != matrix.columns.size() ||
        matrix.columns.size() != matrix.values.size() || !std::ranges::is_sorted(matrix.rowOffsets))
        failTemplate(subject, location, "row starts, columns and values contradict each other");
    for (std::uint32_t column : matrix.columns)
        if (column >= rows)
            failTemplate(subject, location, fmt::format("names column {} of {}", column, rows));
    for (float value : matrix.values)
        if (!std::isfinite(value))
            failTemplate(subject, location, "has a value that is not finite");
}

void requireValidLevel(const TemplateMesh& mesh, std::size_t index, const std::string& subject) {
    const TemplateLevel& level = mesh.levels[index];
    const std::string location = fmt::format("level {}", index + 1);
    const std::size_t count = level.vertexCount;
    if (level.faces.empty()) failTemplate(subject, location, "has no faces");
    for (const glm::u32vec3& face : level.faces)
        if (face.x >= count || face.y >= count || face.z >= count)
            failTemplate(subject, location,
                         fmt::format("face ({}, {}, {}) names a vertex beyond the {} vertices",
                                     face.x, face.y, face.z, count));
    for (const glm::u32vec2& edge : level.unpoolEdges)
        if (edge.x >= count || edge.y >= count)
            failTemplate(subject, location,
                         fmt::format("edge ({}, {}) names a vertex beyond the {} vertices", edge.x,
                                     edge.y, count));
    if (index + 1 == mesh.levels.size()) {
        if (!level.unpoolEdges.empty())
            failTemplate(subject, location, "has edges to unpool, though it is the last level");
    } else if (mesh.levels[index + 1].vertexCount != count + level.unpoolEdges.size()) {
        failTemplate(
            subject, location,
            fmt::format("{} vertices and {} edges to unpool do not make the {} "
                        "vertices of the next level",
                        count, level.unpoolEdges.size(), mesh.levels[index + 1].vertexCount));
    }
    requireValidMatrix(level.laplacian, count, location + ", Laplacian", subject);
}

constexpr const char* kCoordinates = "template.coordinates";
constexpr const char* kHypotheses = "template.hypotheses";
constexpr const char* kHypothesisLaplacian = "template.hypothesis_laplacian";

std::string levelName(std::size_t index, const char* part) {
    return fmt::format("template.level{}.{}", index + 1, part);
}

Array fromPoints(const Points& points) {
    std::vector<float> values;
    values.reserve(3 * points.size());
    for (const glm::vec3& p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return makeArray(values, {points.size(), 3});
}

Array fromIndices(const std::vector<std::uint32_t>& indices) {
    return makeArray(std::vector<std::int32_t>(indices.begin(), indices.end()), {indices.size()});
}

template <int N>
Array fromTuples(const std::vector<glm::vec<N, std::uint32_t>>& tuples) {
    std::vector<std::int32_t> values;
    values.reserve(N * tuples.size());
    for (const auto& tuple : tuples)
        for (int i = 0; i < N; ++i) values.push_back(static_cast<std::int32_t>(tuple[i]));
    return makeArray(values, {tuples.size(), static_cast<std::size_t>(N)});
}

void putMatrix(ArrayMap& arrays, const std::string& name, const SparseMatrix& matrix) {
    arrays[name + ".row_start"] = fromIndices(matrix.rowOffsets);
    arrays[name + ".column"] = fromIndices(matrix.columns);
    arrays[name + ".value"] = makeArray(matrix.values, {matrix.values.size()});
}

/// Reads arrays by name, and records the names so that left-over arrays can be refused.
class Reader {
  public:
    Reader(const ArrayMap& arrays, const std::string& subject)
        : arrays_(arrays), subject_(subject) {}

    bool has(const std::string& name) const { return arrays_.contains(name); }

    Points points(const std::string& name) {
        const std::vector<float> values = floats(name, 3);
        Points points(values.size() / 3);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
        return points;
    }

    template <int N>
    std::vector<glm::vec<N, std::uint32_t>> tuples(const std::string& name) {
        const std::vector<std::uint32_t> values = indices(name, N);
        std::vector<glm::vec<N, std::uint32_t>> tuples(values.size() / N);
        for (std::size_t i = 0; i < values.size(); ++i)
            tuples[i / N][static_cast<int>(i % N)] = values[i];
        return tuples;
    }

    SparseMatrix matrix(const std::string& name) {
        return {indices(name + ".row_start", 0), indices(name + ".column", 0),
                floats(name + ".value", 0)};
    }

    void refuseLeftOver() const {
        for (const auto& [name, array] : arrays_)
            if (name.starts_with(kTemplatePrefix) && !readNames_.contains(name))
                fail(name, "is left over: this template has no such part");
    }

  private:
    [[noreturn]] void fail(const std::string& name, const std::string& problem) const {
        throw ModelError({subject_, fmt::format("array '{}'", name), problem,
                          "Make the file again with `threefold convert`."});
    }

    /// The array of that name, which must be [n] if `columns` is 0, else [n, columns].
    const Array& get(const std::string& name, DType type, std::size_t columns) {
        const auto it = arrays_.find(name);
        if (it == arrays_.end()) fail(name, "is missing");
        readNames_.insert(name);
        const Array& array = it->second;
        const std::vector<std::size_t>& shape = array.shape;
        const bool fits =
            columns == 0 ? shape.size() == 1 : shape.size() == 2 && shape.back() == columns;
        if (array.dtype != type || !fits)
            fail(name, fmt::format("is {} {}, expected {} {}", dtypeName(array.dtype),
                                   shapeText(shape), dtypeName(type),
                                   columns == 0 ? "[n]" : fmt::format("[n, {}]", columns)));
        return array;
    }

    std::vector<float> floats(const std::string& name, std::size_t columns) {
        return get(name, DType::f32, columns).toFloat();
    }

    std::vector<std::uint32_t> indices(const std::string& name, std::size_t columns) {
        const std::vector<std::int64_t> values = get(name, DType::i32, columns).toInt64();
        std::vector<std::uint32_t> indices;
        indices.reserve(values.size());
        for (std::int64_t value : values) {
            if (value < 0) fail(name, fmt::format("holds the index {}", value));
            indices.push_back(static_cast<std::uint32_t>(value));
        }
        return indices;
    }

    const ArrayMap& arrays_;
    const std::string& subject_;
    std::set<std::string> readNames_;
};

}  // namespace

void requireValidTemplate(const TemplateMesh& mesh, const std::string& subject) {
    if (mesh.levels.size() != kGraphBlockLayerCounts.size())
        failTemplate(subject, "template",
                     fmt::format("has {} levels, expected {}", mesh.levels.size(),
                                 kGraphBlockLayerCounts.size()));
    if (mesh.vertices.empty() || mesh.vertices.size() != mesh.levels.front().vertexCount)
        failTemplate(subject, "template",
                     fmt::format("has {} coordinates for the {} vertices of level 1",
                                 mesh.vertices.size(), mesh.levels.front().vertexCount));
    if (!allFinite(mesh.vertices))
        failTemplate(subject, "template", "has a coordinate that is not finite");
    for (std::size_t i = 0; i < mesh.levels.size(); ++i) requireValidLevel(mesh, i, subject);

    if (mesh.hypothesisOffsets.size() < 2)
        failTemplate(subject, "hypotheses",
                     fmt::format("{} found, expected the centre and points around it",
                                 mesh.hypothesisOffsets.size()));
    if (!allFinite(mesh.hypothesisOffsets))
        failTemplate(subject, "hypotheses", "an offset is not finite");
    if (mesh.hypothesisOffsets.front() != glm::vec3(0.0f))
        failTemplate(subject, "hypotheses",
                     fmt::format("the first of {} is not the centre (0, 0, 0)",
                                 mesh.hypothesisOffsets.size()));
    requireValidMatrix(mesh.hypothesisLaplacian, mesh.hypothesisOffsets.size(),
                       "hypotheses, Laplacian", subject);
}

ArrayMap templateToArrays(const TemplateMesh& mesh) {
    ArrayMap arrays;
    arrays[kCoordinates] = fromPoints(mesh.vertices);
    arrays[kHypotheses] = fromPoints(mesh.hypothesisOffsets);
    putMatrix(arrays, kHypothesisLaplacian, mesh.hypothesisLaplacian);
    for (std::size_t i = 0; i < mesh.levels.size(); ++i) {
        const TemplateLevel& level = mesh.levels[i];
        arrays[levelName(i, "faces")] = fromTuples<3>(level.faces);
        putMatrix(arrays, levelName(i, "laplacian"), level.laplacian);
        if (i + 1 < mesh.levels.size())
            arrays[levelName(i, "unpool_edges")] = fromTuples<2>(level.unpoolEdges);
    }
    return arrays;
}

TemplateMesh templateFromArrays(const ArrayMap& arrays, const std::string& subject) {
    Reader reader(arrays, subject);
    TemplateMesh mesh;
    mesh.vertices = reader.points(kCoordinates);
    mesh.hypothesisOffsets = reader.points(kHypotheses);
    mesh.hypothesisLaplacian = reader.matrix(kHypothesisLaplacian);
    for (std::size_t i = 0; reader.has(levelName(i, "faces")); ++i) {
        TemplateLevel level;
        level.faces = reader.tuples<3>(levelName(i, "faces"));
        level.laplacian = reader.matrix(levelName(i, "laplacian"));
        level.vertexCount = level.laplacian.rows();
        if (reader.has(levelName(i, "unpool_edges")))
            level.unpoolEdges = reader.tuples<2>(levelName(i, "unpool_edges"));
        mesh.levels.push_back(std::move(level));
    }
    reader.refuseLeftOver();
    requireValidTemplate(mesh, subject);
    return mesh;
}

}  // namespace threefold
