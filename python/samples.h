#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/measures/scores.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/views/network_input.h"
#include "python/arrays.h"

namespace threefold::python {

/// Views of one object as the network sees them: threefold.Sample in Python.
struct PythonSample {
    std::string name;
    std::vector<int> views;
    NetworkInput input;
    GroundTruth truth;  ///< in the first view's camera space; without points if there is none
    std::vector<std::string> notes;
    std::shared_ptr<const Sample> source;  ///< null if made in memory
};

/// A mesh or points of a caller: vertices, and optional faces and normals.
using GivenMesh = std::tuple<InputRows<float>, std::optional<InputRows<std::uint32_t>>,
                             std::optional<InputRows<float>>>;

/// View of the caller's mesh as a ScoredShape; valid while the mesh lives.
inline ScoredShape scoredShapeOf(const GivenMesh& mesh) {
    const auto& [vertices, faces, normals] = mesh;
    ScoredShape shape{spanOf<glm::vec3>(vertices), {}, {}};
    if (faces) shape.faces = spanOf<glm::u32vec3>(*faces);
    if (normals) shape.normals = spanOf<glm::vec3>(*normals);
    return shape;
}

/// Copies the vertices and faces of the caller's mesh.
inline Mesh meshOf(const GivenMesh& mesh) {
    const ScoredShape shape = scoredShapeOf(mesh);
    return {{shape.vertices.begin(), shape.vertices.end()},
            {shape.faces.begin(), shape.faces.end()}};
}

}  // namespace threefold::python
