#include "cuda/library/engine_choice.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::cuda::library {
namespace {

constexpr std::string_view kAsIs = "as-is";
constexpr std::string_view kWidened = "widened";

[[noreturn]] void refuse(std::string_view text) {
    throw FormatError({"plan", {}, fmt::format("'{}' names no engine", text), {}});
}

std::string_view nextWord(std::string_view& rest) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    return word;
}

std::optional<std::int64_t> number(std::string_view word) {
    std::int64_t value = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

}  // namespace

std::string toText(const EngineChoice& choice) {
    std::string text = fmt::format(
        "{} engine {} knobs", choice.form == FilterForm::asIs ? kAsIs : kWidened, choice.engine);
    for (const auto& [type, value] : choice.knobs) text += fmt::format(" {}={}", type, value);
    return text;
}

EngineChoice engineChoiceFrom(std::string_view text) {
    std::string_view rest = text;
    EngineChoice choice;
    const std::string_view form = nextWord(rest);
    if (form == kWidened) {
        choice.form = FilterForm::widened;
    } else if (form != kAsIs) {
        refuse(text);
    }
    if (nextWord(rest) != "engine") refuse(text);
    const std::optional<std::int64_t> engine = number(nextWord(rest));
    if (!engine || *engine < 0 || nextWord(rest) != "knobs") refuse(text);
    choice.engine = *engine;
    while (!rest.empty()) {
        const std::string_view knob = nextWord(rest);
        const std::size_t equals = knob.find('=');
        if (equals == std::string_view::npos) refuse(text);
        const std::optional<std::int64_t> type = number(knob.substr(0, equals));
        const std::optional<std::int64_t> value = number(knob.substr(equals + 1));
        if (!type || !value) refuse(text);
        choice.knobs.emplace_back(*type, *value);
    }
    if (toText(choice) != text) refuse(text);
    return choice;
}

}  // namespace threefold::cuda::library
