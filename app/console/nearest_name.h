#pragma once

#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// Most likely intended name of a mistyped one: the name at the smallest number of insertions,
/// removals, replacements and swaps of neighbours, the first of equally near names. Empty if more
/// than a third of the characters differ; one edit between names of equal length is always allowed.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

}  // namespace threefold
