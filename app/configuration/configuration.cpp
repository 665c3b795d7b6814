#include "app/configuration/configuration.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/configuration/toml_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "threefold.toml";

/// Empty where there is no such folder to speak of.
fs::path userFolder() {
    const auto absolute = [](const char* variable) -> fs::path {
        const char* const value = std::getenv(variable);
        return value != nullptr && value[0] == '/' ? fs::path(value) : fs::path();
    };
    if (const fs::path folder = absolute("XDG_CONFIG_HOME"); !folder.empty())
        return folder / "threefold";
    const fs::path home = absolute("HOME");
    return home.empty() ? home : home / ".config" / "threefold";
}

/// A link that leads nowhere counts: it was put there to be read.
bool isThere(const fs::path& file) {
    std::error_code error;
    return fs::exists(fs::symlink_status(file, error));
}

}  // namespace

std::string ConfiguredValue::origin() const {
    return fmt::format("{}, line {}", file.string(), line);
}

const ConfiguredValue* Configuration::find(const Knob& knob) const {
    const auto found = values_.find(&knob);
    return found == values_.end() ? nullptr : &found->second;
}

std::optional<std::string> Configuration::text(const Knob& knob) const {
    if (const ConfiguredValue* const value = find(knob)) return value->text;
    if (knob.standard == nullptr) return std::nullopt;
    return knob.standard;
}

std::vector<fs::path> configurationFiles(const fs::path& named) {
    if (!named.empty()) return {named};
    std::vector<fs::path> files;
    if (isThere(kFileName)) files.emplace_back(kFileName);
    const fs::path folder = userFolder();
    if (folder.empty() || !isThere(folder / kFileName)) return files;
    std::error_code error;
    const bool same = !files.empty() && fs::equivalent(files.front(), folder / kFileName, error);
    if (!same) files.push_back(folder / kFileName);
    return files;
}

Configuration readConfiguration(const std::vector<fs::path>& files) {
    Configuration configuration;
    configuration.files = files;
    for (const fs::path& file : files) {
        TomlFile read = readTomlFile(file);
        for (FileValue& value : read.values) {
            configuration.values_.try_emplace(
                value.knob, ConfiguredValue{std::move(value.text), file, value.line});
        }
        std::ranges::move(read.problems, std::back_inserter(configuration.problems));
    }
    return configuration;
}

}  // namespace threefold
