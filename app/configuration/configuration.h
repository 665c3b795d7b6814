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

/// `--device` with this word takes every GPU that can be used.
inline constexpr std::string_view kAllDevices = "all";

/// "0,2" as {0, 2}: CUDA's numbers of GPUs, at most 1024, no two alike; empty for other texts.
std::optional<std::vector<int>> deviceNumbers(std::string_view text);

/// A default that a configuration file may set. Its row in settings.inl alone defines its name,
/// range, default and meaning: the file's check, `threefold config` and the help come from it.
struct Setting {
    enum class Type { boolean, integer, number, word, path };

    const char* key;               ///< in the file, table first: "network.threads"
    const char* option = "";       ///< of the command line, in CLI11's form; empty: none
    const char* placeholder = "";  ///< of the option's value in the help: "N"
    Type type = Type::word;

    bool list = false;  ///< several values of the type
    std::size_t fewest = 1;
    std::size_t most = SIZE_MAX;  ///< of a list

    double least = 0;  ///< of a number, included
    double greatest = DBL_MAX;
    bool aboveLeast = false;  ///< `least` is excluded

    std::vector<std::string> (*words)() = nullptr;  ///< all that a word may be
    /// Checks a word if there are no `words`: empty if valid, else the problem.
    std::string (*problem)(const std::string& word) = nullptr;
    const char* accepted = "";  ///< what `problem` accepts, in words

    const char* standard = nullptr;  ///< the default, a list with commas; null: no value
    const char* without = "";        ///< what holds where there is no value
    const char* example = "";        ///< a value for the template where there is no default
    const char* meaning = "";        ///< without a full stop
};

/// Declares each setting: `setting::threads`.
namespace setting {
#define THREEFOLD_SETTING(name, ...) extern const Setting name;
#include "app/configuration/settings.inl"
#undef THREEFOLD_SETTING
}  // namespace setting

std::span<const Setting* const> allSettings();     ///< those of a table stand together
const Setting* findSetting(std::string_view key);  ///< null where there is none

std::string_view tableOf(const Setting& setting);  ///< "network"
std::string_view nameOf(const Setting& setting);   ///< "threads", its name in the table
bool isText(const Setting& setting);               ///< in the file between quotes

/// "0 to 1024", "above 0", "auto, cpu or cuda"; of each value of a list.
std::string rangeText(const Setting& setting);
/// Of a list, how many values: "2 to 8, no two alike".
std::string countText(const Setting& setting);
/// "an integer", "a list of texts"
std::string typeText(const Setting& setting);

/// What is wrong with a value of the command line: "5000: expected 0 to 1024"; empty: nothing.
std::string problemOf(const Setting& setting, const std::string& value);

/// Whether a list has as many values as countText() says, no two alike.
bool acceptsList(const Setting& setting, std::span<const std::string> values);

/// The values of a text as on the command line: one, or those between a list's commas.
std::vector<std::string> valuesOf(const Setting& setting, std::string_view text);
/// As the file has it: `"auto"`, `[0, 6, 7]`.
std::string tomlText(const Setting& setting, std::string_view text);

/// A file's value for a setting, and its place.
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
    /// The file's value, else the setting's default; none where it has none.
    std::optional<std::string> text(const Setting& setting) const;

    std::vector<std::filesystem::path> files;  ///< that were read, the one that wins first
    std::vector<ConfiguredValue> values;       ///< one for each setting that has any
    std::vector<ErrorReport> problems;  ///< of all files, line by line; their other values count
};

/// The files that count, the one that wins first: `named` alone, which --config gave; else those
/// that are there of threefold.toml in the working folder and in the user's configuration folder
/// ($XDG_CONFIG_HOME/threefold, else $HOME/.config/threefold).
std::vector<std::filesystem::path> configurationFiles(const std::filesystem::path& named);

/// Reads them. Of a setting that several give, the first file's value counts. The check is
/// complete: types, ranges, unknown tables and keys (with the nearest right name); a file that is
/// no TOML has no values. Relative paths become paths in the file's folder. What cannot be read at
/// all is a problem as well; nothing is thrown but std::bad_alloc.
Configuration readConfiguration(const std::vector<std::filesystem::path>& files);

/// The name that a mistyped one most likely means: the one with the fewest characters to insert,
/// remove, replace or swap with their neighbour; the first of several. Empty where even that
/// differs in more than a third of the characters.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

/// Makes an option the setting's: its default, its range and its help come from there, and
/// applyConfiguration() finds it. Returns the option.
CLI::Option* bindSetting(CLI::Option& option, const Setting& setting);

/// The setting's option, with its value in `value`, which gets the default.
template <class Value>
CLI::Option* addSetting(CLI::App& command, const Setting& setting, Value& value) {
    return bindSetting(*command.add_option(setting.option, value)->option_text(setting.placeholder),
                       setting);
}
/// Likewise a list, which has to be one that acceptsList().
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
/// Likewise a flag.
CLI::Option* addSetting(CLI::App& command, const Setting& setting, bool& value);
/// Likewise an option whose word is handed to `take`, with the default at once.
CLI::Option* addSettingWord(CLI::App& command, const Setting& setting,
                            const std::function<void(const std::string&)>& take);

/// Whether the command has the option of any setting but those of [log], which all have.
bool usesSettings(CLI::App& command);

/// Gives the values of the files to options that the command line left out. `commands` are the
/// program and its commands that were chosen, parsed; an option given to one counts for all. The
/// help shows the new defaults. Values that a command refuses become problems.
void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands);

/// The effective values as a threefold.toml, each with where it comes from in a comment.
std::string configurationText(const Configuration& configuration);
/// The same as a document, with range and meaning of each.
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// A threefold.toml to begin with: every key with its meaning, range and default, behind a "#".
std::string configurationTemplate();

}  // namespace threefold
