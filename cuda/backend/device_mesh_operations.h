#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/fitting/fit_solver.h"
#include "engine/geometry/nearest.h"
#include "engine/measures/earth_movers.h"

/// MeshOperations on the network's device.
namespace threefold::cuda {

/// Nearest neighbours as threefold::nearestBidirectional(), in float32. Throws InputError if a
/// squared distance overflows float32.
NeighbourResults nearestOnDevice(const DeviceLimits& limits, MemoryPool& pool, Stream stream,
                                 std::span<const CloudPair> pairs);

/// Earth mover's matchings as threefold::sinkhornDistances().
TransportResults matchOnDevice(MemoryPool& pool, Stream stream, std::span<const CloudPair> pairs,
                              const SinkhornSchedule& schedule);

/// Fit steps on the device, equal to fitting::CpuFitSolver up to rounding. Vertices stay on the
/// device; a step returns two numbers. With further terms (fitting::VertexTerm) each step downloads
/// the vertices and uploads the sums. `memory` and `stream` must outlive the result. begin() throws
/// OutOfDeviceMemory, all functions throw DeviceLost.
std::unique_ptr<fitting::FitSolver> makeCudaFitSolver(const DeviceLimits& limits,
                                                      MemoryPool& memory, Stream stream,
                                                      std::stop_token cancel);

}  // namespace threefold::cuda
