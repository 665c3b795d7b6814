#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/sample/camera.h"

namespace threefold::ui {

/// A straight line in a 224×224 image, in pixels (METHOD.md §2): x to the right, y down.
struct ImageLine {
    glm::dvec2 from{0.0};
    glm::dvec2 to{0.0};
};

/// Where a mesh covers the image, on a grid finer than the image's own.
class Coverage {
  public:
    static constexpr int kSide = 2 * kImageSize;  ///< cells along a side

    bool at(int column, int row) const {
        return cells_[static_cast<std::size_t>(row) * kSide + static_cast<std::size_t>(column)] !=
               0;
    }
    /// Covers the cells whose centres lie in the triangle; corners in pixels of the image.
    void add(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c);
    /// A covered cell with an uncovered one or the image's border beside it, or an uncovered one.
    bool atBorder(glm::dvec2 pixel) const;

  private:
    std::vector<std::uint8_t> cells_ =
        std::vector<std::uint8_t>(static_cast<std::size_t>(kSide) * kSide, 0);
};

/// How a mesh lies in a view: projectToPixel of all its vertices, and what follows from it. Pure
/// functions of their arguments, for any thread.
struct Projection {
    std::vector<glm::dvec2> pixels;  ///< one for each vertex, not clamped
    std::vector<bool> inFront;       ///< false: behind the camera, its pixel means nothing
};

/// `world`: vertices in ShapeNet's world space.
Projection project(const Points& world, const Camera& camera);

/// Faces with a vertex behind the camera are left out, here and below.
Coverage coverageOf(const Projection& projection, const Faces& faces);

/// The silhouette: edges between a front-facing and a back-facing face and edges of a single face,
/// as far as they lie at the border of what the mesh covers. Folds in front of the mesh itself are
/// not part of it.
std::vector<ImageLine> silhouette(const Projection& projection, const Faces& faces,
                                  const Coverage& coverage);

/// Every edge once.
std::vector<ImageLine> wireframe(const Projection& projection, const Faces& faces);

/// What stands for the object before there is a mesh: an ellipsoid at its place, as large as most
/// (METHOD.md §2: unit-box diagonal scaled by 0.57), in ShapeNet's world space.
Mesh placeholderMesh();

}  // namespace threefold::ui
