#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

namespace threefold::test {

/// Data that a report's page embeds.
inline nlohmann::json dataOf(const std::string& page) {
    const std::string open = "id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace threefold::test
