#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/fit_mesh.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// Sums over one step of a fit.
struct FitStepSums {
    double energy;    ///< sum of FitSolveArguments::energies
    double movement;  ///< sum of the lengths of the vertices' displacements
};

/// Arguments of launchFitSolve(). All pointers are device memory.
struct FitSolveArguments {
    FitMesh mesh;
    std::uint32_t level = 0;               ///< level whose vertices move
    const float* start = nullptr;          ///< (vertexCount, 3): positions at the start of the fit
    const float* restLaplacian = nullptr;  ///< (vertexCount): FitStart::restLaplacian
    const float* normals = nullptr;        ///< (vertexCount, 3)
    /// Weights of the surface terms (fitting::RegularisationWeights).
    float bending = 0, tangentialSmoothing = 0, damping = 0, anchor = 0;
    float* termSums = nullptr;  ///< from launchFitTerms(); modified
    float* vertices = nullptr;  ///< (vertexCount, 3): moved
    const double* energies = nullptr;
    std::uint32_t energyCount = 0;
    FitStepSums* sums = nullptr;
    float* workspace = nullptr;  ///< fitSolveWorkspaceBytes() bytes
};

/// Bytes of a launch's workspace.
std::size_t fitSolveWorkspaceBytes(std::uint32_t vertexCount);

/// Solves one step of a fit (fitting::CpuFitSolver::step) from the views' terms: adds the surface
/// terms, runs up to kMaxSolverIterations conjugate gradients, moves the vertices. The kernel runs
/// as one thread block; the solver's vectors fill the block's shared memory first, then the
/// workspace. Gives the same bits on every run and with any amount of shared memory. Needs at least
/// one vertex.
void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments);

}  // namespace threefold::cuda
