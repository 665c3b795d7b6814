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

/// A default that a configuration file may set. Its row in knobs.inl alone defines its name, range,
/// default and meaning: the file's check, `threefold config` and the help come from it.
struct Knob {
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

/// Declares each knob: `knob::threads`.
namespace knob {
#define THREEFOLD_KNOB(name, ...) extern const Knob name;
#include "app/configuration/knobs.inl"
#undef THREEFOLD_KNOB
}  // namespace knob

std::span<const Knob* const> allKnobs();     ///< those of a table stand together
const Knob* findKnob(std::string_view key);  ///< null where there is none

std::string_view tableOf(const Knob& knob);  ///< "network"
std::string_view nameOf(const Knob& knob);   ///< "threads", its name in the table
bool isText(const Knob& knob);               ///< in the file between quotes

/// "0 to 1024", "above 0", "auto, cpu or cuda"; of each value of a list.
std::string rangeText(const Knob& knob);
/// Of a list, how many values: "2 to 8, no two alike".
std::string countText(const Knob& knob);
/// "an integer", "a list of texts"
std::string typeText(const Knob& knob);

/// What is wrong with a value of the command line: "5000: expected 0 to 1024"; empty: nothing.
std::string problemOf(const Knob& knob, const std::string& value);

/// Whether a list has as many values as countText() says, no two alike.
bool acceptsList(const Knob& knob, std::span<const std::string> values);

/// The values of a text as on the command line: one, or those between a list's commas.
std::vector<std::string> valuesOf(const Knob& knob, std::string_view text);
/// As the file has it: `"auto"`, `[0, 6, 7]`.
std::string tomlText(const Knob& knob, std::string_view text);

/// A file's value for a knob, and its place.
struct ConfiguredValue {
    const Knob* knob = nullptr;
    std::string text;  ///< as on the command line, a list with commas
    std::filesystem::path file;
    std::size_t line = 0;  ///< from 1

    std::string origin() const;  ///< "threefold.toml, line 3"
};

/// The contents of the configuration files.
struct Configuration {
    /// Null if no file sets the knob.
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

/// Makes an option the knob's: its default, its range and its help come from there, and
/// applyConfiguration() finds it. Returns the option.
CLI::Option* bindKnob(CLI::Option& option, const Knob& knob);

/// The knob's option, with its value in `value`, which gets the default.
template <class Value>
CLI::Option* addKnob(CLI::App& command, const Knob& knob, Value& value) {
    return bindKnob(*command.add_option(knob.option, value)->option_text(knob.placeholder), knob);
}
/// Likewise a list, which has to be one that acceptsList().
template <class Value>
CLI::Option* addKnob(CLI::App& command, const Knob& knob, std::vector<Value>& values) {
    const auto take = [&values, &knob](const std::vector<Value>& given) {
        std::vector<std::string> texts;
        for (const Value& value : given) texts.push_back(fmt::format("{}", value));
        if (!acceptsList(knob, texts))
            throw CLI::ValidationError(fmt::format("{}: {}: expected {}", knob.option,
                                                   fmt::join(texts, ","), countText(knob)));
        values = given;
    };
    CLI::Option* const option = command.add_option_function<std::vector<Value>>(knob.option, take)
                                    ->option_text(knob.placeholder);
    option->delimiter(',')->allow_extra_args(false);
    return bindKnob(*option, knob);
}
/// Likewise a flag.
CLI::Option* addKnob(CLI::App& command, const Knob& knob, bool& value);
/// Likewise an option whose word is handed to `take`, with the default at once.
CLI::Option* addKnobWord(CLI::App& command, const Knob& knob,
                         const std::function<void(const std::string&)>& take);

/// Whether the command has the option of any knob but those of [log], which all have.
bool usesKnobs(CLI::App& command);

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
