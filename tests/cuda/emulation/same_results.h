#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tests/cuda/emulation/emulator.h"

namespace threefold::cuda::emulation {

/// Runs `body`, which launches kernels and returns their output, under each of kSeeds. Returns the
/// first result; adds a GoogleTest failure if the result under another seed differs in a bit, which
/// happens if a barrier is missing or the order of operations varies. `body` returns a vector whose
/// elements have no padding.
template <class Body>
auto expectSameUnderAllSeeds(const Body& body) {
    using Results = decltype(body());
    Results first;
    bool same = true;
    forEachSeed([&](std::uint64_t seed) {
        Results results = body();
        if (seed == kSeeds[0]) {
            first = std::move(results);
            return;
        }
        if (!same) return;
        std::size_t i = 0;
        while (i < first.size() && i < results.size() &&
               // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): -0 is not 0 here
               std::memcmp(&first[i], &results[i], sizeof first[i]) == 0) {
            ++i;
        }
        same = i == first.size() && i == results.size();
        if (!same) {
            ADD_FAILURE() << "value " << i << " of " << first.size() << " is another under seed "
                          << seed << ": a barrier is missing, or the order of a sum is not fixed";
        }
    });
    return first;
}

}  // namespace threefold::cuda::emulation
