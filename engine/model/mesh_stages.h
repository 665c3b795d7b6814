#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/run_step.h"

namespace threefold {

/// Names of the published meshes: the last mesh of stage 1 and the last mesh of stage 2 of the
/// method (METHOD.md §6, §7). Published tables have a column for each of these meshes.
inline constexpr std::array<std::string_view, 2> kPublishedStageNames{"coarse", "refined"};

/// A mesh that a model computes between its template and its result.
struct MeshStage {
    std::string name;        ///< "level1", "level2", "refined1"; or one of kPublishedStageNames
    std::size_t level = 0;   ///< level of the template, from 0, that has the mesh's faces
    RunStep step{};          ///< the step of the network that computes the mesh
    bool published = false;  ///< the name is in kPublishedStageNames

    bool operator==(const MeshStage&) const = default;
};

/// The meshes of a model with `levels` template levels and `hypothesisBlocks` blocks, in the order
/// of computation.
std::vector<MeshStage> meshStages(std::size_t levels, std::size_t hypothesisBlocks);

}  // namespace threefold
