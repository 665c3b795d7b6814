#pragma once

#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// Most likely intended name of a mistyped one: the smallest number of insertions, removals,
/// replacements and swaps of neighbours; the first of equals. Empty if more than a third of the
/// characters differ.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

}  // namespace threefold
