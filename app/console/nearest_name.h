#pragma once

#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// Name that was most likely meant by a mistyped text: the name with the smallest number of
/// insertions, removals, replacements and swaps of neighbouring characters, the first of equally
/// near names. Empty if more than a third of the characters differ; one edit between names of equal
/// length is always allowed.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

}  // namespace threefold
