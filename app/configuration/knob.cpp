#include "app/configuration/configuration.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/ranges.h>

#include "app/configuration/number_range.h"
#include "app/console/output.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/network/backend.h"
#include "engine/pipeline/fit_views.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/view_renderer.h"
#include "engine/text_parts.h"
#include "engine/views/network_input.h"
#include "ui/document/look_words.h"

namespace threefold {
namespace {

using Words = std::vector<std::string>;

Words backendWords() {
    Words words = {"auto"};
    for (const BackendKind* kind : kBackendKinds) words.emplace_back(kind->name);
    return words;
}

Words writtenFormatWords() {
    Words words;
    for (const MeshFormat format : meshFormats(mesh_formats::written))
        for (const std::string_view name : infoOf(format).extensions)
            if (!name.empty()) words.emplace_back(name);
    return words;
}

/// A text as a template's argument.
template <std::size_t size>
struct Literal {
    char text[size];
    consteval Literal(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Literal... words>
Words oneOf() {
    return {words.text...};
}

template <const auto& kAll, auto nameOf>
Words namesOf() {
    Words words;
    for (const auto& each : kAll) words.emplace_back(nameOf(each));
    return words;
}

template <const auto& kWords>
Words wordsOf() {
    return {std::begin(kWords), std::end(kWords)};
}

/// Why a reader refuses a word; empty: it does not. Whoever shows it adds the full stop.
std::string refusal(const auto& read) try {
    read();
    return {};
} catch (const UsageError& error) {
    std::string problem = fmt::format("{}. {}", error.report().problem, error.report().remedy);
    if (problem.back() == '.') problem.pop_back();
    return problem;
}

std::string precisionProblem(const std::string& word) {
    const std::string problem = refusal([&] { precisionFromName(word); });
    return problem.empty() ? problem : fmt::format("{}: {}", word, problem);
}

std::string deviceProblem(const std::string& word) {
    if (word == kAllDevices || deviceNumbers(word)) return {};
    return fmt::format("{}: no list of GPUs", word);
}

std::string fitProblem(const std::string& word) {
    return word == "off" ? "" : refusal([&] { fitViewsFromName(word); });
}

NumberRange rangeOf(const Knob& knob) {
    return {knob.least, knob.greatest, knob.aboveLeast, knob.type == Knob::Type::integer, ""};
}

std::string tomlString(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    return literal + '"';
}

/// The option of a command that was bound to the knob, or null.
CLI::Option* boundOption(CLI::App& command, const Knob& knob) {
    // The first long name of several: "--warmup".
    const std::string name = split(knob.option, ',').front();
    CLI::Option* const option = name.empty() ? nullptr : command.get_option_no_throw(name);
    if (option == nullptr) return nullptr;
    try {
        return option->get_validator(0)->get_name() == knob.key ? option : nullptr;
    } catch (const CLI::OptionNotFound&) {
        return nullptr;  // it checks nothing: another command's option of that name
    }
}

void setDefault(CLI::Option& option, const std::string& text) {
    option.run_callback_for_default()->default_val(text);
    // CLI11 would take it for the value of an option that is named without one.
    option.default_str("");
}

std::string help(const Knob& knob, const std::string& standard) {
    return fmt::format("{}; default: {}", knob.meaning, standard);
}

}  // namespace

namespace knob {
#define THREEFOLD_KNOB(name, ...) extern constexpr Knob name{__VA_ARGS__};
#include "app/configuration/knobs.inl"
#undef THREEFOLD_KNOB
}  // namespace knob

std::span<const Knob* const> allKnobs() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name
#define THREEFOLD_KNOB(name, ...) &knob::name,
    static constexpr const Knob* kKnobs[] = {
#include "app/configuration/knobs.inl"
    };
#undef THREEFOLD_KNOB
    return kKnobs;
}

const Knob* findKnob(std::string_view key) {
    const auto found =
        std::ranges::find_if(allKnobs(), [&](const Knob* knob) { return knob->key == key; });
    return found == allKnobs().end() ? nullptr : *found;
}

std::string_view tableOf(const Knob& knob) {
    const std::string_view key = knob.key;
    return key.substr(0, key.find('.'));
}

std::string_view nameOf(const Knob& knob) {
    const std::string_view key = knob.key;
    return key.substr(key.find('.') + 1);
}

bool isText(const Knob& knob) {
    return knob.type == Knob::Type::word || knob.type == Knob::Type::path;
}

std::string rangeText(const Knob& knob) {
    if (*knob.accepted != '\0') return knob.accepted;
    if (knob.type == Knob::Type::boolean) return "true or false";
    if (knob.type == Knob::Type::path) return "a file; relative to the folder of threefold.toml";
    if (knob.type == Knob::Type::word) {
        const Words words = knob.words();
        const auto last = std::prev(words.end());
        return fmt::format("{} or {}", fmt::join(words.begin(), last, ", "), *last);
    }
    return rangeText(rangeOf(knob));
}

std::string countText(const Knob& knob) {
    return knob.most == SIZE_MAX ? fmt::format("{} or more, no two alike", knob.fewest)
                                 : fmt::format("{} to {}, no two alike", knob.fewest, knob.most);
}

bool acceptsList(const Knob& knob, std::span<const std::string> values) {
    const std::set<std::string_view> different(values.begin(), values.end());
    return values.size() >= knob.fewest && values.size() <= knob.most &&
           different.size() == values.size();
}

std::string typeText(const Knob& knob) {
    constexpr std::string_view kOne[] = {"true or false", "an integer", "a number", "a text",
                                         "a text"};
    constexpr std::string_view kSeveral[] = {"of true or false", "of integers", "of numbers",
                                             "of texts", "of texts"};
    const auto type = static_cast<std::size_t>(knob.type);
    return knob.list ? fmt::format("a list {}", kSeveral[type]) : std::string(kOne[type]);
}

std::string problemOf(const Knob& knob, const std::string& value) {
    if (knob.problem != nullptr) return knob.problem(value);
    if (knob.type == Knob::Type::integer || knob.type == Knob::Type::number)
        return problemOf(rangeOf(knob), value);
    bool fits = knob.type == Knob::Type::boolean;  // CLI11 and TOML check it
    if (knob.type == Knob::Type::path) fits = !value.empty();
    if (knob.type == Knob::Type::word) fits = std::ranges::count(Words(knob.words()), value) > 0;
    return fits ? "" : fmt::format("{}: expected {}", value, rangeText(knob));
}

std::vector<std::string> valuesOf(const Knob& knob, std::string_view text) {
    return knob.list ? split(text, ',') : std::vector{std::string(text)};
}

std::string tomlText(const Knob& knob, std::string_view text) {
    std::vector<std::string> values = valuesOf(knob, text);
    if (isText(knob))
        for (std::string& value : values) value = tomlString(value);
    return knob.list ? fmt::format("[{}]", fmt::join(values, ", ")) : values.front();
}

std::optional<std::vector<int>> deviceNumbers(std::string_view text) {
    constexpr int kLargest = 1024;
    std::vector<int> numbers;
    for (const std::string& part : split(text, ',')) {
        const int number = numberFrom<int>(part).value_or(-1);
        if (number < 0 || number > kLargest) return std::nullopt;
        if (std::ranges::find(numbers, number) != numbers.end()) return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

CLI::Option* bindKnob(CLI::Option& option, const Knob& knob) {
    option.check(
        CLI::Validator([&knob](std::string& text) { return problemOf(knob, text); }, "", knob.key));
    const bool number = knob.type == Knob::Type::integer || knob.type == Knob::Type::number;
    if (number) option.check(isNumber(rangeOf(knob)));
    if (knob.standard != nullptr) setDefault(option, knob.standard);
    option.description(help(knob, knob.standard != nullptr ? knob.standard : knob.without));
    return &option;
}

CLI::Option* addKnob(CLI::App& command, const Knob& knob, bool& value) {
    return bindKnob(*command.add_flag(knob.option, value), knob);
}

CLI::Option* addKnobWord(CLI::App& command, const Knob& knob,
                         const std::function<void(const std::string&)>& take) {
    return bindKnob(
        *command.add_option_function<std::string>(knob.option, take)->option_text(knob.placeholder),
        knob);
}

bool usesKnobs(CLI::App& command) {
    return std::ranges::any_of(allKnobs(), [&](const Knob* knob) {
        return tableOf(*knob) != "log" && boundOption(command, *knob) != nullptr;
    });
}

void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands) {
    for (const Knob* knob : allKnobs()) {
        const ConfiguredValue* const value = configuration.find(*knob);
        if (value == nullptr) continue;
        std::vector<CLI::Option*> options;
        for (CLI::App* command : commands)
            if (CLI::Option* const option = boundOption(*command, *knob)) options.push_back(option);
        const bool given =
            std::ranges::any_of(options, [](const CLI::Option* o) { return o->count() > 0; });
        for (CLI::Option* option : options) {
            option->description(help(*knob, fmt::format("{} ({})", value->text, value->origin())));
            if (given) continue;
            try {
                setDefault(*option, value->text);
            } catch (const CLI::Error& error) {
                configuration.problems.push_back(
                    {value->file.string(), fmt::format("line {}, {}", value->line, knob->key),
                     error.what(), "`threefold config --template` explains every key."});
            }
        }
    }
}

}  // namespace threefold
