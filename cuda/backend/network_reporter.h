#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cuda/backend/device_tensor.h"
#include "cuda/kernels/element.h"
#include "cuda/kernels/view.h"

namespace threefold::cuda {

/// Passes a DeviceTensor for each intermediate tensor of a network to a callback; does nothing if
/// the callback is empty.
class NetworkReporter {
  public:
    /// `onTensor` (may be empty) must outlive the reporter.
    explicit NetworkReporter(const std::function<void(const DeviceTensor&)>& onTensor)
        : onTensor_(onTensor) {}

    bool isOn() const { return static_cast<bool>(onTensor_); }

    /// Reports a tensor whose rows are `pitch` values apart; 0: without gaps.
    void tensor(std::string_view name, const void* values, ElementType element,
                std::vector<std::size_t> shape, std::size_t pitch = 0) const;
    /// Reports feature maps of all views as "stage1_map_64", …: `prefix` and number of channels.
    void maps(std::string_view prefix, std::span<const DeviceMap> maps, ElementType element,
              std::size_t views) const;

  private:
    const std::function<void(const DeviceTensor&)>& onTensor_;
};

}  // namespace threefold::cuda
