#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/fit_mesh.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// What a step did.
struct FitOutcome {
    double energy;    ///< the sum of the energies given
    double movement;  ///< sum over the vertices
};

struct FitSolveArguments {
    FitMesh mesh;
    std::uint32_t level = 0;           ///< whose vertices move
    const float* start = nullptr;      ///< (vertexCount, 3): where the fit stays near …
    const float* curvature = nullptr;  ///< … and how that is curved: (vertexCount)
    const float* normals = nullptr;    ///< (vertexCount, 3)
    /// fitting::SurfaceWeights
    float bending = 0, spreading = 0, damping = 0, staying = 0;
    float* sum = nullptr;       ///< of launchFitTerms(); changed
    float* vertices = nullptr;  ///< (vertexCount, 3): moved
    const double* energies = nullptr;
    std::uint32_t energyCount = 0;
    FitOutcome* outcome = nullptr;
    float* workspace = nullptr;  ///< fitSolveWorkspace() bytes
};

/// Bytes of a launch's workspace.
std::size_t fitSolveWorkspace(std::uint32_t vertexCount);

/// A step of a fit but for the views' terms (fitting::ProcessorSteps::take): the surface's own
/// terms, up to kSolverSteps conjugate gradients, the movement. One block; vectors that it works
/// with lie in shared memory as far as a block of the device has it, in the workspace beyond. The
/// same bits on every run and with any amount of shared memory. Any number of vertices but 0.
void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments);

}  // namespace threefold::cuda
