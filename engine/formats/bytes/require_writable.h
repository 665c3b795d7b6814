#pragma once

#include <filesystem>

namespace threefold {

/// So that a long work can fail before it begins: throws as writeFileWhole() would now, where the
/// folder is missing or not writable, or something else than a file has the name. Leaves nothing
/// behind.
void requireWritable(const std::filesystem::path& file);

}  // namespace threefold
