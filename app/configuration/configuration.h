#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/configuration/knob.h"
#include "engine/error.h"

namespace threefold {

/// A value that a file gives, and where.
struct ConfiguredValue {
    std::string text;  ///< as on the command line, a list with commas
    std::filesystem::path file;
    std::size_t line = 0;

    std::string origin() const;  ///< "threefold.toml, line 3"
};

/// What the configuration files say.
class Configuration {
  public:
    /// Null where no file gives the knob a value.
    const ConfiguredValue* find(const Knob& knob) const;
    /// The file's value, else the knob's default; none where it has none.
    std::optional<std::string> text(const Knob& knob) const;

    std::vector<std::filesystem::path> files;  ///< that were read, the one that wins first
    std::vector<ErrorReport> problems;         ///< of all files; their other values count

  private:
    friend Configuration readConfiguration(const std::vector<std::filesystem::path>& files);
    std::map<const Knob*, ConfiguredValue> values_;
};

/// The files that count, the one that wins first: `named` alone, which --config gave; else those
/// that are there of threefold.toml in the working folder and in the user's configuration folder
/// ($XDG_CONFIG_HOME/threefold, else $HOME/.config/threefold).
std::vector<std::filesystem::path> configurationFiles(const std::filesystem::path& named);

/// Reads them. Of a knob that several give, the first file's value counts.
Configuration readConfiguration(const std::vector<std::filesystem::path>& files);

}  // namespace threefold
