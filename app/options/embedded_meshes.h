#pragma once

#include <CLI/CLI.hpp>

#include "engine/evaluation/result_files.h"

namespace threefold {

/// Adds --embed.
void addEmbed(CLI::App& command, EmbeddedMeshes& embedded);

}  // namespace threefold
