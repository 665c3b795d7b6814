#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/texturing/texture_view.h"

namespace threefold::texturing {

/// Of each face the view whose photograph it takes: the one that shows it best, or nearly where the
/// faces around it then take the same. kNoView where none shows it.
inline constexpr std::uint32_t kNoView = UINT32_MAX;
std::vector<std::uint32_t> chooseViews(const Mesh& mesh, std::span<const SeenMesh> views);

/// Where each face lies in a square picture, in its pixels from the upper left corner.
struct Atlas {
    std::vector<glm::vec2> places;  ///< three for each face
    std::size_t charts = 0;
};

/// Texels around each chart that belong to no other.
inline constexpr int kPadding = 5;

/// Charts are connected faces of one view, laid out as its photograph shows them, or of none that
/// look to one side of a box, all at one scale,
/// as large as the picture allows. Faces do not overlap by more than a thousandth of an object
/// unit. Throws InputError: they do not fit.
Atlas layOut(const Mesh& mesh, std::span<const SeenMesh> views,
             std::span<const std::uint32_t> viewOfFace, int side);

}  // namespace threefold::texturing
