#pragma once

#include <memory>
#include <stop_token>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/fitting/fit_solver.h"
#include "engine/geometry/nearest.h"
#include "engine/measures/earth_movers.h"

namespace threefold::cuda {

/// Makes a solver whose steps run on the device and equal the steps of fitting::CpuFitSolver up to
/// rounding. Vertices stay on the device; a step downloads only a FitStepSums. If the fit has terms
/// without a kernel (fitting::VertexTerm), each step also downloads the vertices, normals and sums
/// of the other terms, and uploads the sums of all terms.
/// `memory` and `stream` must outlive the result. begin() throws OutOfDeviceMemory, all functions
/// throw DeviceLost.
std::unique_ptr<fitting::FitSolver> makeCudaFitSolver(const DeviceLimits& limits,
                                                      MemoryPool& memory, Stream stream,
                                                      std::stop_token cancel);

}  // namespace threefold::cuda
