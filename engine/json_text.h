#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace threefold {

/// A JSON array of describe(element) for each element. `describe`: a function or a member pointer.
nlohmann::ordered_json jsonArray(const auto& elements, const auto& describe) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& element : elements) list.push_back(std::invoke(describe, element));
    return list;
}

/// Problem that an exception of nlohmann::json reports, without the exception's id: "type must be
/// string, but is null".
inline std::string jsonProblem(const nlohmann::json::exception& error) {
    const std::string text = error.what();
    const std::size_t prefix = text.find("] ");
    return prefix == std::string::npos ? text : text.substr(prefix + 2);
}

/// Serialises `json`. Bytes that are not UTF-8, for example in paths, become U+FFFD.
template <class Json>
std::string dumpJson(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace threefold
