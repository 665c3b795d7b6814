#pragma once

#include <cfloat>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json_fwd.hpp>

#include "engine/error.h"

namespace threefold {

/// `--device` value for every usable GPU.
inline constexpr std::string_view kAllDevices = "all";

/// Parses "0,2" as {0, 2}: distinct CUDA device numbers up to 1024; nullopt for other texts.
std::optional<std::vector<int>> deviceNumbers(std::string_view text);

/// Setting of a configuration file. Its row in settings.inl alone defines name, range, default and
/// meaning, for the file's check, `threefold config` and the help.
struct Setting {
    enum class Type { boolean, integer, number, word, path };

    const char* key;               ///< in the file, table first: "network.threads"
    const char* option = "";       ///< of the command line, in CLI11's form; empty: none
    const char* placeholder = "";  ///< of the option's value in the help: "N"
    Type type = Type::word;

    bool list = false;  ///< several values of the type
    std::size_t minCount = 1;
    std::size_t maxCount = SIZE_MAX;  ///< maximum length of a list

    double min = 0;  ///< inclusive minimum of a number
    double max = DBL_MAX;
    bool aboveMin = false;  ///< `min` is excluded

    std::vector<std::string> (*words)() = nullptr;  ///< allowed words
    /// Checks a word if `words` is null: empty if valid, else the problem.
    std::string (*problem)(const std::string& word) = nullptr;
    const char* accepted = "";  ///< what `problem` accepts, in words

    const char* defaultValue = nullptr;  ///< the default, a list with commas; null: no value
    const char* without = "";            ///< behaviour without a value
    const char* example = "";            ///< a value for the template where there is no default
    const char* meaning = "";            ///< without a full stop
};

/// Declares each setting: `setting::threads`.
namespace setting {
#define THREEFOLD_SETTING(name, ...) extern const Setting name;
#include "app/configuration/settings.inl"
#undef THREEFOLD_SETTING
}  // namespace setting

std::span<const Setting* const> allSettings();     ///< grouped by table
const Setting* findSetting(std::string_view key);  ///< null if unknown

std::string_view tableOf(const Setting& setting);  ///< "network"
std::string_view nameOf(const Setting& setting);   ///< "threads", its name in the table
bool isText(const Setting& setting);               ///< quoted in the file

/// Accepted range: "0 to 1024", "above 0", "auto, cpu or cuda"; for each value of a list.
std::string rangeText(const Setting& setting);
/// Accepted length of a list: "2 to 8, no two alike".
std::string countText(const Setting& setting);
/// "an integer", "a list of texts"
std::string typeText(const Setting& setting);

/// Problem of a command-line value: "5000: expected 0 to 1024"; empty if valid.
std::string problemOf(const Setting& setting, const std::string& value);

/// Whether a list has as many values as countText() says, no two alike.
bool acceptsList(const Setting& setting, std::span<const std::string> values);

/// Splits a command-line text into values: one, or those between a list's commas.
std::vector<std::string> valuesOf(const Setting& setting, std::string_view text);
/// Text as in the file: `"auto"`, `[0, 6, 7]`.
std::string tomlText(const Setting& setting, std::string_view text);

/// Value of a setting in a file, with its location.
struct ConfiguredValue {
    const Setting* setting = nullptr;
    std::string text;  ///< as on the command line, a list with commas
    std::filesystem::path file;
    std::size_t line = 0;  ///< from 1

    std::string origin() const;  ///< "threefold.toml, line 3"
};

/// The contents of the configuration files.
struct Configuration {
    /// Null if no file sets the setting.
    const ConfiguredValue* find(const Setting& setting) const;
    /// The file's value, else the setting's default; nullopt if there is neither.
    std::optional<std::string> text(const Setting& setting) const;

    std::vector<std::filesystem::path> files;  ///< files read, highest precedence first
    std::vector<ConfiguredValue> values;       ///< one for each configured setting
    /// Problems of all files, by line; valid values still count.
    std::vector<ErrorReport> problems;
};

/// Configuration files, highest precedence first: `named` alone (from --config); else every
/// existing threefold.toml in the working folder and in the user's configuration folder
/// ($XDG_CONFIG_HOME/threefold, else $HOME/.config/threefold).
std::vector<std::filesystem::path> configurationFiles(const std::filesystem::path& named);

/// Reads configuration files; the first file that has a setting wins. Checks types, ranges, unknown
/// tables and keys (suggesting the nearest name); an invalid TOML file yields no values. Relative
/// paths are resolved against the file's folder. An unreadable file is a problem, too; throws only
/// std::bad_alloc.
Configuration readConfiguration(const std::vector<std::filesystem::path>& files);

/// Most likely intended name of a mistyped one: the smallest number of insertions, removals,
/// replacements and swaps of neighbours; the first of equals. Empty if more than a third of the
/// characters differ.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

/// Binds an option to a setting, which gives its default, range and help; applyConfiguration() then
/// finds it. Returns the option.
CLI::Option* bindSetting(CLI::Option& option, const Setting& setting);

/// Adds the setting's option; `value` receives its value and, at once, the default.
template <class Value>
CLI::Option* addSetting(CLI::App& command, const Setting& setting, Value& value) {
    return bindSetting(*command.add_option(setting.option, value)->option_text(setting.placeholder),
                       setting);
}
/// Adds a list option, whose value acceptsList() must accept.
template <class Value>
CLI::Option* addSetting(CLI::App& command, const Setting& setting, std::vector<Value>& values) {
    const auto take = [&values, &setting](const std::vector<Value>& given) {
        std::vector<std::string> texts;
        for (const Value& value : given) texts.push_back(fmt::format("{}", value));
        if (!acceptsList(setting, texts))
            throw CLI::ValidationError(fmt::format("{}: {}: expected {}", setting.option,
                                                   fmt::join(texts, ","), countText(setting)));
        values = given;
    };
    CLI::Option* const option =
        command.add_option_function<std::vector<Value>>(setting.option, take)
            ->option_text(setting.placeholder);
    option->delimiter(',')->allow_extra_args(false);
    return bindSetting(*option, setting);
}
/// Adds a flag.
CLI::Option* addSetting(CLI::App& command, const Setting& setting, bool& value);
/// Adds an option that passes its word to `take`, the default at once.
CLI::Option* addSettingWord(CLI::App& command, const Setting& setting,
                            const std::function<void(const std::string&)>& take);

/// Whether the command has an option bound to a setting outside [log], which all commands have.
bool usesSettings(CLI::App& command);

/// Applies the files' values to options that the command line left out. `commands`: the program and
/// the chosen commands, parsed; an option given to one counts for all. The help shows the new
/// defaults. Values that a command refuses become problems.
void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands);

/// Effective values as a threefold.toml, each with its origin in a comment.
std::string configurationText(const Configuration& configuration);
/// Effective values as JSON, with range and meaning of each setting.
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// Template of a threefold.toml: every key, commented out, with meaning, range and default.
std::string configurationTemplate();

}  // namespace threefold
