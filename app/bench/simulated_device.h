#pragma once

#include <memory>

#include "engine/network/service/network_info.h"

namespace threefold {

/// Simulated device, for pipelines on an absent device: takes `milliseconds` per mesh, batch after
/// batch, and returns `result` for every input. Precision and model are those of `real`, whose
/// network must outlive the result. The device thread sleeps while computing.
std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds);

}  // namespace threefold
