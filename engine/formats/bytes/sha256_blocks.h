#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace threefold {

using Sha256State = std::array<std::uint32_t, 8>;

inline constexpr std::size_t kSha256Block = 64;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
extern const std::array<std::uint32_t, 64> kSha256Round;

/// Whether the processor has instructions for SHA-256 (x86 SHA extensions).
bool processorHasSha256();

/// Mixes `count` blocks of 64 bytes into the state by those instructions: five to eight times as
/// fast as portable code. Call only where processorHasSha256().
void addSha256Blocks(Sha256State& state, const std::byte* blocks, std::size_t count);

/// The same on any processor.
void addSha256BlocksPortable(Sha256State& state, const std::byte* blocks, std::size_t count);

}  // namespace threefold
