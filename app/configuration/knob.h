#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// `--device` with this word takes every GPU that can be used.
inline constexpr std::string_view kAllDevices = "all";

/// "0,2" as {0, 2}: CUDA's numbers of GPUs, at most 1024. Empty where the text is no such list, or
/// names a GPU twice.
std::optional<std::vector<int>> deviceNumbers(std::string_view text);

/// A default that a configuration file may set. Its row in knobs.inl is the only place that says
/// its name, range, default and meaning: the file's check, `threefold config` and the help of the
/// command line come from it.
struct Knob {
    enum class Type { boolean, integer, number, word, path };

    const char* key;               ///< in the file, table first: "network.threads"
    const char* option = "";       ///< of the command line, as CLI11 wants it; empty: none
    const char* placeholder = "";  ///< of the option's value in the help: "N"
    Type type = Type::word;

    bool list = false;  ///< several values of the type
    std::size_t fewest = 1;
    std::size_t most = SIZE_MAX;  ///< of a list

    double least = 0;  ///< of a number, included
    double greatest = DBL_MAX;
    bool aboveLeast = false;  ///< `least` is excluded

    std::vector<std::string> (*words)() = nullptr;  ///< all that a word may be
    /// Whether a word can be used, where `words` cannot tell: empty, or what is wrong with it.
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

/// "0 to 1024", "above 0", "auto, cpu or cuda"; of each value of a list.
std::string rangeText(const Knob& knob);
/// Of a list, how many values: "2 to 8, no two alike".
std::string countText(const Knob& knob);
/// "an integer", "a list of texts"
std::string typeText(const Knob& knob);

/// What is wrong with one value, given as on the command line: "5000: expected 0 to 1024". Empty
/// where nothing is.
std::string problemOf(const Knob& knob, const std::string& value);

/// The values of a text as on the command line: one, or those between a list's commas.
std::vector<std::string> valuesOf(const Knob& knob, std::string_view text);
/// As the file has it: `"auto"`, `[0, 6, 7]`.
std::string tomlText(const Knob& knob, std::string_view text);

}  // namespace threefold
