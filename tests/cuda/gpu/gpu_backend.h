#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/network/cuda_options.h"
#include "tests/cuda/gpu/gpu.h"
#include "tests/engine/network/golden_case.h"

namespace threefold::test {

/// Folder of tuning plans that all tests of a run share, apart from the user's cache: a temporary
/// folder, or the persistent $THREEFOLD_GPU_TEST_PLANS.
std::filesystem::path planFolder();

/// Options of the tests: little warm-up, plans in planFolder(); a warning in the log fails the
/// running test.
CudaOptions gpuOptions(Precision precision, bool libraryKernels = false);

/// Back end on the first GPU, for the bundled model with the sampler of the case.
std::unique_ptr<Backend> gpuBackend(const GoldenCase& golden, const CudaOptions& options);

/// Whether the first GPU supports the precision.
bool gpuHas(Precision precision);

/// Largest distance between corresponding vertices of two meshes; infinite if a value is not finite
/// or the counts differ. Vertices whose flag in `skip` is set are left out.
double furthest(const Points& ours, const Points& theirs, const std::vector<bool>& skip = {});

/// Whether the vertices of all stages are equal bit for bit.
bool sameBits(const Reconstruction& a, const Reconstruction& b);

}  // namespace threefold::test
