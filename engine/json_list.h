#pragma once

#include <functional>

#include <nlohmann/json.hpp>

namespace threefold {

/// A JSON list of what `describe` makes of each element: a function, or a member of it.
nlohmann::ordered_json jsonList(const auto& elements, const auto& describe) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& element : elements) list.push_back(std::invoke(describe, element));
    return list;
}

}  // namespace threefold
