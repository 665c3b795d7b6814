#pragma once

#include <string_view>
#include <vector>

namespace threefold::test {

/// Whether an XML document without comments is well-formed: tags nest, there is one root, and each
/// "&" begins an entity.
inline bool isWellFormed(std::string_view text) {
    std::vector<std::string_view> open;
    std::size_t roots = 0;
    for (std::size_t at = text.find_first_of("<&"); at != std::string_view::npos;
         at = text.find_first_of("<&", at + 1)) {
        const bool entity = text[at] == '&';
        const std::size_t end = text.find_first_of(entity ? "; <&" : ">", at + 1);
        if (end == std::string_view::npos || text[end] != (entity ? ';' : '>')) return false;
        if (entity) continue;
        const std::string_view tag = text.substr(at + 1, end - at - 1);
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1)) return false;
            open.pop_back();
        } else {
            roots += open.empty() ? 1 : 0;
            if (!tag.ends_with('/')) open.push_back(tag.substr(0, tag.find_first_of(" \n")));
        }
    }
    return open.empty() && roots == 1;
}

}  // namespace threefold::test
