#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace threefold {

/// `--device` with this word takes every GPU that can be used.
inline constexpr std::string_view kAllDevices = "all";

/// "0,2" as {0, 2}: CUDA's numbers of GPUs, at most 1024. Empty where the text is no such list, or
/// names a GPU twice.
std::optional<std::vector<int>> deviceNumbers(std::string_view text);

}  // namespace threefold
