#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/formats/text/repeated_keys.h"

namespace threefold {

/// Parses untrusted JSON that is nested at most `maxDepth` deep and whose objects have each key
/// once; else calls `refuse`, which must throw, with the problem ("is nested more than 8 deep").
/// Throws Json::exception where the text is not JSON. The caller limits the text's length.
template <class Json, class Refuse>
Json parseShallowJson(std::string_view text, int maxDepth, const Refuse& refuse) {
    RepeatedKeyFinder keys;
    const auto check = [&](int depth, typename Json::parse_event_t event, const Json& parsed) {
        if (depth > maxDepth) refuse(fmt::format("is nested more than {} deep", maxDepth));
        if (const auto key = keys.onEvent(depth, event, parsed)) refuse(repeatedKeyText(*key));
        return true;
    };
    return Json::parse(text, check);
}

}  // namespace threefold
