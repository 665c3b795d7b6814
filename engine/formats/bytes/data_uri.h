#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Whether the text begins with "data:".
bool isDataUri(std::string_view uri);
/// Content of a "data:" URI, base64 or percent-encoded; nullopt if damaged. Never longer than the
/// URI.
std::optional<std::vector<std::byte>> decodeDataUri(std::string_view uri);

/// Encodes as base64 (RFC 4648), with padding. Any thread.
std::string encodeBase64(std::span<const std::byte> bytes);

/// Decodes "my%20file.png" to "my file.png"; leaves anything else unchanged.
std::string decodePercents(std::string_view uri);

}  // namespace threefold
