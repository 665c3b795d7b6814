// Entry points for libFuzzer; compiled once for each target.

#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/fuzz/checksums.h"
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto& target = threefold::test::fuzzTarget(THREEFOLD_FUZZ_TARGET);
    threefold::test::runWithinBudget(target, std::as_bytes(std::span(data, size)));
    return 0;
}

#ifdef THREEFOLD_FUZZ_CHECKSUMS

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t largest);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t largest, unsigned seed) {
    const std::size_t mutated = LLVMFuzzerMutate(data, size, largest);
    constexpr unsigned kMutationsPerWrongChecksum = 16;
    if (seed % kMutationsPerWrongChecksum != 0)
        threefold::test::repairChecksums(THREEFOLD_FUZZ_TARGET, {data, mutated});
    return mutated;
}

#endif
