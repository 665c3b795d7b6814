#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/mesh.h"
#include "engine/texturing/mesh_visibility.h"

namespace threefold::texturing {

/// Result of chooseViews() for a face that no view shows.
inline constexpr std::uint32_t kNoView = UINT32_MAX;

/// Chooses a view for each face: the view that shows the face largest, or a nearly as good view
/// that neighbouring faces have. kNoView if no view shows the face.
std::vector<std::uint32_t> chooseViews(const Mesh& mesh, std::span<const MeshVisibility> views);

/// Texture atlas: positions of the faces in a square picture, in pixels from its upper left corner.
struct Atlas {
    std::vector<glm::vec2> cornerPositions;  ///< three corners for each face
};

/// Texels around each chart that belong to no other chart.
inline constexpr int kChartPadding = 5;

/// Packs the charts in a picture of `side` pixels, all at one scale, as large as fits. A chart is a
/// connected set of faces of one view, as its photograph shows them, or of faces without a view
/// that face the same side of a box. Faces of a chart overlap at most in strips about a
/// thousandth of an object unit wide. Throws InputError if the charts do not fit.
Atlas packCharts(const Mesh& mesh, std::span<const MeshVisibility> views,
                 std::span<const std::uint32_t> viewOfFace, int side);

}  // namespace threefold::texturing
