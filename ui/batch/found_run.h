#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include <QString>

namespace threefold::ui {

/// An evaluation found in an output folder.
struct FoundRun {
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t total = 0;
    bool held = false;  ///< another process is writing there; nothing else is known
};

/// None where the folder has no journal or is missing. Reads files: not for the window's thread.
/// Throws FormatError (the file is no journal), IoError.
std::optional<FoundRun> findRun(const std::filesystem::path& folder);

/// A sentence or two for the dialog.
QString textOf(const FoundRun& run);

}  // namespace threefold::ui
