#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

bool isDataUri(std::string_view uri);
/// What a "data:" URI holds, in base64 or percent-encoded; nothing if damaged. At most as many
/// bytes as the URI has.
std::optional<std::vector<std::byte>> decodeDataUri(std::string_view uri);

/// "my%20file.png" as "my file.png". Anything else stays as it is.
std::string decodePercents(std::string_view uri);

}  // namespace threefold
