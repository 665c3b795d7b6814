// One block makes the step: its conjugate gradients meet some two hundred times, which blocks of
// their own could only do through the whole device. A thread has the vertices v, v + 1024 … in
// every vector; only `full` and `curved` are read across threads, so they come first where shared
// memory is short.
#include "cuda/kernels/fit.h"

#include <algorithm>

#include "cuda/portable/kernel.h"
#include "engine/fitting/term_weights.h"

namespace threefold::cuda {
namespace {

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostWarps = kMostThreads / 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr unsigned kVectors = 5;
/// At the start of the block's shared memory: a sum of each warp's, and what all get.
constexpr std::size_t kExchangeBytes = (kMostWarps + 2) * sizeof(double);

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

/// What the threads of the block do together.
class Solver {
  public:
    __device__ Solver(const FitSolveArguments& arguments, unsigned sharedVectors)
        : a_(arguments),
          count_(arguments.mesh.vertexCount),
          moving_(arguments.mesh.levelVertices[arguments.level]) {
        for (unsigned i = 0; i < kVectors; ++i) {
            float* place =
                i < sharedVectors ? sharedMemory<float>(kExchangeBytes) : arguments.workspace;
            vectors_[i] = reinterpret_cast<Vector3*>(place) + std::size_t{i} * count_;
        }
    }

    __device__ void run() {
        Vector3* full = vectors_[0];
        makeWanted();
        gather();
        eachOf(moving_, [&](unsigned v) {
            solution(v) = {0, 0, 0};
            residual(v) = full[v];
            direction(v) = full[v];
        });
        solve();
        eachOf(moving_, [&](unsigned v) { full[v] = solution(v); });
        interpolate();
        auto* vertices = reinterpret_cast<Vector3*>(a_.vertices);
        const double movement = sumOf(count_, [&](unsigned v) {
            vertices[v] = vertices[v] + full[v];
            return sqrtf(dot(full[v], full[v]));
        });
        const double energy = sumOf(a_.energyCount, [&](unsigned i) { return a_.energies[i]; });
        if (threadIdx.x == 0) *a_.outcome = {energy, movement};
    }

  private:
    __device__ __forceinline__ Vector3& direction(unsigned v) { return vectors_[2][v]; }
    __device__ __forceinline__ Vector3& residual(unsigned v) { return vectors_[3][v]; }
    __device__ __forceinline__ Vector3& solution(unsigned v) { return vectors_[4][v]; }

    template <class Act>
    __device__ __forceinline__ void eachOf(unsigned count, const Act& act) {
        for (unsigned v = threadIdx.x; v < count; v += blockDim.x) act(v);
    }

    /// Of a value of each, in a fixed order; the same in every thread. `finish` turns it into what
    /// they get, in one of them: a division of doubles takes long where there are few units for it.
    template <class Value, class Finish>
    __device__ __forceinline__ double sumOf(unsigned count, const Value& value,
                                            const Finish& finish) {
        double sum = 0;
        eachOf(count, [&](unsigned i) { sum += value(i); });
        auto* exchange = sharedMemory<double>();
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
        if (threadIdx.x % 32 == 0) exchange[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x < 32) {
            sum = threadIdx.x < blockDim.x / 32 ? exchange[threadIdx.x] : 0;
            for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAllLanes, sum, step);
            if (threadIdx.x == 0) {
                exchange[kMostWarps] = sum;
                exchange[kMostWarps + 1] = finish(sum);
            }
        }
        __syncthreads();
        finished_ = exchange[kMostWarps + 1];
        return exchange[kMostWarps];
    }
    template <class Value>
    __device__ __forceinline__ double sumOf(unsigned count, const Value& value) {
        return sumOf(count, value, [](double sum) { return sum; });
    }

    /// From the values of the moving vertices in `full` to those of all. Each thread has written
    /// its own; all may read all of them afterwards.
    __device__ void interpolate() {
        const FitMesh& mesh = a_.mesh;
        Vector3* full = vectors_[0];
        __syncthreads();
        for (unsigned level = a_.level; level + 1 < mesh.levels; ++level) {
            const unsigned first = mesh.levelVertices[level];
            const unsigned added = mesh.levelVertices[level + 1] - first;
            const std::uint32_t* ends =
                mesh.ends + std::size_t{2} * (first - mesh.levelVertices[0]);
            eachOf(added, [&](unsigned i) {
                full[first + i] = 0.5F * (full[ends[2 * i]] + full[ends[2 * i + 1]]);
            });
            __syncthreads();
        }
    }

    /// The transpose of interpolate(). Each thread has written its own; it may read its own
    /// afterwards.
    __device__ void gather() {
        const FitMesh& mesh = a_.mesh;
        Vector3* full = vectors_[0];
        for (unsigned level = mesh.levels - 1; level-- > a_.level;) {
            __syncthreads();
            const std::uint32_t* start = mesh.midpointStart + mesh.midpointLevel[level];
            eachOf(mesh.levelVertices[level], [&](unsigned v) {
                Vector3 sum = full[v];
                for (unsigned i = start[v]; i < start[v + 1]; ++i)
                    sum = sum + 0.5F * full[mesh.midpoints[i]];
                full[v] = sum;
            });
        }
    }

    __device__ __forceinline__ Vector3 sumOfNeighbours(const Vector3* values, unsigned v,
                                                       unsigned degree) const {
        const std::uint32_t* neighbour = a_.mesh.neighbours + a_.mesh.sliceStart[v / 32] + v % 32;
        Vector3 sum = {0, 0, 0};
        for (unsigned k = 0; k < degree; ++k) sum = sum + values[neighbour[32 * k]];
        return sum;
    }

    /// To `curved`: the Laplacian of `full`, its part along the normal and along the surface each
    /// by its weight, divided by the number of neighbours, as the transpose requires. `without`:
    /// the curvature along the normal that does not count, null for none.
    __device__ void weighLaplacian(const float* without) {
        const auto* normals = reinterpret_cast<const Vector3*>(a_.normals);
        const Vector3* full = vectors_[0];
        eachOf(count_, [&](unsigned v) {
            const unsigned degree = a_.mesh.degrees[v];
            Vector3 curved = {0, 0, 0};
            if (degree > 0) {
                const float share = 1.0F / static_cast<float>(degree);
                const Vector3 bent = full[v] - share * sumOfNeighbours(full, v, degree);
                const Vector3 normal = normals[v];
                float along = (a_.bending - a_.spreading) * dot(normal, bent);
                if (without != nullptr) along -= a_.bending * without[v];
                curved = share * (a_.spreading * bent + along * normal);
            }
            vectors_[1][v] = curved;
        });
        __syncthreads();
    }

    /// The transposed Laplacian of what weighLaplacian() made.
    __device__ __forceinline__ Vector3 transposedAt(unsigned v) const {
        const unsigned degree = a_.mesh.degrees[v];
        const Vector3* curved = vectors_[1];
        return static_cast<float>(degree) * curved[v] - sumOfNeighbours(curved, v, degree);
    }

    /// To `full`: the sum of all terms for each vertex, the surface's included; completes the
    /// matrices.
    __device__ void makeWanted() {
        const auto* vertices = reinterpret_cast<const Vector3*>(a_.vertices);
        const auto* start = reinterpret_cast<const Vector3*>(a_.start);
        Vector3* full = vectors_[0];
        eachOf(count_, [&](unsigned v) { full[v] = vertices[v]; });
        __syncthreads();
        weighLaplacian(a_.curvature);
        constexpr double kScale = fitting::kStayingReach * fitting::kStayingReach;
        eachOf(count_, [&](unsigned v) {
            const Vector3 moved = full[v] - start[v];
            const double share = 1 / (1 + dot(moved, moved) / kScale);
            const float stay = a_.staying * static_cast<float>(share * share);
            for (const unsigned diagonal : {0U, 3U, 5U})
                a_.sum[std::size_t{diagonal} * count_ + v] += stay + a_.damping;
            const float* vector = a_.sum + std::size_t{6} * count_ + v;
            const Vector3 asked = {vector[0], vector[count_], vector[std::size_t{2} * count_]};
            full[v] = asked - (transposedAt(v) + stay * moved);
        });
    }

    /// To `full`: the product of the whole matrix with `direction`.
    __device__ void multiply() {
        Vector3* full = vectors_[0];
        eachOf(moving_, [&](unsigned v) { full[v] = direction(v); });
        interpolate();
        weighLaplacian(nullptr);
        eachOf(count_, [&](unsigned v) {
            const Vector3 own = full[v];
            float m[6];
#pragma unroll
            for (unsigned i = 0; i < 6; ++i) m[i] = a_.sum[std::size_t{i} * count_ + v];
            const Vector3 asked = {m[0] * own.x + m[1] * own.y + m[2] * own.z,
                                   m[1] * own.x + m[3] * own.y + m[4] * own.z,
                                   m[2] * own.x + m[4] * own.y + m[5] * own.z};
            full[v] = transposedAt(v) + asked;
        });
        gather();
    }

    /// conjugateGradients() from 0.
    __device__ void solve() {
        const Vector3* product = vectors_[0];
        double left = sumOf(moving_, [&](unsigned v) { return dot(residual(v), residual(v)); });
        const double enough = fitting::kSolverEnough * left;
        for (int step = 0; step < fitting::kSolverSteps && left > enough; ++step) {
            multiply();
            const double curvature = sumOf(
                moving_, [&](unsigned v) { return dot(direction(v), product[v]); },
                [&](double sum) { return left / sum; });
            if (!(curvature > 0)) return;
            const auto length = static_cast<float>(finished_);
            const double next = sumOf(
                moving_,
                [&](unsigned v) {
                    solution(v) = solution(v) + length * direction(v);
                    residual(v) = residual(v) - length * product[v];
                    return dot(residual(v), residual(v));
                },
                [&](double sum) { return sum / left; });
            const auto keep = static_cast<float>(finished_);
            eachOf(moving_, [&](unsigned v) { direction(v) = residual(v) + keep * direction(v); });
            left = next;
        }
    }

    const FitSolveArguments& a_;
    const unsigned count_;
    const unsigned moving_;       ///< vertices of the level
    Vector3* vectors_[kVectors];  ///< full, curved, direction, residual, solution
    double finished_ = 0;         ///< of the last sumOf()
};

__global__ void __launch_bounds__(kMostThreads)
    fitSolveKernel(const FitSolveArguments arguments, unsigned sharedVectors) {
    Solver(arguments, sharedVectors).run();
}

}  // namespace

std::size_t fitSolveWorkspace(std::uint32_t vertexCount) {
    return kVectors * sizeof(Vector3) * vertexCount;
}

void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments) {
    const std::uint32_t vertices = arguments.mesh.vertexCount;
    const std::size_t bytes = sizeof(Vector3) * vertices;
    const std::size_t room = std::max(limits.sharedBytesPerBlock, kExchangeBytes) - kExchangeBytes;
    const auto shared = static_cast<unsigned>(std::min<std::size_t>(kVectors, room / bytes));
    const unsigned threads = std::min((vertices + 31) / 32 * 32, kMostThreads);
    launch(fitSolveKernel, {dim3(1), dim3(threads), kExchangeBytes + shared * bytes}, stream,
           arguments, shared);
}

}  // namespace threefold::cuda
