#include "app/configuration/setting.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/configuration/number_range.h"
#include "app/console/output.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/network/service/open_devices.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/render_options.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/text.h"
#include "engine/views/network_input.h"
#include "ui/results/look_words.h"

namespace threefold {
namespace {

using Words = std::vector<std::string>;

Words backendWords() {
    Words words = {"auto"};
    for (const BackendOpener& opener : backendOpeners()) words.emplace_back(opener.kind.name);
    return words;
}

Words writtenFormatWords() {
    Words words;
    for (const MeshFormat format : meshFormats(mesh_format_filters::writable))
        for (const std::string_view name : infoOf(format).extensions)
            if (!name.empty()) words.emplace_back(name);
    return words;
}

/// Text that can be the argument of a template.
template <std::size_t size>
struct Literal {
    char text[size];
    consteval Literal(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Literal... words>
Words enumWords() {
    return {words.text...};
}

template <const auto& kAll, auto nameOf>
Words enumNames() {
    Words words;
    for (const auto& each : kAll) words.emplace_back(nameOf(each));
    return words;
}

template <const auto& kWords>
Words wordList() {
    return {std::begin(kWords), std::end(kWords)};
}

/// Message of the UsageError that `parse` throws, without its full stop; empty if it throws none.
std::string parseProblem(const auto& parse) try {
    parse();
    return {};
} catch (const UsageError& error) {
    std::string problem = fmt::format("{}. {}", error.report().problem, error.report().remedy);
    if (problem.back() == '.') problem.pop_back();
    return problem;
}

std::string precisionProblem(const std::string& word) {
    const std::string problem = parseProblem([&] { precisionFromName(word); });
    return problem.empty() ? problem : fmt::format("{}: {}", word, problem);
}

std::string deviceProblem(const std::string& word) {
    if (word == kAllDevices || deviceNumbers(word)) return {};
    return fmt::format("{}: expected all, or GPU numbers separated by commas", word);
}

std::string fitProblem(const std::string& word) {
    return word == "off" ? "" : parseProblem([&] { fitRequestFromName(word); });
}

std::string tomlString(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    return literal + '"';
}

}  // namespace

namespace setting {
#define THREEFOLD_SETTING(name, ...) extern constexpr Setting name{__VA_ARGS__};
#include "app/configuration/settings.inl"
#undef THREEFOLD_SETTING
}  // namespace setting

std::span<const Setting* const> allSettings() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name
#define THREEFOLD_SETTING(name, ...) &setting::name,
    static constexpr const Setting* kAll[] = {
#include "app/configuration/settings.inl"
    };
#undef THREEFOLD_SETTING
    return kAll;
}

const Setting* findSetting(std::string_view key) {
    if (key.empty()) return nullptr;  // most settings have no earlier key
    const auto found = std::ranges::find_if(allSettings(), [&](const Setting* setting) {
        return setting->key == key || setting->earlierKey == key;
    });
    return found == allSettings().end() ? nullptr : *found;
}

std::string_view tableOf(const Setting& setting) {
    const std::string_view key = setting.key;
    return key.substr(0, key.find('.'));
}

std::string_view nameOf(const Setting& setting) {
    const std::string_view key = setting.key;
    return key.substr(key.find('.') + 1);
}

bool isText(const Setting& setting) {
    return setting.type == Setting::Type::word || setting.type == Setting::Type::path;
}

NumberRange numberRange(const Setting& setting) {
    return {setting.min, setting.max, setting.exclusiveMin, setting.type == Setting::Type::integer,
            ""};
}

std::string rangeText(const Setting& setting) {
    if (*setting.accepted != '\0') return setting.accepted;
    if (setting.type == Setting::Type::boolean) return "true or false";
    if (setting.type == Setting::Type::path)
        return "a file; relative to the folder of threefold.toml";
    if (setting.type == Setting::Type::word) {
        const Words words = setting.choices();
        const auto last = std::prev(words.end());
        return fmt::format("{} or {}", fmt::join(words.begin(), last, ", "), *last);
    }
    return rangeText(numberRange(setting));
}

std::string countText(const Setting& setting) {
    return setting.maxCount == std::numeric_limits<std::size_t>::max()
               ? fmt::format("{} or more, no two alike", setting.minCount)
               : fmt::format("{} to {}, no two alike", setting.minCount, setting.maxCount);
}

bool acceptsList(const Setting& setting, std::span<const std::string> values) {
    const std::set<std::string_view> different(values.begin(), values.end());
    return values.size() >= setting.minCount && values.size() <= setting.maxCount &&
           different.size() == values.size();
}

std::string typeText(const Setting& setting) {
    constexpr std::string_view kOne[] = {"true or false", "an integer", "a number", "a text",
                                         "a text"};
    constexpr std::string_view kSeveral[] = {"of true or false", "of integers", "of numbers",
                                             "of texts", "of texts"};
    const auto type = static_cast<std::size_t>(setting.type);
    return setting.list ? fmt::format("a list {}", kSeveral[type]) : std::string(kOne[type]);
}

std::string problemOf(const Setting& setting, const std::string& value) {
    if (setting.check != nullptr) return setting.check(value);
    if (setting.type == Setting::Type::integer || setting.type == Setting::Type::number)
        return problemOf(numberRange(setting), value);
    bool fits = setting.type == Setting::Type::boolean;  // CLI11 and TOML check booleans
    if (setting.type == Setting::Type::path) fits = !value.empty();
    if (setting.type == Setting::Type::word)
        fits = std::ranges::count(Words(setting.choices()), value) > 0;
    return fits ? "" : fmt::format("{}: expected {}", value, rangeText(setting));
}

std::vector<std::string> valuesOf(const Setting& setting, std::string_view text) {
    return setting.list ? split(text, ',') : std::vector{std::string(text)};
}

std::string tomlText(const Setting& setting, std::string_view text) {
    std::vector<std::string> values = valuesOf(setting, text);
    if (isText(setting))
        for (std::string& value : values) value = tomlString(value);
    return setting.list ? fmt::format("[{}]", fmt::join(values, ", ")) : values.front();
}

std::optional<std::vector<int>> deviceNumbers(std::string_view text) {
    constexpr int kMaxDevice = 1024;
    std::vector<int> numbers;
    for (const std::string& part : split(text, ',')) {
        const int number = parseNumber<int>(part).value_or(-1);
        if (number < 0 || number > kMaxDevice) return std::nullopt;
        if (std::ranges::find(numbers, number) != numbers.end()) return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace threefold
