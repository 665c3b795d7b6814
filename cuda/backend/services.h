#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/fitting/fit_steps.h"
#include "engine/metrics/matching.h"
#include "engine/metrics/nearest.h"

/// What the backend computes on the device beside the network.
namespace threefold::cuda {

/// As threefold::nearestBothWays(), in float32. Distances that overflow it are refused.
NearestBatch nearestOnDevice(const DeviceLimits& limits, MemoryPool& pool, Stream stream,
                             std::span<const CloudPair> pairs);

/// As threefold::approximateMatchings().
MatchingBatch matchOnDevice(MemoryPool& pool, Stream stream, std::span<const CloudPair> pairs,
                            const MatchingSchedule& schedule);

/// The steps of a fit on the device, as fitting::ProcessorSteps up to rounding. Vertices stay
/// there; a step gives back two numbers. Where there are further terms (fitting::VertexTerm) the
/// vertices come back and the sums go there in each step. `memory` and `stream` outlive it. begin()
/// throws OutOfDeviceMemory, all throw DeviceLost.
std::unique_ptr<fitting::FitSteps> makeDeviceFitSteps(const DeviceLimits& limits,
                                                      MemoryPool& memory, Stream stream,
                                                      std::stop_token cancel);

}  // namespace threefold::cuda
