#include "tests/cuda/emulation/emulator.h"

namespace threefold::cuda::emulation {
namespace {
constinit thread_local Options current;
}

OptionsScope::OptionsScope(const Options& options) : previous_(current) {
    current = options;
}

OptionsScope::~OptionsScope() {
    current = previous_;
}

void forEachSeed(const std::function<void(std::uint64_t seed)>& body) {
    for (const std::uint64_t seed : kSeeds) {
        Options options = current;
        options.seed = seed;
        const OptionsScope scope(options);
        body(seed);
    }
}

}  // namespace threefold::cuda::emulation
