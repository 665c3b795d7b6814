#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include <QString>

#include "engine/evaluation/describe_run.h"

namespace threefold::ui {

/// A run that an output folder holds, whoever began it.
struct FoundRun {
    RunChoices choices;
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t total = 0;
    bool held = false;  ///< another run is writing there now; nothing else is known
};

/// None where there is none, or the folder. Reads the journal: not for the window's thread. Throws
/// FormatError (what is there is no journal), IoError.
std::optional<FoundRun> findRun(const std::filesystem::path& folder);

/// What a person is told of it, a sentence or two.
QString textOf(const FoundRun& run);

}  // namespace threefold::ui
