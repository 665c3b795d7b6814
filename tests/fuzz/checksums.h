#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace threefold::test {

/// Repairs the checksums of a mutated file, so that code behind the checks is fuzzed, too:
/// checksums of PNG chunks, of stored zip entries, of blocks of a TensorFlow index and the tensors
/// that the index lists, and of lines of a journal. False if the target's format has no checksums.
bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes);

}  // namespace threefold::test
