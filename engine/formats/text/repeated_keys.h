#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/utf8.h"

namespace threefold {

/// Problem of an object that has a key twice: "has the key 'nodes' twice in one object".
inline std::string repeatedKeyText(std::string_view key) {
    constexpr std::size_t kMaxShown = 60;
    return fmt::format("has the key '{}' twice in one object", textPrefix(key, kMaxShown));
}

/// Finds objects that have a key twice, from the events of a JSON parser's callback: the parser
/// silently keeps the last value and drops the others. Takes eight bytes for each key of the
/// objects that are open.
class RepeatedKeyFinder {
  public:
    /// Takes an event with its arguments. At the end of an object, returns a key that the object
    /// repeats; nullopt if it repeats none, and for other events.
    template <class Json>
    std::optional<std::string> onEvent(int depth, typename Json::parse_event_t event,
                                       const Json& parsed) {
        using Event = typename Json::parse_event_t;
        const auto level = static_cast<std::size_t>(depth);
        if (event == Event::object_start) {
            if (open_.size() <= level) open_.resize(level + 1);
            open_[level].clear();
        } else if (event == Event::key && level > 0 && level <= open_.size()) {
            open_[level - 1].push_back(hashOf(parsed.template get_ref<const std::string&>()));
        } else if (event == Event::object_end && level < open_.size()) {
            std::vector<std::size_t>& hashes = open_[level];
            std::ranges::sort(hashes);
            const auto repeated = std::ranges::adjacent_find(hashes);
            if (repeated != hashes.end()) return nameOf(*repeated, parsed);
        }
        return std::nullopt;
    }

  private:
    static std::size_t hashOf(std::string_view key) { return std::hash<std::string_view>{}(key); }

    /// The key of this hash; empty if its value was dropped.
    template <class Json>
    static std::string nameOf(std::size_t hash, const Json& object) {
        for (const auto& [key, value] : object.items())
            if (hashOf(key) == hash) return key;
        return {};
    }

    std::vector<std::vector<std::size_t>> open_;  ///< by depth: hashes of an object's keys
};

}  // namespace threefold
