#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/configuration/knob.h"
#include "engine/error.h"

namespace threefold {

/// Of one key: its value as on the command line, a list with commas.
struct FileValue {
    const Knob* knob = nullptr;
    std::string text;
    std::size_t line = 0;  ///< from 1
};

/// A configuration file: the values that can be used, and what is wrong with the rest, both in the
/// order of the lines. A file that is no TOML has no values.
struct TomlFile {
    std::vector<FileValue> values;
    std::vector<ErrorReport> problems;
};

/// The file's check is complete: types, ranges, unknown tables and keys (with the nearest right
/// name). Relative paths become paths in the file's folder. What cannot be read at all is a problem
/// as well; nothing is thrown but std::bad_alloc.
TomlFile readTomlFile(const std::filesystem::path& file);

}  // namespace threefold
