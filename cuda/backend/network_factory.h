#pragma once

#include <cstddef>
#include <memory>

#include "cuda/backend/device_model.h"
#include "cuda/backend/device_network.h"
#include "cuda/backend/device_resources.h"
#include "cuda/runtime/tuning_plan.h"

namespace threefold::cuda {

/// Makes the networks of a back end, which share the weights on the device. Algorithms and 8-bit
/// ranges come from the plans that an earlier process stored; new ones are stored. Used on the back
/// end's thread alone.
class NetworkFactory {
  public:
    /// Uploads the weights. For 8 bit, first measures the ranges if quantisation samples are given
    /// or no ranges are stored. Keeps a reference to `resources`. Throws ModelError,
    /// OutOfDeviceMemory, DeviceError.
    explicit NetworkFactory(DeviceResources& resources);

    /// A network of this shape. Throws OutOfDeviceMemory, DeviceError.
    std::unique_ptr<DeviceNetwork> make(const NetworkShape& shape);

  private:
    TuningPlanKey keyOf(std::size_t batch, std::size_t views, Precision precision) const;
    template <class Make>
    auto withStoredAlgorithms(const NetworkShape& shape, const Make& makeValue);
    BlockQuantisationRanges rangesForPrecision();

    DeviceResources& resources_;
    TuningPlanStore store_;
    DeviceModel weights_;
};

}  // namespace threefold::cuda
