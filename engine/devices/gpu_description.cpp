#include "engine/devices/gpu_description.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

constexpr int kMinorVersions = 10;  // compute capability 90 belongs to generation 9

}  // namespace

bool hasCodeFor(int computeCapability, std::span<const int> architectures) {
    if (!architectures.empty() && architectures.back() <= computeCapability) return true;
    return std::ranges::any_of(architectures, [&](int architecture) {
        return architecture / kMinorVersions == computeCapability / kMinorVersions &&
               architecture <= computeCapability;
    });
}

std::string capabilityText(int computeCapability) {
    return fmt::format("{}.{}", computeCapability / kMinorVersions,
                       computeCapability % kMinorVersions);
}

}  // namespace threefold
