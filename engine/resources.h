#pragma once

#include <filesystem>

namespace threefold {

/// Folder with models/ and samples/: $THREEFOLD_RESOURCES if set; else share/threefold in the
/// folder of this library or program; else ../share/threefold from the folder of the running
/// program. Throws IoError if that folder has no models/; the remedies are to set the variable, or
/// to reinstall.
std::filesystem::path resourceFolder();

std::filesystem::path defaultModelFile();      ///< resourceFolder()/models/default.safetensors
std::filesystem::path bundledSamplesFolder();  ///< resourceFolder()/samples

/// A per-user folder: $`variable`/threefold, else $HOME/`homeSubfolder`/threefold; empty if neither
/// is an absolute path.
std::filesystem::path xdgFolder(const char* variable, const char* homeSubfolder);

}  // namespace threefold
