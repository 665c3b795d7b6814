#include "engine/model/template_mesh.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/model/architecture.h"

namespace threefold {
namespace {

struct Checker {
    const std::string& subject;

    [[noreturn]] void fail(const std::string& place, const std::string& problem) const {
        throw ModelError(
            {subject, place, problem, "Use a template in the published layout (METHOD.md §10)."});
    }
};

bool allFinite(const Points& points) {
    return std::ranges::all_of(points, [](const glm::vec3& p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    });
}

void checkMatrix(const SparseMatrix& matrix, std::size_t rows, const std::string& place,
                 const Checker& check) {
    if (matrix.rows() != rows)
        check.fail(place, fmt::format("has {} rows, expected {}", matrix.rows(), rows));
    if (matrix.rowStart.front() != 0 || matrix.rowStart.back() != matrix.column.size() ||
        matrix.column.size() != matrix.value.size() || !std::ranges::is_sorted(matrix.rowStart))
        check.fail(place, "row starts, columns and values contradict each other");
    for (std::uint32_t column : matrix.column)
        if (column >= rows) check.fail(place, fmt::format("names column {} of {}", column, rows));
    for (float value : matrix.value)
        if (!std::isfinite(value)) check.fail(place, "has a value that is not finite");
}

void checkLevel(const TemplateMesh& mesh, std::size_t index, const Checker& check) {
    const TemplateLevel& level = mesh.levels[index];
    const std::string place = fmt::format("level {}", index + 1);
    const std::size_t count = level.vertexCount;
    if (level.faces.empty()) check.fail(place, "has no faces");
    for (const glm::u32vec3& face : level.faces)
        if (face.x >= count || face.y >= count || face.z >= count)
            check.fail(place,
                       fmt::format("face ({}, {}, {}) names a vertex beyond the {} there are",
                                   face.x, face.y, face.z, count));
    for (const glm::u32vec2& edge : level.unpoolEdges)
        if (edge.x >= count || edge.y >= count)
            check.fail(place, fmt::format("edge ({}, {}) names a vertex beyond the {} there are",
                                          edge.x, edge.y, count));
    if (index + 1 == mesh.levels.size()) {
        if (!level.unpoolEdges.empty())
            check.fail(place, "has edges to unpool, though it is the last level");
    } else if (mesh.levels[index + 1].vertexCount != count + level.unpoolEdges.size()) {
        check.fail(place, fmt::format("{} vertices and {} edges to unpool do not make the {} "
                                      "vertices of the next level",
                                      count, level.unpoolEdges.size(),
                                      mesh.levels[index + 1].vertexCount));
    }
    checkMatrix(level.laplacian, count, place + ", Laplacian", check);
}

}  // namespace

void checkTemplate(const TemplateMesh& mesh, const std::string& subject) {
    const Checker check{subject};
    if (mesh.levels.size() != kGraphBlockLengths.size())
        check.fail("template", fmt::format("has {} levels, expected {}", mesh.levels.size(),
                                           kGraphBlockLengths.size()));
    if (mesh.coordinates.empty() || mesh.coordinates.size() != mesh.levels.front().vertexCount)
        check.fail("template",
                   fmt::format("has {} coordinates for the {} vertices of level 1",
                               mesh.coordinates.size(), mesh.levels.front().vertexCount));
    if (!allFinite(mesh.coordinates)) check.fail("template", "has a coordinate that is not finite");
    for (std::size_t i = 0; i < mesh.levels.size(); ++i) checkLevel(mesh, i, check);

    if (mesh.hypotheses.size() < 2)
        check.fail("hypotheses", fmt::format("{} found, expected the centre and points around it",
                                             mesh.hypotheses.size()));
    if (!allFinite(mesh.hypotheses)) check.fail("hypotheses", "an offset is not finite");
    if (mesh.hypotheses.front() != glm::vec3(0.0f))
        check.fail("hypotheses", fmt::format("the first of {} is not the centre (0, 0, 0)",
                                             mesh.hypotheses.size()));
    checkMatrix(mesh.hypothesisLaplacian, mesh.hypotheses.size(), "hypotheses, Laplacian", check);
}

}  // namespace threefold
