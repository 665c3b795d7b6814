#pragma once

#include <filesystem>

namespace threefold {

/// The folder with models/ and samples/: $THREEFOLD_RESOURCES, else ../share/threefold beside the
/// running program. Throws IoError naming both places where neither is there.
std::filesystem::path resourceFolder();

std::filesystem::path defaultModelFile();      ///< resourceFolder()/models/default.safetensors
std::filesystem::path bundledSamplesFolder();  ///< resourceFolder()/samples

}  // namespace threefold
