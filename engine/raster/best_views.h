#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec4.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"

namespace threefold {

/// A photograph, and the mesh's vertices in its clip space.
struct ClipView {
    std::vector<glm::vec4> vertices;
    const Image* photograph = nullptr;
};

/// For each face the view that shows it largest, drawn 512 pixels wide, where nothing hides it and
/// the photograph is not transparent; none for other faces. A face too small for a pixel of its own
/// is seen where the faces around it are. Throws as rasterize(). Thread-safe.
std::vector<std::optional<std::size_t>> bestViews(const Faces& faces,
                                                  std::span<const ClipView> views);

}  // namespace threefold
