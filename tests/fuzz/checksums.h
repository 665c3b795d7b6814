#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::test {

/// Repairs the checksums of a mutated file, so that the code after the checks is fuzzed, too.
/// Covers PNG chunks, stored zip entries, blocks of a TensorFlow index, the tensors that the index
/// lists, and lines of a journal. Returns false if the target's format has no such checksums.
bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes);

}  // namespace threefold::test
