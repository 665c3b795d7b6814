#pragma once

#include <string>
#include <string_view>

namespace threefold {

/// The text with control characters written as \xNN, a newline as \n, so that a file's name can
/// neither break a line nor control the terminal. Those in `kept` and all other bytes stay, also
/// where they are not UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

/// The same JSON with U+007F to U+009F as \u007f to \u009f: JSON lets them stand in its texts, and
/// some terminals obey them.
std::string printableJson(std::string_view json);

/// How long something still takes: "  1:02:03 left", "  2:03 left".
std::string leftText(double seconds);

}  // namespace threefold
