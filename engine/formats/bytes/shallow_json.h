#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace threefold {

/// Parses untrusted JSON that is nested at most `maxDepth` deep; deeper, calls `refuse`, which must
/// throw. Throws Json::exception where the text is not JSON. The caller limits the text's length.
template <class Json, class Refuse>
Json parseShallowJson(std::string_view text, int maxDepth, const Refuse& refuse) {
    return Json::parse(text, [&](int depth, typename Json::parse_event_t, const Json&) {
        if (depth > maxDepth) refuse();
        return true;
    });
}

}  // namespace threefold
