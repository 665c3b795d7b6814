#pragma once

#include <CLI/CLI.hpp>

#include "engine/evaluation/report/write_reports.h"

namespace threefold {

/// Adds --embed.
void addEmbed(CLI::App& command, EmbeddedMeshes& embedded);

}  // namespace threefold
