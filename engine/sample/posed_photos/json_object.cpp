#include "engine/sample/posed_photos/json_object.h"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"

namespace threefold {
namespace {

using nlohmann::json;

constexpr const char* kRemedy = "Correct it; docs/OWN_DATA.md shows an example.";

}  // namespace

json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    constexpr int kDeepest = 8;
    // An empty object takes three bytes of text and about a hundred of memory.
    if (bytes.size() > kLargestJson)
        throw FormatError(
            {subject.string(), "", fmt::format("is longer than {} bytes", kLargestJson), kRemedy});
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    bool tooDeep = false;
    const auto limitDepth = [&](int depth, json::parse_event_t, const json&) {
        tooDeep = tooDeep || depth > kDeepest;
        return depth <= kDeepest;
    };
    json document = json::parse(text, text + bytes.size(), limitDepth, false, true);
    if (tooDeep)
        throw FormatError(
            {subject.string(), "", fmt::format("is nested more than {} deep", kDeepest), kRemedy});
    if (document.is_discarded())
        throw FormatError({subject.string(), "", "is not JSON",
                           "Check that it was written whole, with commas between its values."});
    return document;
}

JsonObject::JsonObject(const json& json, std::string place, const std::filesystem::path& file)
    : json_(json), place_(std::move(place)), file_(file) {
    if (!json_.is_object())
        throw FormatError({file_.string(), place_, "is not an object", kRemedy});
}

std::string JsonObject::placeOf(const char* key) const {
    return place_.empty() ? std::string(key) : place_ + '.' + key;
}

void JsonObject::fail(const char* key, const std::string& problem,
                      const std::string& remedy) const {
    throw FormatError({file_.string(), placeOf(key), problem, remedy.empty() ? kRemedy : remedy});
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

std::optional<double> JsonObject::maybeNumber(const char* key) const {
    return has(key) ? std::optional(number(key)) : std::nullopt;
}

std::vector<double> JsonObject::numbers(const char* key, std::size_t least,
                                        std::size_t most) const {
    const json& list = at(key);
    const std::string expected =
        least == most ? fmt::format("is not a list of {} numbers", least)
                      : fmt::format("is not a list of {} to {} numbers", least, most);
    if (!list.is_array() || list.size() < least || list.size() > most) fail(key, expected);
    std::vector<double> values;
    for (const json& value : list) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, expected);
        values.push_back(value.get<double>());
    }
    return values;
}

std::optional<glm::dvec3> JsonObject::maybeVector(const char* key) const {
    if (!has(key)) return std::nullopt;
    const std::vector<double> values = numbers(key, 3, 3);
    return glm::dvec3(values[0], values[1], values[2]);
}

std::vector<std::vector<double>> JsonObject::matrix(const char* key, std::size_t leastRows,
                                                    std::size_t mostRows,
                                                    std::size_t columns) const {
    const json& rows = at(key);
    const std::string expected =
        fmt::format("is not a {}×{} matrix: a list of rows of numbers", mostRows, columns);
    if (!rows.is_array() || rows.size() < leastRows || rows.size() > mostRows) fail(key, expected);
    std::vector<std::vector<double>> values;
    for (const json& row : rows) {
        if (!row.is_array() || row.size() != columns) fail(key, expected);
        auto& line = values.emplace_back();
        for (const json& value : row) {
            if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, expected);
            line.push_back(value.get<double>());
        }
    }
    return values;
}

PoseMatrix JsonObject::pose(const char* key) const {
    const std::vector<std::vector<double>> rows = matrix(key, 3, 4, 4);
    PoseMatrix made{};
    made[3][3] = 1;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < 4; ++column) made[row][column] = rows[row][column];
    return made;
}

std::vector<JsonObject> JsonObject::objects(const char* key, std::size_t most) const {
    const json& list = at(key);
    if (!list.is_array() || list.size() > most)
        fail(key, fmt::format("is not a list of at most {} entries", most));
    std::vector<JsonObject> made;
    for (std::size_t i = 0; i < list.size(); ++i)
        made.emplace_back(list[i], fmt::format("{}[{}]", placeOf(key), i), file_);
    return made;
}

}  // namespace threefold
