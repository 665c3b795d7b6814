#pragma once

#include <cstddef>
#include <vector>

#include "render/scene.h"

namespace threefold::ui {

/// Indices of the vertices that are local maxima of `values`, greatest value first, at most
/// `maxCount`. No edge joins a returned vertex to a vertex of greater value, and none of the other
/// returned vertices is within a hundredth of the mesh's diagonal. A NaN means that the vertex has
/// no value. Empty unless there are as many values as vertices.
std::vector<std::size_t> peaks(const render::SceneMesh& mesh, const std::vector<float>& values,
                               std::size_t maxCount);

}  // namespace threefold::ui
