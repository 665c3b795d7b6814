#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/configuration/setting.h"
#include "engine/error.h"

namespace threefold {

/// Value of a setting in a file, with its location.
struct ConfiguredValue {
    const Setting* setting = nullptr;
    std::string text;  ///< as if typed on the command line, with commas between list values
    std::filesystem::path file;
    std::size_t line = 0;  ///< from 1

    std::string origin() const;  ///< "threefold.toml, line 3"
};

/// Contents of the configuration files.
struct Configuration {
    /// Value of a setting in the files; null if no file sets it.
    const ConfiguredValue* find(const Setting& setting) const;
    /// The file's value, else the setting's default; nullopt if there is neither.
    std::optional<std::string> text(const Setting& setting) const;

    std::vector<std::filesystem::path> files;  ///< files read, highest precedence first
    std::vector<ConfiguredValue> values;       ///< one for each configured setting
    /// Problems of all files, by line; valid values still count.
    std::vector<ErrorReport> problems;
};

/// Configuration files, highest precedence first: `named` alone (from --config) if given, else
/// every existing threefold.toml in the working folder and in the user's configuration folder
/// ($XDG_CONFIG_HOME/threefold, else $HOME/.config/threefold).
std::vector<std::filesystem::path> configurationFiles(const std::filesystem::path& named);

/// Reads configuration files; the first file that has a setting wins. Checks types, ranges, unknown
/// tables and keys (suggesting the nearest name); an invalid TOML file yields no values. Relative
/// paths are resolved against the file's folder. An unreadable file is a problem, too; throws only
/// std::bad_alloc.
Configuration readConfiguration(const std::vector<std::filesystem::path>& files);

/// Effective values as a threefold.toml, each with its origin in a comment.
std::string configurationText(const Configuration& configuration);
/// Effective values as JSON, with range and meaning of each setting.
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// Template of a threefold.toml: every key, commented out, with meaning, range and default.
std::string configurationTemplate();

}  // namespace threefold
