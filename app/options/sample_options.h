#pragma once

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

#include "engine/sample/mesh_space.h"

namespace threefold {

/// Adds --texture [PIXELS].
void addTexture(CLI::App& command, int& side);
/// Adds --gt-space view|world|auto.
void addTruthSpace(CLI::App& command, TruthSpace& space);

/// "5 views: the model was trained with 3; expect a rougher mesh"; empty for 3 views or none.
std::string viewCountWarning(std::size_t views);

}  // namespace threefold
