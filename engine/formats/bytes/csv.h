#pragma once

#include <string>
#include <string_view>

namespace threefold {

/// The text as a field of a CSV file (RFC 4180): quoted if it contains a comma, a quote or a line
/// end.
std::string csvField(std::string_view text);

}  // namespace threefold
