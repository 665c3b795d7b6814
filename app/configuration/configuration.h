#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/configuration/knob.h"
#include "engine/error.h"

namespace threefold {

/// A value that a file gives, and where.
struct ConfiguredValue {
    const Knob* knob = nullptr;
    std::string text;  ///< as on the command line, a list with commas
    std::filesystem::path file;
    std::size_t line = 0;  ///< from 1

    std::string origin() const;  ///< "threefold.toml, line 3"
};

/// What the configuration files say.
struct Configuration {
    /// Null where no file gives the knob a value.
    const ConfiguredValue* find(const Knob& knob) const;
    /// The file's value, else the knob's default; none where it has none.
    std::optional<std::string> text(const Knob& knob) const;

    std::vector<std::filesystem::path> files;  ///< that were read, the one that wins first
    std::vector<ConfiguredValue> values;       ///< one for each knob that has any
    std::vector<ErrorReport> problems;  ///< of all files, line by line; their other values count
};

/// The files that count, the one that wins first: `named` alone, which --config gave; else those
/// that are there of threefold.toml in the working folder and in the user's configuration folder
/// ($XDG_CONFIG_HOME/threefold, else $HOME/.config/threefold).
std::vector<std::filesystem::path> configurationFiles(const std::filesystem::path& named);

/// Reads them. Of a knob that several give, the first file's value counts. The check is complete:
/// types, ranges, unknown tables and keys (with the nearest right name); a file that is no TOML has
/// no values. Relative paths become paths in the file's folder. What cannot be read at all is a
/// problem as well; nothing is thrown but std::bad_alloc.
Configuration readConfiguration(const std::vector<std::filesystem::path>& files);

/// The name that a mistyped one most likely means: the one with the fewest characters to insert,
/// remove, replace or swap with their neighbour; the first of several. Empty where even that
/// differs in more than a third of the characters.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

}  // namespace threefold
