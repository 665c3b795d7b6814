#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stage.h"

namespace threefold {

/// The names of the published meshes: the last one of each of the method's two stages (METHOD.md
/// §6, §7), which are the columns of published tables.
inline constexpr std::array<std::string_view, 2> kPublishedMeshes{"coarse", "refined"};

/// A mesh that a model makes on the way from its template to its result.
struct MeshStage {
    std::string name;        ///< "level1", "level2", "refined1"; or one of kPublishedMeshes
    std::size_t level = 0;   ///< of the template, from 0: gives the faces
    Stage step{};            ///< the step of the network that ends in the mesh
    bool published = false;  ///< one of kPublishedMeshes

    bool operator==(const MeshStage&) const = default;
};

/// The meshes of a model with `levels` levels of the template and `hypothesisBlocks` blocks, in the
/// order in which each follows from the one before.
std::vector<MeshStage> meshStages(std::size_t levels, std::size_t hypothesisBlocks);

}  // namespace threefold
