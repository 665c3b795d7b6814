#pragma once

#include <span>
#include <string>
#include <string_view>

namespace threefold {

/// The name that a mistyped one most likely means: the one with the fewest characters to insert,
/// remove, replace or swap with their neighbour; the first of several. Empty where even that
/// differs in more than a third of the characters.
std::string nearestName(std::string_view typed, std::span<const std::string> names);

}  // namespace threefold
