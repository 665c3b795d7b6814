#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace threefold {

/// A JSON list of what `describe` makes of each element: a function, or a member of it.
nlohmann::ordered_json jsonList(const auto& elements, const auto& describe) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& element : elements) list.push_back(std::invoke(describe, element));
    return list;
}

/// The JSON as text. Paths may hold bytes that are not UTF-8: those become U+FFFD.
template <class Json>
std::string jsonText(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace threefold
