#include "engine/formats/text/json_object.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/text/repeated_keys.h"
#include "engine/text.h"

namespace threefold {
namespace {

using nlohmann::json;

/// Appends a list of `min` to `max` finite numbers to `values`. False if `list` is anything else.
bool appendNumbers(const json& list, std::size_t min, std::size_t max,
                   std::vector<double>& values) {
    if (!list.is_array() || list.size() < min || list.size() > max) return false;
    for (const json& value : list) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) return false;
        values.push_back(value.get<double>());
    }
    return true;
}

/// The number, or the number written as text; NaN for anything else.
double lenientValue(const json& value) {
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nan("");
    return parseNumber<double>(value.get_ref<const std::string&>()).value_or(std::nan(""));
}

/// The word of letters around a position.
std::string_view wordAround(std::string_view text, std::size_t position) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::size_t first = position;
    while (first > 0 && isLetter(text[first - 1])) --first;
    std::size_t last = position;
    while (last < text.size() && isLetter(text[last])) ++last;
    return text.substr(first, last - first);
}

/// Decides about each event of a parser: limits depth and number of values, refuses an object
/// that has a key twice, and leaves out the values of some keys.
class ParseLimits {
  public:
    /// `countsValues`: whether more than kMaxValues are refused. `refuse(problem)` throws.
    ParseLimits(std::span<const std::string_view> skippedKeys, bool countsValues,
                std::function<void(const std::string&)> refuse)
        : skippedKeys_(skippedKeys), countsValues_(countsValues), refuse_(std::move(refuse)) {}

    /// Whether the value, or the key's value, is kept.
    bool keeps(int depth, json::parse_event_t event, const json& parsed) {
        if (depth > kMaxDepth) refuse_(fmt::format("is nested more than {} deep", kMaxDepth));
        if (isSkipping(depth, event)) return true;
        if (event == json::parse_event_t::key && !skippedKeys_.empty() &&
            std::ranges::find(skippedKeys_, parsed.get_ref<const std::string&>()) !=
                skippedKeys_.end()) {
            skippedDepth_ = depth;
            return false;
        }
        if (const auto key = keys_.onEvent(depth, event, parsed)) refuse_(repeatedKeyText(*key));
        if (++values_ > kMaxValues && countsValues_)
            refuse_(fmt::format("holds more than {} values", kMaxValues));
        return true;
    }

  private:
    static constexpr int kMaxDepth = 8;
    static constexpr std::size_t kMaxValues = kMaxJsonBytes / 3;

    /// Whether the event belongs to the value of a skipped key; the parser keeps no part of such a
    /// value.
    bool isSkipping(int depth, json::parse_event_t event) {
        if (skippedDepth_ < 0) return false;
        const bool hasEnded =
            event == json::parse_event_t::key
                ? depth <= skippedDepth_
                : event == json::parse_event_t::object_end && depth < skippedDepth_;
        if (hasEnded) skippedDepth_ = -1;
        return !hasEnded;
    }

    std::span<const std::string_view> skippedKeys_;
    bool countsValues_;
    std::function<void(const std::string&)> refuse_;
    std::size_t values_ = 0;
    RepeatedKeyFinder keys_;
    int skippedDepth_ = -1;  ///< of the skipped key whose value is being read; -1: none
};

/// Error about text that is not JSON from byte `position` on.
FormatError parseError(std::string_view text, std::size_t position, const std::string& subject,
                       const char* remedy) {
    const std::string_view before = text.substr(0, position);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = position - (before.rfind('\n') + 1) + 1;
    const std::string_view word = wordAround(text, position);
    const bool isNumber = word == "NaN" || word.ends_with("Infinity");
    return FormatError({subject, fmt::format("line {}, column {}", line, column),
                        isNumber                 ? fmt::format("{} is no number of JSON", word)
                        : position < text.size() ? "is not JSON from here on"
                                                 : "is not JSON: it ends too early",
                        remedy});
}

}  // namespace

json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
               const char* remedy) {
    return parseJson(bytes, subject, remedy, {});
}

json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
               const char* remedy, std::span<const std::string_view> skipped) {
    const auto refuse = [&](const std::string& problem) {
        throw FormatError({subject.string(), "", problem, remedy});
    };
    // An empty object takes three bytes of text, but about a hundred bytes of memory.
    const std::size_t maxBytes = skipped.empty() ? kMaxJsonBytes : kMaxSkippedJsonBytes;
    if (bytes.size() > maxBytes) refuse(fmt::format("is longer than {} bytes", maxBytes));
    const std::string_view text = asText(bytes);
    ParseLimits limits(skipped, bytes.size() > kMaxJsonBytes, refuse);
    json document;
    try {
        document = json::parse(
            text.begin(), text.end(),
            [&](int depth, json::parse_event_t event, const json& parsed) {
                return limits.keeps(depth, event, parsed);
            },
            true, true);
    } catch (const json::parse_error& error) {
        const std::size_t position = std::min(error.byte > 0 ? error.byte - 1 : 0, bytes.size());
        throw parseError(text, position, subject.string(), remedy);
    } catch (const json::exception&) {
        refuse("is not JSON");
    }
    return document;
}

JsonObject::JsonObject(const json& json, std::string place, const std::filesystem::path& file,
                       const char* remedy)
    : json_(json), place_(std::move(place)), file_(file), remedy_(remedy) {
    if (!json_.is_object())
        throw FormatError({file_.string(), place_, "is not an object", remedy_});
}

std::string JsonObject::placeOf(const char* key) const {
    return place_.empty() ? std::string(key) : place_ + '.' + key;
}

void JsonObject::fail(const char* key, const std::string& problem,
                      const std::string& remedy) const {
    throw FormatError({file_.string(), placeOf(key), problem, remedy.empty() ? remedy_ : remedy});
}

bool JsonObject::has(const char* key) const {
    const auto entry = json_.find(key);
    return entry != json_.end() && !entry->is_null();
}

const json& JsonObject::at(const char* key) const {
    const auto entry = json_.find(key);
    if (entry == json_.end()) fail(key, "is missing");
    return *entry;
}

std::string JsonObject::text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) fail(key, "is not text");
    return value.get<std::string>();
}

bool JsonObject::boolean(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) fail(key, "is neither true nor false");
    return value.get<bool>();
}

double JsonObject::number(const char* key) const {
    const json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "is not a number");
    return value.get<double>();
}

double JsonObject::number(const char* key, double min, double max) const {
    const json& value = at(key);
    const double result = value.is_number() ? value.get<double>() : std::nan("");
    if (!(result >= min && result <= max))
        fail(key, fmt::format("is not a number between {} and {}", min, max));
    return result;
}

int JsonObject::integer(const char* key, int min, int max) const {
    const double value = number(key, min, max);
    if (value != std::floor(value)) fail(key, "is not a whole number");
    return static_cast<int>(value);
}

std::optional<double> JsonObject::optionalNumber(const char* key) const {
    return has(key) ? std::optional(number(key)) : std::nullopt;
}

void JsonObject::failCount(const char* key, std::size_t min, std::size_t max) const {
    fail(key, min == max ? fmt::format("is not a list of {} numbers", min)
                         : fmt::format("is not a list of {} to {} numbers", min, max));
}

std::vector<double> JsonObject::numbers(const char* key, std::size_t min, std::size_t max) const {
    std::vector<double> values;
    if (!appendNumbers(at(key), min, max, values)) failCount(key, min, max);
    return values;
}

double JsonObject::numberOrText(const char* key) const {
    const double value = lenientValue(at(key));
    if (!std::isfinite(value)) fail(key, "is not a number");
    return value;
}

std::vector<double> JsonObject::numbersOrTexts(const char* key, std::size_t min,
                                               std::size_t max) const {
    std::vector<double> values;
    const json& value = at(key);
    // A property tree writes an empty list as the text "".
    const bool isEmptyText = value.is_string() && value.get_ref<const std::string&>().empty();
    bool fits =
        isEmptyText ? min == 0 : value.is_array() && value.size() >= min && value.size() <= max;
    for (std::size_t i = 0; !isEmptyText && fits && i < value.size(); ++i) {
        values.push_back(lenientValue(value[i]));
        fits = std::isfinite(values.back());
    }
    if (!fits) failCount(key, min, max);
    return values;
}

std::string JsonObject::textOrInteger(const char* key) const {
    const json& value = at(key);
    if (value.is_number_integer()) return value.dump();
    return text(key);
}

bool JsonObject::isList(const char* key) const {
    return at(key).is_array();
}

glm::dvec3 JsonObject::vector(const char* key) const {
    const std::vector<double> values = numbers(key, 3, 3);
    return {values[0], values[1], values[2]};
}

std::optional<glm::dvec3> JsonObject::optionalVector(const char* key) const {
    return has(key) ? std::optional(vector(key)) : std::nullopt;
}

std::vector<std::vector<double>> JsonObject::matrix(const char* key, std::size_t minRows,
                                                    std::size_t maxRows,
                                                    std::size_t columns) const {
    const json& rows = at(key);
    bool fits = rows.is_array() && rows.size() >= minRows && rows.size() <= maxRows;
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; fits && i < rows.size(); ++i)
        fits = appendNumbers(rows[i], columns, columns, values.emplace_back());
    if (!fits)
        fail(key,
             fmt::format("is not a {}×{} matrix: a list of rows of numbers", maxRows, columns));
    return values;
}

const json& JsonObject::list(const char* key, std::size_t max) const {
    const json& value = at(key);
    if (!value.is_array() || value.size() > max)
        fail(key, fmt::format("is not a list of at most {} entries", max));
    return value;
}

std::vector<JsonObject> JsonObject::objects(const char* key, std::size_t max) const {
    const json& entries = list(key, max);
    std::vector<JsonObject> objects;
    for (std::size_t i = 0; i < entries.size(); ++i)
        objects.emplace_back(entries[i], fmt::format("{}[{}]", placeOf(key), i), file_, remedy_);
    return objects;
}

}  // namespace threefold
