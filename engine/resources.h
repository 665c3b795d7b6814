#pragma once

#include <filesystem>

namespace threefold {

/// The folder with models/ and samples/: $THREEFOLD_RESOURCES, else share/threefold beside the
/// module that this code is part of, else ../share/threefold beside the running program. Throws
/// IoError naming both ways out where none is there.
std::filesystem::path resourceFolder();

std::filesystem::path defaultModelFile();      ///< resourceFolder()/models/default.safetensors
std::filesystem::path bundledSamplesFolder();  ///< resourceFolder()/samples

/// The user's own folder of a kind: $`variable`/threefold, else $HOME/`below`/threefold; empty
/// where neither is an absolute path.
std::filesystem::path userFolder(const char* variable, const char* below);

}  // namespace threefold
