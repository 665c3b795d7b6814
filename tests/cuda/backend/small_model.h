#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/support/models.h"

namespace threefold::cuda::test {

inline SparseMatrix ringOf(std::uint32_t vertices) {
    SparseMatrix matrix{{0}, {}, {}};
    for (std::uint32_t row = 0; row < vertices; ++row) {
        for (const std::uint32_t step : {vertices - 1, 0U, 1U}) {
            matrix.columns.push_back((row + step) % vertices);
            matrix.values.push_back(step == 0 ? -0.1F : -0.4F);
        }
        matrix.rowOffsets.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
    }
    return matrix;
}

/// A model's weights on a template of four, six and nine vertices, which the emulator runs in
/// seconds.
inline std::shared_ptr<const Model> madeSmall(const Model& large) {
    auto model = std::make_shared<Model>(large);
    TemplateMesh& mesh = model->templateMesh;
    mesh.vertices = {mesh.vertices[0], mesh.vertices[40], mesh.vertices[80], mesh.vertices[120]};
    mesh.levels.clear();
    for (const std::uint32_t vertices : {4U, 6U, 9U}) {
        TemplateLevel level;
        level.vertexCount = vertices;
        level.faces = {{0, 1, 2}};
        level.laplacian = ringOf(vertices);
        mesh.levels.push_back(level);
    }
    mesh.levels[0].unpoolEdges = {{0, 1}, {2, 3}};
    mesh.levels[1].unpoolEdges = {{0, 4}, {5, 3}, {1, 2}};
    return model;
}

/// The test model's weights on the small template.
inline std::shared_ptr<const Model> smallModel() {
    static const std::shared_ptr<const Model> small = madeSmall(*threefold::test::testModel());
    return small;
}

inline NetworkInput someInput(const std::string& location, const std::vector<int>& views) {
    return loadViews(findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples" /
                                "ShapeNetRendering" / location),
                     views);
}

}  // namespace threefold::cuda::test
