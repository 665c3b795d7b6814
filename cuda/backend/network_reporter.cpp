#include "cuda/backend/network_reporter.h"

#include <utility>

#include <fmt/format.h>

namespace threefold::cuda {

void NetworkReporter::tensor(std::string_view name, const void* values, ElementType element,
                             std::vector<std::size_t> shape, std::size_t pitch) const {
    if (!onTensor_) return;
    const std::size_t width = shape.back();
    onTensor_({name, std::move(shape), values, element, pitch == 0 ? width : pitch});
}

void NetworkReporter::maps(std::string_view prefix, std::span<const DeviceMap> maps,
                           ElementType element, std::size_t views) const {
    if (!onTensor_) return;
    for (const DeviceMap& map : maps) {
        const auto side = static_cast<std::size_t>(map.side);
        tensor(fmt::format("{}_map_{}", prefix, map.channels), map.values, element,
               {views, side, side, static_cast<std::size_t>(map.channels)});
    }
}

}  // namespace threefold::cuda
