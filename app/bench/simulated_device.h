#pragma once

#include <memory>

#include "engine/network/service/devices.h"

namespace threefold {

/// A device of its own that takes `milliseconds` for each mesh, batch after batch, and gives
/// `result` for every input: what a pipeline does with a device that is not at hand. Precision and
/// model are those of `real`, whose network outlives it. Its thread sleeps while the device
/// computes.
std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds);

}  // namespace threefold
