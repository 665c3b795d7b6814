#pragma once

#include <cstddef>
#include <vector>

#include "render/scene.h"

namespace threefold::ui {

/// Vertices that are local maxima of `values`, greatest first, at most `maxCount`. None has a
/// greater neighbour along an edge or a greater peak within a hundredth of the mesh's diagonal.
/// NaN: no value.
std::vector<std::size_t> peaks(const render::SceneMesh& mesh, const std::vector<float>& values,
                               std::size_t maxCount);

}  // namespace threefold::ui
