#pragma once

#include <memory>

#include "engine/network/service/network_info.h"

namespace threefold {

/// Makes a back end that simulates an absent device, for pipelines. The back end takes
/// `milliseconds` per mesh, one batch after another, and returns `result` for every input, without
/// step timings. It has the precision and the model of `real`. The device thread sleeps while
/// computing.
std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds);

}  // namespace threefold
