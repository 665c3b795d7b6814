#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/network/cuda_options.h"
#include "tests/cuda/gpu/gpu.h"
#include "tests/engine/network/golden_case.h"

namespace threefold::test {

/// Plans of one run of the tests serve all of them, and leave the user's cache alone: a temporary
/// folder, or $THREEFOLD_GPU_TEST_PLANS, which lasts.
std::filesystem::path planFolder();

/// Options of the tests: little warm-up, plans in planFolder(), any warning of the log fails the
/// running test.
CudaOptions gpuOptions(Precision precision, bool libraryKernels = false);

/// The bundled model with the sampler of the case, on the first GPU.
std::unique_ptr<Backend> gpuBackend(const GoldenCase& golden, const CudaOptions& options);

/// Whether the first GPU has the precision.
bool gpuHas(Precision precision);

/// Largest distance between two meshes' vertices that belong together; infinite where a value is
/// not finite or the counts differ. Vertices whose flag in `skip` is set are left out.
double furthest(const Points& ours, const Points& theirs, const std::vector<bool>& skip = {});

/// Equal to the last bit, all five levels.
bool sameBits(const Reconstruction& a, const Reconstruction& b);

}  // namespace threefold::test
