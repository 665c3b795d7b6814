#pragma once

#include <cfloat>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

struct NumberRange;

/// `--device` value for every usable GPU.
inline constexpr std::string_view kAllDevices = "all";

/// Parses "0,2" as {0, 2}: distinct CUDA device numbers up to 1024; nullopt for other texts.
std::optional<std::vector<int>> deviceNumbers(std::string_view text);

/// Setting of a configuration file. Its row in settings.inl alone defines name, range, default and
/// meaning, for the file's check, `threefold config` and the help.
struct Setting {
    /// Type of the value, or of each value of a list.
    enum class Type { boolean, integer, number, word, path };

    const char* key;               ///< in the file, table first: "network.threads"
    const char* earlierKey = "";   ///< earlier name in the same table, still read; empty: none
    const char* option = "";       ///< of the command line, in CLI11's form; empty: none
    const char* placeholder = "";  ///< of the option's value in the help: "N"
    Type type = Type::word;

    bool list = false;  ///< several values of the type
    std::size_t minCount = 1;
    std::size_t maxCount = std::numeric_limits<std::size_t>::max();  ///< maximum length of a list

    double min = 0;  ///< inclusive minimum of a number
    double max = DBL_MAX;
    bool exclusiveMin = false;  ///< `min` is excluded

    std::vector<std::string> (*choices)() = nullptr;  ///< allowed words
    /// Returns the problem of a word; empty if the word is valid. If set, this function alone
    /// decides, and `choices` only gives the words for messages.
    std::string (*check)(const std::string& word) = nullptr;
    const char* accepted = "";  ///< words that `check` accepts, for messages

    const char* defaultValue = nullptr;  ///< text of the default, with commas in a list; null: none
    const char* noValueText = "";        ///< behaviour without a value
    const char* example = "";            ///< a value for the template where there is no default
    const char* meaning = "";            ///< sentence for the help, without a full stop
};

/// Declares each setting: `setting::threads`.
namespace setting {
#define THREEFOLD_SETTING(name, ...) extern const Setting name;
#include "app/configuration/settings.inl"
#undef THREEFOLD_SETTING
}  // namespace setting

/// Returns all settings, grouped by table.
std::span<const Setting* const> allSettings();
/// Finds a setting by its key or earlier key; null if unknown.
const Setting* findSetting(std::string_view key);

/// Returns the table of a setting: "network" of "network.threads".
std::string_view tableOf(const Setting& setting);
/// Returns the name of a setting in its table: "threads" of "network.threads".
std::string_view nameOf(const Setting& setting);
/// Whether values of a setting are quoted in the file.
bool isText(const Setting& setting);

/// Accepted range of a setting of type integer or number.
NumberRange numberRange(const Setting& setting);
/// Accepted range of the value, or of each value of a list: "0 to 1024", "above 0", "auto, cpu or
/// cuda".
std::string rangeText(const Setting& setting);
/// Accepted length of a list: "2 to 8, no two alike".
std::string countText(const Setting& setting);
/// Type of a setting's value in the file, for messages: "an integer", "a list of texts".
std::string typeText(const Setting& setting);

/// Problem of a value on the command line or in the file: "5000: expected 0 to 1024"; empty if
/// valid.
std::string problemOf(const Setting& setting, const std::string& value);

/// Whether a list has as many values as countText() says, no two alike.
bool acceptsList(const Setting& setting, std::span<const std::string> values);

/// Splits a command-line text into values: a list at its commas; any other text is one value.
std::vector<std::string> valuesOf(const Setting& setting, std::string_view text);
/// Writes a command-line text as a value of the file: `"auto"`, `[0, 6, 7]`.
std::string tomlText(const Setting& setting, std::string_view text);

}  // namespace threefold
