#include "cuda/kernels/hypothesis_block.h"

#include <span>

#include <fmt/format.h>

#include "cuda/kernels/hypothesis_block_instances.h"
#include "cuda/kernels/hypothesis_block_layout.h"
#include "engine/error.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {
namespace {

using hypothesis::launchBlock;

/// One instance of the kernel.
struct Instance {
    HypothesisShape shape;
    void (*launch)(Stream stream, const HypothesisArguments& arguments);
};

template <Precision precision, int vertices>
constexpr Instance instance() {
    using Shared = hypothesis::SharedLayout<hypothesis::TypesFor<precision>, vertices>;
    constexpr int kWarps = hypothesis::kColumnWarps * (vertices > 1 ? 2 : 1);
    return {{vertices, kWarps * 32, Shared::bytes}, &launchBlock<precision, vertices>};
}

template <Precision precision>
constexpr Instance kInstances[] = {instance<precision, 4>(), instance<precision, 2>()};
template <>
constexpr Instance kInstances<Precision::float16>[] = {instance<Precision::float16, 4>(),
                                                       instance<Precision::float16, 2>(),
                                                       instance<Precision::float16, 1>()};
template <>
constexpr Instance kInstances<Precision::float32>[] = {instance<Precision::float32, 2>(),
                                                       instance<Precision::float32, 1>()};
template <>
constexpr Instance kInstances<Precision::tfloat32>[] = {instance<Precision::tfloat32, 2>(),
                                                        instance<Precision::tfloat32, 1>()};

/// The largest first.
std::span<const Instance> instancesOf(Precision precision) {
    switch (precision) {
        case Precision::float32:
            return kInstances<Precision::float32>;
        case Precision::tfloat32:
            return kInstances<Precision::tfloat32>;
        case Precision::bfloat16:
            return kInstances<Precision::bfloat16>;
        case Precision::int8:
            return kInstances<Precision::int8>;
        case Precision::float8:
            return kInstances<Precision::float8>;
        default:
            return kInstances<Precision::float16>;
    }
}

int oldestCapability(Precision precision) {
    switch (precision) {
        case Precision::float32:
        case Precision::float16:
            return 75;
        case Precision::float8:
            return 89;
        default:
            return 80;
    }
}

const Instance* instanceFor(const DeviceLimits& limits, Precision precision) {
    if (limits.computeCapability < oldestCapability(precision)) return nullptr;
    for (const Instance& each : instancesOf(precision)) {
        if (each.shape.sharedBytes <= limits.sharedBytesPerBlock) return &each;
    }
    return nullptr;
}

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
    throw InputError({"hypothesis block", place, problem, ""});
}

void checkArguments(Precision precision, const HypothesisArguments& arguments) {
    if (arguments.views < static_cast<int>(kFewestViews) ||
        arguments.views > hypothesis::kMostViewsHere) {
        refuse("views", fmt::format("{} where {} to {} are needed", arguments.views, kFewestViews,
                                    hypothesis::kMostViewsHere));
    }
    for (std::size_t i = 0; i < std::size(arguments.maps); ++i) {
        const DeviceMap& map = arguments.maps[i];
        const bool power = map.side > 1 && kImageSize % map.side == 0 &&
                           (kImageSize / map.side & (kImageSize / map.side - 1)) == 0;
        if (!power || map.channels != static_cast<int>(tapChannels(i))) {
            refuse(fmt::format("map {}", i),
                   fmt::format("side {} and {} channels, where a side of {} over a power of two "
                               "and {} channels are needed",
                               map.side, map.channels, kImageSize, tapChannels(i)));
        }
    }
    if (arguments.ranges != nullptr &&
        (precision == Precision::int8 || precision == Precision::float8)) {
        refuse("ranges", "8 bit is calibrated in another precision");
    }
}

}  // namespace

std::optional<HypothesisShape> hypothesisBlockShape(const DeviceLimits& limits,
                                                    Precision precision) {
    const Instance* found = instanceFor(limits, precision);
    return found == nullptr ? std::nullopt : std::optional(found->shape);
}

bool hypothesisBlockFits(const DeviceLimits& limits, Precision precision, int hypotheses) {
    return hypotheses >= 1 && hypotheses <= hypothesis::kVertexRows &&
           instanceFor(limits, precision) != nullptr;
}

void launchHypothesisBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                           const HypothesisArguments& arguments) {
    const Instance* found = instanceFor(limits, precision);
    if (found == nullptr) {
        throw DeviceError({"hypothesis block", std::string(precisionName(precision)),
                           fmt::format("not for a device of compute capability {}.{} with {} bytes "
                                       "of shared memory a block",
                                       limits.computeCapability / 10, limits.computeCapability % 10,
                                       limits.sharedBytesPerBlock),
                           "Use --kernels library."});
    }
    checkArguments(precision, arguments);
    if (arguments.batch <= 0 || arguments.vertices <= 0) return;
    found->launch(stream, arguments);
}

}  // namespace threefold::cuda
