#pragma once

#include <string>
#include <string_view>

namespace threefold {

/// The text with control characters as \xNN, a newline as \n: the name of a file can then neither
/// break a line in two nor drive the terminal. Those of `kept` stay as they are. All other bytes
/// stay, too, also where they are not UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

}  // namespace threefold
