#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <glm/vec3.hpp>

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

/// A mesh or points of a caller: vertices, optional faces and normals, and the origin of float
/// vertices; no origin: the engine chooses one.
using GivenMesh =
    std::tuple<std::variant<InputRows<float>, InputRows<double>>,
               std::optional<InputRows<std::uint32_t>>, std::optional<InputRows<float>>,
               std::optional<std::tuple<double, double, double>>>;

/// A caller's mesh as floats relative to an origin, as a file's LoadedMesh is. Views the caller's
/// arrays, which must outlive the object; copies only vertices that change.
class RelativeMesh {
  public:
    explicit RelativeMesh(const GivenMesh& given);

    /// Offset of the vertices.
    const glm::dvec3& origin() const { return origin_; }
    /// Makes the vertices relative to another origin.
    void moveTo(const glm::dvec3& origin);
    /// Vertices, faces and normals; valid while the object is neither moved nor changed.
    ScoredShape shape() const;
    /// Copy of vertices and faces.
    Mesh copy() const;

  private:
    ScoredShape given_;
    Points changed_;  ///< vertices in place of the caller's; empty: these are unchanged
    glm::dvec3 origin_{0.0};
};

}  // namespace threefold::python
