#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::test {

/// Repairs the checksums of a mutated file, so that code behind them is fuzzed, too: those of PNG
/// chunks, stored zip entries, blocks of a TensorFlow index and the tensors it lists, and lines of
/// a journal. False if the target's format has none.
bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes);

}  // namespace threefold::test
