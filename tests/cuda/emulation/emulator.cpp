#include "tests/cuda/emulation/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/cuda/emulation/emulated/calls.h"
#include "tests/cuda/emulation/random.h"
#include "tests/cuda/emulation/run.h"

namespace threefold::cuda::emulation {
namespace {

constexpr unsigned kMaxThreads = 1024;

struct Machine {
    Options options;
    FibrePool fibres;
};

/// State of the emulator on this thread of the operating system, which emulates one launch at a
/// time.
Machine& machine() {
    thread_local Machine machine;
    return machine;
}

[[noreturn]] void refuse(const Shape& shape, std::string problem) {
    throw EmulationError(
        {.subject = "launch",
         .place = fmt::format("grid {}x{}x{}, block {}x{}x{}, {} bytes of shared memory",
                              shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x,
                              shape.block.y, shape.block.z, shape.sharedBytes),
         .problem = std::move(problem),
         .remedy = ""});
}

void requireLaunchable(const Shape& shape, const Options& options) {
    if (Run::running() != nullptr) refuse(shape, "a kernel cannot launch another");
    const dim3& grid = shape.grid;
    const dim3& block = shape.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse(shape, "there are no blocks");
    if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
        refuse(shape, "more blocks than a grid can have: 2^31 - 1, 65535 and 65535");
    }
    const auto threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > kMaxThreads || block.z > 64) {
        refuse(shape, "a block has 1 to 1024 threads, and at most 64 in its third direction");
    }
    if (shape.sharedBytes > options.sharedBytesPerBlock) {
        refuse(shape, fmt::format("more shared memory than a block can have, {} bytes",
                                  options.sharedBytesPerBlock));
    }
    const auto blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    if (shape.cooperative && blocks > static_cast<std::uint64_t>(options.cooperativeBlocks)) {
        refuse(shape, fmt::format("more blocks than fit on the device at once, {}",
                                  options.cooperativeBlocks));
    }
}

}  // namespace

OptionsScope::OptionsScope(const Options& options) : previous_(machine().options) {
    machine().options = options;
}

OptionsScope::~OptionsScope() {
    machine().options = previous_;
}

void forEachSeed(const std::function<void(std::uint64_t seed)>& body) {
    for (const std::uint64_t seed : kSeeds) {
        Options options = machine().options;
        options.seed = seed;
        const OptionsScope scope(options);
        body(seed);
    }
}

void runKernel(const Shape& shape, Body body) {
    const Options& options = machine().options;
    requireLaunchable(shape, options);
    const std::size_t count = std::size_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options.seed == 1) std::reverse(order.begin(), order.end());
    if (options.seed > 1) Random(options.seed).shuffle(order);
    const auto indexOf = [&](std::size_t number) {
        const std::size_t row = number / shape.grid.x;
        return uint3{static_cast<unsigned>(number % shape.grid.x),
                     static_cast<unsigned>(row % shape.grid.y),
                     static_cast<unsigned>(row / shape.grid.y)};
    };
    if (shape.cooperative) {
        Run all(shape, body, options, machine().fibres);
        for (const std::size_t number : order) all.addBlock(indexOf(number));
        all.finish();
        return;
    }
    for (const std::size_t number : order) {
        Options own = options;
        if (own.seed > 1)
            // Adds an even number, since odd and even seeds mean different orders.
            own.seed += 2 * (number + 1);
        Run one(shape, body, own, machine().fibres);
        one.addBlock(indexOf(number));
        one.finish();
    }
}

int maxCooperativeBlocks(int threads, std::size_t sharedBytes) {
    const Options& options = machine().options;
    const bool fits = threads > 0 && static_cast<unsigned>(threads) <= kMaxThreads &&
                      sharedBytes <= options.sharedBytesPerBlock;
    return fits ? options.cooperativeBlocks : 0;
}

}  // namespace threefold::cuda::emulation
