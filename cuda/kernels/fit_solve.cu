// One block solves the whole step. Its conjugate gradients synchronise about two hundred times;
// several blocks would need a barrier over the whole device each time. A thread owns the vertices
// v, v + 1024 … of every vector. Only `field` and `weighted` are read across threads, so they have
// priority for shared memory.
#include "cuda/kernels/fit_solve.h"

#include <algorithm>

#include "cuda/portable/kernel.h"
#include "engine/fitting/term_weights.h"

namespace threefold::cuda {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kMaxWarps = kMaxThreads / 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr unsigned kVectors = 5;
/// Start of the block's shared memory: one partial sum per warp, the total, and the mapped total.
constexpr std::size_t kExchangeBytes = (kMaxWarps + 2) * sizeof(double);

struct Vector3 {
    float x, y, z;
};

__device__ __forceinline__ Vector3 operator+(Vector3 a, Vector3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ __forceinline__ Vector3 operator-(Vector3 a, Vector3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ __forceinline__ Vector3 operator*(float scale, Vector3 a) {
    return {scale * a.x, scale * a.y, scale * a.z};
}
__device__ __forceinline__ float dot(Vector3 a, Vector3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Cooperative solver of one block: all threads call every function together.
class Solver {
  public:
    __device__ Solver(const FitSolveArguments& arguments, unsigned sharedVectors)
        : a_(arguments),
          vertexCount_(arguments.mesh.vertexCount),
          movingCount_(arguments.mesh.levelVertices[arguments.level]) {
        for (unsigned i = 0; i < kVectors; ++i) {
            float* base =
                i < sharedVectors ? sharedMemory<float>(kExchangeBytes) : arguments.workspace;
            vectors_[i] = reinterpret_cast<Vector3*>(base) + std::size_t{i} * vertexCount_;
        }
    }

    __device__ void run() {
        Vector3* field = vectors_[0];
        makeRightHandSide();
        gather();
        forEach(movingCount_, [&](unsigned v) {
            solution(v) = {0, 0, 0};
            residual(v) = field[v];
            direction(v) = field[v];
        });
        solve();
        forEach(movingCount_, [&](unsigned v) { field[v] = solution(v); });
        interpolate();
        auto* vertices = reinterpret_cast<Vector3*>(a_.vertices);
        const double movement = sumOf(vertexCount_, [&](unsigned v) {
            vertices[v] = vertices[v] + field[v];
            return sqrtf(dot(field[v], field[v]));
        });
        const double energy = sumOf(a_.energyCount, [&](unsigned i) { return a_.energies[i]; });
        if (threadIdx.x == 0) *a_.sums = {energy, movement};
    }

  private:
    __device__ __forceinline__ Vector3& direction(unsigned v) { return vectors_[2][v]; }
    __device__ __forceinline__ Vector3& residual(unsigned v) { return vectors_[3][v]; }
    __device__ __forceinline__ Vector3& solution(unsigned v) { return vectors_[4][v]; }

    template <class Act>
    __device__ __forceinline__ void forEach(unsigned count, const Act& body) {
        for (unsigned v = threadIdx.x; v < count; v += blockDim.x) body(v);
    }

    /// Sum of value(i) over i < count, in a fixed order; the same in every thread. Every thread
    /// also gets mapSum(sum), in mappedSum_. A single thread computes mapSum(): GPUs with few
    /// float64 units divide slowly.
    template <class Value, class Finish>
    __device__ __forceinline__ double sumOf(unsigned count, const Value& value,
                                            const Finish& mapSum) {
        double sum = 0;
        forEach(count, [&](unsigned i) { sum += value(i); });
        auto* exchange = sharedMemory<double>();
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
        if (threadIdx.x % 32 == 0) exchange[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x < 32) {
            sum = threadIdx.x < blockDim.x / 32 ? exchange[threadIdx.x] : 0;
            for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
            if (threadIdx.x == 0) {
                exchange[kMaxWarps] = sum;
                exchange[kMaxWarps + 1] = mapSum(sum);
            }
        }
        __syncthreads();
        mappedSum_ = exchange[kMaxWarps + 1];
        return exchange[kMaxWarps];
    }
    template <class Value>
    __device__ __forceinline__ double sumOf(unsigned count, const Value& value) {
        return sumOf(count, value, [](double sum) { return sum; });
    }

    /// Interpolates `field` from the moving vertices to all vertices, level by level. Each thread
    /// must have written its own vertices; afterwards every thread may read all vertices.
    __device__ void interpolate() {
        const FitMesh& mesh = a_.mesh;
        Vector3* field = vectors_[0];
        __syncthreads();
        for (unsigned level = a_.level; level + 1 < mesh.levels; ++level) {
            const unsigned first = mesh.levelVertices[level];
            const unsigned added = mesh.levelVertices[level + 1] - first;
            const std::uint32_t* ends =
                mesh.ends + std::size_t{2} * (first - mesh.levelVertices[0]);
            forEach(added, [&](unsigned i) {
                field[first + i] = 0.5F * (field[ends[2 * i]] + field[ends[2 * i + 1]]);
            });
            __syncthreads();
        }
    }

    /// Transpose of interpolate(). Each thread must have written its own vertices, and may read
    /// only its own vertices afterwards.
    __device__ void gather() {
        const FitMesh& mesh = a_.mesh;
        Vector3* field = vectors_[0];
        for (unsigned level = mesh.levels - 1; level-- > a_.level;) {
            __syncthreads();
            const std::uint32_t* start = mesh.midpointStart + mesh.midpointLevelOffsets[level];
            forEach(mesh.levelVertices[level], [&](unsigned v) {
                Vector3 sum = field[v];
                for (unsigned i = start[v]; i < start[v + 1]; ++i)
                    sum = sum + 0.5F * field[mesh.midpoints[i]];
                field[v] = sum;
            });
        }
    }

    __device__ __forceinline__ Vector3 sumOfNeighbours(const Vector3* values, unsigned v,
                                                       unsigned degree) const {
        const std::uint32_t* neighbour =
            a_.mesh.sellNeighbours + a_.mesh.sellSliceOffsets[v / 32] + v % 32;
        Vector3 sum = {0, 0, 0};
        for (unsigned k = 0; k < degree; ++k) sum = sum + values[neighbour[32 * k]];
        return sum;
    }

    /// Writes the Laplacian of `field` to `weighted`: its normal and tangential parts times their
    /// weights, divided by the degree as the transpose requires. `restLaplacian`: normal
    /// component of the Laplacian at rest, which is subtracted; null: none.
    __device__ void weighLaplacian(const float* restLaplacian) {
        const auto* normals = reinterpret_cast<const Vector3*>(a_.normals);
        const Vector3* field = vectors_[0];
        forEach(vertexCount_, [&](unsigned v) {
            const unsigned degree = a_.mesh.degrees[v];
            Vector3 weighted = {0, 0, 0};
            if (degree > 0) {
                const float inverseDegree = 1.0F / static_cast<float>(degree);
                const Vector3 laplacian =
                    field[v] - inverseDegree * sumOfNeighbours(field, v, degree);
                const Vector3 normal = normals[v];
                float normalPart = (a_.bending - a_.tangentialSmoothing) * dot(normal, laplacian);
                if (restLaplacian != nullptr) normalPart -= a_.bending * restLaplacian[v];
                weighted =
                    inverseDegree * (a_.tangentialSmoothing * laplacian + normalPart * normal);
            }
            vectors_[1][v] = weighted;
        });
        __syncthreads();
    }

    /// Transposed Laplacian of the result of weighLaplacian().
    __device__ __forceinline__ Vector3 transposedLaplacian(unsigned v) const {
        const unsigned degree = a_.mesh.degrees[v];
        const Vector3* weighted = vectors_[1];
        return static_cast<float>(degree) * weighted[v] - sumOfNeighbours(weighted, v, degree);
    }

    /// Writes the right-hand side to `field`: view terms minus surface terms. Adds the
    /// matrices of the anchor and of the damping to the views' matrices in termSums.
    __device__ void makeRightHandSide() {
        const auto* vertices = reinterpret_cast<const Vector3*>(a_.vertices);
        const auto* start = reinterpret_cast<const Vector3*>(a_.start);
        const auto* normals = reinterpret_cast<const Vector3*>(a_.normals);
        Vector3* field = vectors_[0];
        forEach(vertexCount_, [&](unsigned v) { field[v] = vertices[v]; });
        __syncthreads();
        weighLaplacian(a_.restLaplacian);
        constexpr double kScale = fitting::kAnchorScaleUnits * fitting::kAnchorScaleUnits;
        forEach(vertexCount_, [&](unsigned v) {
            const Vector3 displacement = field[v] - start[v];
            const double factor = 1 / (1 + dot(displacement, displacement) / kScale);
            const float anchorWeight = a_.anchor * static_cast<float>(factor * factor);
            const Vector3 normal = normals[v];
            const Vector3 weighted = anchorWeight * normal;
            const float outer[6] = {weighted.x * normal.x, weighted.x * normal.y,
                                    weighted.x * normal.z, weighted.y * normal.y,
                                    weighted.y * normal.z, weighted.z * normal.z};
            for (const unsigned i : {0U, 1U, 2U, 3U, 4U, 5U}) {
                const bool isDiagonal = i == 0 || i == 3 || i == 5;
                a_.termSums[std::size_t{i} * vertexCount_ + v] +=
                    outer[i] + (isDiagonal ? a_.damping : 0);
            }
            const float* vector = a_.termSums + std::size_t{6} * vertexCount_ + v;
            const Vector3 viewTerms = {vector[0], vector[vertexCount_],
                                       vector[std::size_t{2} * vertexCount_]};
            field[v] = viewTerms -
                       (transposedLaplacian(v) + anchorWeight * dot(normal, displacement) * normal);
        });
    }

    /// Writes the product of the system matrix and `direction` to `field`.
    __device__ void multiply() {
        Vector3* field = vectors_[0];
        forEach(movingCount_, [&](unsigned v) { field[v] = direction(v); });
        interpolate();
        weighLaplacian(nullptr);
        forEach(vertexCount_, [&](unsigned v) {
            const Vector3 input = field[v];
            float m[6];
#pragma unroll
            for (unsigned i = 0; i < 6; ++i) m[i] = a_.termSums[std::size_t{i} * vertexCount_ + v];
            const Vector3 viewProduct = {m[0] * input.x + m[1] * input.y + m[2] * input.z,
                                         m[1] * input.x + m[3] * input.y + m[4] * input.z,
                                         m[2] * input.x + m[4] * input.y + m[5] * input.z};
            field[v] = transposedLaplacian(v) + viewProduct;
        });
        gather();
    }

    /// Solves the system by conjugate gradients, starting at 0.
    __device__ void solve() {
        const Vector3* product = vectors_[0];
        double residualSquared =
            sumOf(movingCount_, [&](unsigned v) { return dot(residual(v), residual(v)); });
        const double tolerance = fitting::kSolverTolerance * residualSquared;
        for (int step = 0; step < fitting::kMaxSolverIterations && residualSquared > tolerance;
             ++step) {
            multiply();
            const double curvature = sumOf(
                movingCount_, [&](unsigned v) { return dot(direction(v), product[v]); },
                [&](double sum) { return residualSquared / sum; });
            if (!(curvature > 0)) return;
            const auto alpha = static_cast<float>(mappedSum_);
            const double nextResidualSquared = sumOf(
                movingCount_,
                [&](unsigned v) {
                    solution(v) = solution(v) + alpha * direction(v);
                    residual(v) = residual(v) - alpha * product[v];
                    return dot(residual(v), residual(v));
                },
                [&](double sum) { return sum / residualSquared; });
            const auto beta = static_cast<float>(mappedSum_);
            forEach(movingCount_,
                    [&](unsigned v) { direction(v) = residual(v) + beta * direction(v); });
            residualSquared = nextResidualSquared;
        }
    }

    const FitSolveArguments& a_;
    const unsigned vertexCount_;
    const unsigned movingCount_;  ///< vertices of the level: the unknowns
    Vector3* vectors_[kVectors];  ///< field, weighted, direction, residual, solution
    double mappedSum_ = 0;        ///< mapped result of the last sumOf()
};

__global__ void __launch_bounds__(kMaxThreads)
    fitSolveKernel(const FitSolveArguments arguments, unsigned sharedVectors) {
    Solver(arguments, sharedVectors).run();
}

}  // namespace

std::size_t fitSolveWorkspaceBytes(std::uint32_t vertexCount) {
    return kVectors * sizeof(Vector3) * vertexCount;
}

void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments) {
    const std::uint32_t vertices = arguments.mesh.vertexCount;
    const std::size_t bytes = sizeof(Vector3) * vertices;
    const std::size_t available =
        std::max(limits.sharedBytesPerBlock, kExchangeBytes) - kExchangeBytes;
    const auto sharedVectors =
        static_cast<unsigned>(std::min<std::size_t>(kVectors, available / bytes));
    const unsigned threads = std::min((vertices + 31) / 32 * 32, kMaxThreads);
    launch(fitSolveKernel, {dim3(1), dim3(threads), kExchangeBytes + sharedVectors * bytes}, stream,
           arguments, sharedVectors);
}

}  // namespace threefold::cuda
