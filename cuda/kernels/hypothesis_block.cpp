#include "cuda/kernels/hypothesis_block.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cuda/kernels/hypothesis_block_layout.h"
#include "engine/error.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {
namespace hypothesis {
/// Launches the kernel with thread blocks of `vertices` vertices (hypothesis_block_kernel.h).
template <Precision precision, int vertices>
void launchBlock(Stream stream, const HypothesisArguments& arguments);
}  // namespace hypothesis

namespace {

static_assert(kMaxInputViews <= std::size_t{hypothesis::kMaxViews});

/// One instance of the kernel.
struct Instance {
    Precision precision;
    HypothesisShape shape;
    void (*launch)(Stream stream, const HypothesisArguments& arguments);
};

template <Precision precision, int vertices>
constexpr Instance instance() {
    using Shared = hypothesis::SharedLayout<hypothesis::TypesFor<precision>, vertices>;
    constexpr int kWarps = hypothesis::kColumnWarps * (vertices > 1 ? 2 : 1);
    return {precision,
            {vertices, kWarps * 32, Shared::bytes},
            &hypothesis::launchBlock<precision, vertices>};
}

#define THREEFOLD_INSTANCE(precision, vertices) instance<Precision::precision, vertices>(),
// clang-format off
constexpr Instance kInstances[] = {
    THREEFOLD_HYPOTHESIS_float32(THREEFOLD_INSTANCE)
    THREEFOLD_HYPOTHESIS_tfloat32(THREEFOLD_INSTANCE)
    THREEFOLD_HYPOTHESIS_float16(THREEFOLD_INSTANCE)
    THREEFOLD_HYPOTHESIS_bfloat16(THREEFOLD_INSTANCE)
    THREEFOLD_HYPOTHESIS_int8(THREEFOLD_INSTANCE)
};
// clang-format on

const Instance* instanceFor(const DeviceLimits& limits, Precision precision) {
    if (limits.computeCapability < minCapability(precision)) return nullptr;
    const auto* match =
        std::find_if(std::begin(kInstances), std::end(kInstances), [&](const Instance& each) {
            return each.precision == precision &&
                   each.shape.sharedBytes <= limits.sharedBytesPerBlock;
        });
    return match == std::end(kInstances) ? nullptr : match;
}

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
    throw InputError({"hypothesis block", place, problem, ""});
}

void checkArguments(Precision precision, const HypothesisArguments& arguments) {
    if (arguments.views < static_cast<int>(kMinInputViews) ||
        arguments.views > hypothesis::kMaxViews) {
        refuse("views", fmt::format("{} where {} to {} are needed", arguments.views, kMinInputViews,
                                    hypothesis::kMaxViews));
    }
    for (std::size_t i = 0; i < std::size(arguments.maps); ++i) {
        const DeviceMap& map = arguments.maps[i];
        const bool isValidSide = map.side > 1 && kInputSide % map.side == 0 &&
                                 (kInputSide / map.side & (kInputSide / map.side - 1)) == 0;
        if (!isValidSide || map.channels != static_cast<int>(tapChannels(i)))
            refuse(fmt::format("map {}", i),
                   fmt::format("has side {} and {} channels; needed are a side of {} divided by a "
                               "power of two, and {} channels",
                               map.side, map.channels, kInputSide, tapChannels(i)));
    }
    if (arguments.ranges != nullptr && isEightBit(precision))
        refuse("ranges", "cannot be measured in int8; measure them in float16");
}

}  // namespace

std::optional<HypothesisShape> hypothesisBlockShape(const DeviceLimits& limits,
                                                    Precision precision) {
    const Instance* match = instanceFor(limits, precision);
    return match == nullptr ? std::nullopt : std::optional(match->shape);
}

bool hypothesisBlockFits(const DeviceLimits& limits, Precision precision, int hypotheses) {
    return hypotheses >= 1 && hypotheses <= hypothesis::kVertexRows &&
           instanceFor(limits, precision) != nullptr;
}

void launchHypothesisBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                           const HypothesisArguments& arguments) {
    const Instance* match = instanceFor(limits, precision);
    if (match == nullptr)
        throw DeviceError({"hypothesis block", std::string(precisionName(precision)),
                           fmt::format("does not run at compute capability {}.{} with {} bytes "
                                       "of shared memory a block",
                                       limits.computeCapability / 10, limits.computeCapability % 10,
                                       limits.sharedBytesPerBlock),
                           "Use NVIDIA's kernels (`kernels=library`)."});
    checkArguments(precision, arguments);
    if (arguments.batch <= 0 || arguments.vertices <= 0) return;
    match->launch(stream, arguments);
}

}  // namespace threefold::cuda
