#include "engine/formats/bytes/json_object.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

using nlohmann::json;

/// False unless `list` is an array of that many finite numbers, which are added to `values`.
bool appendNumbers(const json& list, std::size_t least, std::size_t most,
                   std::vector<double>& values) {
    if (!list.is_array() || list.size() < least || list.size() > most) return false;
    for (const json& value : list) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) return false;
        values.push_back(value.get<double>());
    }
    return true;
}

/// The letters around a place.
std::string_view wordAround(std::string_view text, std::size_t at) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::size_t first = at;
    while (first > 0 && isLetter(text[first - 1])) --first;
    std::size_t last = at;
    while (last < text.size() && isLetter(text[last])) ++last;
    return text.substr(first, last - first);
}

}  // namespace

json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
               const char* remedy) {
    return parseJson(bytes, subject, remedy, {});
}

json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
               const char* remedy, std::span<const std::string_view> skipped) {
    constexpr int kDeepest = 8;
    const auto refuse = [&](const std::string& problem) {
        throw FormatError({subject.string(), "", problem, remedy});
    };
    // An empty object takes three bytes of text and about a hundred of memory.
    const std::size_t largest = skipped.empty() ? kLargestJson : kLargestSkippedJson;
    if (bytes.size() > largest) refuse(fmt::format("is longer than {} bytes", largest));
    constexpr std::size_t kMostValues = kLargestJson / 3;
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    std::size_t values = 0;
    int within = -1;  // the depth of a skipped key whose value is being read; -1: none
    const auto limit = [&](int depth, json::parse_event_t event, const json& parsed) {
        if (depth > kDeepest) refuse(fmt::format("is nested more than {} deep", kDeepest));
        if (within >= 0) {
            const bool left = event == json::parse_event_t::key
                                  ? depth <= within
                                  : event == json::parse_event_t::object_end && depth < within;
            if (!left) return true;
            within = -1;
        }
        if (event == json::parse_event_t::key && !skipped.empty() &&
            std::ranges::find(skipped, parsed.get_ref<const std::string&>()) != skipped.end()) {
            within = depth;
            return false;
        }
        if (++values > kMostValues && bytes.size() > kLargestJson)
            refuse(fmt::format("holds more than {} values", kMostValues));
        return true;
    };
    json document;
    try {
        document = json::parse(text, text + bytes.size(), limit, true, true);
    } catch (const json::parse_error& error) {
        const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, bytes.size());
        const std::string_view before(text, at);
        const auto line = 1 + std::ranges::count(before, '\n');
        const std::size_t column = at - (before.rfind('\n') + 1) + 1;
        const std::string_view word = wordAround({text, bytes.size()}, at);
        const bool isNumber = word == "NaN" || word.ends_with("Infinity");
        throw FormatError({subject.string(), fmt::format("line {}, column {}", line, column),
                           isNumber            ? fmt::format("{} is no number of JSON", word)
                           : at < bytes.size() ? "is not JSON from here on"
                                               : "is not JSON: it ends too early",
                           remedy});
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
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
}

const json& JsonObject::at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(key, "is missing");
    return *found;
}

std::string JsonObject::text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) fail(key, "is not text");
    return value.get<std::string>();
}

bool JsonObject::flag(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) fail(key, "is neither true nor false");
    return value.get<bool>();
}

double JsonObject::number(const char* key) const {
    const json& value = at(key);
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "is not a number");
    return value.get<double>();
}

double JsonObject::number(const char* key, double least, double most) const {
    const json& found = at(key);
    const double value = found.is_number() ? found.get<double>() : std::nan("");
    if (!(value >= least && value <= most))
        fail(key, fmt::format("is not a number between {} and {}", least, most));
    return value;
}

int JsonObject::whole(const char* key, int least, int most) const {
    const double value = number(key, least, most);
    if (value != std::floor(value)) fail(key, "is not a whole number");
    return static_cast<int>(value);
}

std::optional<double> JsonObject::maybeNumber(const char* key) const {
    return has(key) ? std::optional(number(key)) : std::nullopt;
}

std::vector<double> JsonObject::numbers(const char* key, std::size_t least,
                                        std::size_t most) const {
    std::vector<double> values;
    if (!appendNumbers(at(key), least, most, values))
        fail(key, least == most ? fmt::format("is not a list of {} numbers", least)
                                : fmt::format("is not a list of {} to {} numbers", least, most));
    return values;
}

namespace {

/// NaN for what is no number.
double looseValue(const json& value) {
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nan("");
    return numberFrom<double>(value.get_ref<const std::string&>()).value_or(std::nan(""));
}

}  // namespace

double JsonObject::looseNumber(const char* key) const {
    const double value = looseValue(at(key));
    if (!std::isfinite(value)) fail(key, "is not a number");
    return value;
}

std::vector<double> JsonObject::looseNumbers(const char* key, std::size_t least,
                                             std::size_t most) const {
    std::vector<double> values;
    const json& found = at(key);
    // An empty list of a property tree is the text "".
    const bool none = found.is_string() && found.get_ref<const std::string&>().empty();
    bool fits =
        none ? least == 0 : found.is_array() && found.size() >= least && found.size() <= most;
    for (std::size_t i = 0; !none && fits && i < found.size(); ++i) {
        values.push_back(looseValue(found[i]));
        fits = std::isfinite(values.back());
    }
    if (!fits)
        fail(key, least == most ? fmt::format("is not a list of {} numbers", least)
                                : fmt::format("is not a list of {} to {} numbers", least, most));
    return values;
}

std::string JsonObject::label(const char* key) const {
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

std::optional<glm::dvec3> JsonObject::maybeVector(const char* key) const {
    return has(key) ? std::optional(vector(key)) : std::nullopt;
}

std::vector<std::vector<double>> JsonObject::matrix(const char* key, std::size_t leastRows,
                                                    std::size_t mostRows,
                                                    std::size_t columns) const {
    const json& rows = at(key);
    bool fits = rows.is_array() && rows.size() >= leastRows && rows.size() <= mostRows;
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; fits && i < rows.size(); ++i)
        fits = appendNumbers(rows[i], columns, columns, values.emplace_back());
    if (!fits)
        fail(key,
             fmt::format("is not a {}×{} matrix: a list of rows of numbers", mostRows, columns));
    return values;
}

const json& JsonObject::list(const char* key, std::size_t most) const {
    const json& found = at(key);
    if (!found.is_array() || found.size() > most)
        fail(key, fmt::format("is not a list of at most {} entries", most));
    return found;
}

std::vector<JsonObject> JsonObject::objects(const char* key, std::size_t most) const {
    const json& all = list(key, most);
    std::vector<JsonObject> objects;
    for (std::size_t i = 0; i < all.size(); ++i)
        objects.emplace_back(all[i], fmt::format("{}[{}]", placeOf(key), i), file_, remedy_);
    return objects;
}

}  // namespace threefold
