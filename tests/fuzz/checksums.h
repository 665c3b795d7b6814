#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::test {

/// Makes the check sums of a damaged file right again, so that what is behind them is fuzzed too:
/// of a PNG's chunks, of the entries of a zip file that are stored, of the blocks of a TensorFlow
/// index and of the tensors behind it, of a journal's lines. False where the target has none.
bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes);

}  // namespace threefold::test
