// Every half step of the definition (METHOD.md §9) reduces all points of one cloud to
// a sum or an extreme for each point of the other. One kernel serves all half steps (see Step): a
// block takes eight points, its threads loop over the other cloud four points at a time and reduce
// in shared memory. Each half step is a launch of its own; stream order is the only
// synchronisation.
#include "cuda/kernels/sinkhorn.h"

#include <algorithm>

#include "cuda/portable/kernel.h"
#include "cuda/runtime/memory_layout.h"

namespace threefold::cuda {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kPoints = 8;  // points of a block
constexpr unsigned kStride = 4;  // points of the other cloud that a thread processes at once
constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr unsigned kMaxPairsPerLaunch = 65535;  // limit of a grid's second dimension

constexpr float kMinFloat = -3.402823466e38F;
constexpr float kMinSum = 1e-30F;
constexpr float kLog2E = 1.44269504088896340736F;

/// Quantity that a half step computes for each point, in the letters of the definition.
enum class Step {
    softMinimum,  ///< u or v: update of the potentials
    hardMinimum,  ///< x or y: the dual bound
    ask,          ///< f
    grant,        ///< g and B
    move,         ///< distance and A
};

/// One cloud of every pair: arrays over the packed points.
struct Side {
    const float* coordinates;    // (points, 3)
    const std::uint32_t* start;  // (pairs + 1)
    float4* points;              // x, y, z and the potential
    float* remaining;            // A or B
    float* ratio;                // f or g
    float* bound;                // x or y
};

struct Workspace {
    Side first;
    Side second;
    double* costs;  // (Σ n_i)
    float* scales;  // (pairs): NaN if a cloud is empty, a coordinate not finite, or on overflow
};

#if defined(__CUDACC__)
__device__ __forceinline__ float powerOfTwo(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
__device__ __forceinline__ float reciprocalRoot(float x) {
    float result;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}
#else
float powerOfTwo(float x) {
    return std::exp2(x);
}
float reciprocalRoot(float x) {
    return 1 / std::sqrt(x);
}
#endif

__device__ __forceinline__ float distanceOf(float dx, float dy, float dz) {
    constexpr float smallest = 1e-37F;  // keeps the reciprocal root of 0 finite
    const float squared = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
    return squared * reciprocalRoot(fmaxf(squared, smallest));
}

__device__ __forceinline__ double notBelowZero(double value) {
    return value > 0 ? value : 0;
}

/// Computes the scale of each pair and resets its points: potential 0, full mass remaining. One
/// block per pair.
__global__ void __launch_bounds__(kThreads) prepareMatching(Workspace workspace) {
    const unsigned pair = blockIdx.x;
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    bool finite = true;
    const Side sides[2] = {workspace.first, workspace.second};
    for (const Side& side : sides) {
        const unsigned begin = side.start[pair];
        const unsigned end = side.start[pair + 1];
        const float mass = 1.0F / static_cast<float>(end - begin);
        for (unsigned i = begin + threadIdx.x; i < end; i += kThreads) {
            const float* source = side.coordinates + std::size_t{3} * i;
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = fminf(low[axis], source[axis]);
                high[axis] = fmaxf(high[axis], source[axis]);
                finite = finite && fabsf(source[axis]) < INFINITY;
            }
            side.points[i] = make_float4(source[0], source[1], source[2], 0);
            side.remaining[i] = mass;
        }
        if (begin == end) finite = false;
    }
    for (unsigned i = workspace.first.start[pair] + threadIdx.x;
         i < workspace.first.start[pair + 1]; i += kThreads)
        workspace.costs[i] = 0;

    float* reduced = sharedMemory<float>();  // (7, kThreads)
    for (int axis = 0; axis < 3; ++axis) {
        reduced[axis * kThreads + threadIdx.x] = low[axis];
        reduced[(3 + axis) * kThreads + threadIdx.x] = high[axis];
    }
    reduced[6 * kThreads + threadIdx.x] = finite ? 0 : 1;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int value = 0; value < 7; ++value) {
                float* mine = reduced + value * kThreads + threadIdx.x;
                *mine = value < 3 ? fminf(mine[0], mine[half]) : fmaxf(mine[0], mine[half]);
            }
    }
    if (threadIdx.x == 0) {
        const float x = reduced[3 * kThreads] - reduced[0];
        const float y = reduced[4 * kThreads] - reduced[kThreads];
        const float z = reduced[5 * kThreads] - reduced[2 * kThreads];
        const float scale = sqrtf(x * x + y * y + z * z);
        const bool answerable = reduced[6 * kThreads] == 0 && scale < INFINITY;
        workspace.scales[pair] = answerable ? scale : NAN;
    }
}

/// A point for which a thread reduces the other cloud.
struct Point {
    float x, y, z, potential;
};

/// Values of a point, reduced over all threads.
struct Reduced {
    float first;
    float second;
};

/// Points of the other cloud that a thread processes at once.
struct Others {
    float4 points[kStride];  // x, y, z and the potential
    float weights[kStride];
};

/// Arguments of a step for all points of a pair.
struct StepArguments {
    float inverse;  // log2(e) / temperature, or 0 for the step of the plan in which K is 1
    float relaxation;
    unsigned otherCount;
    double* costs;
};

__device__ __forceinline__ float distanceTo(const Point& from, const float4& to) {
    return distanceOf(from.x - to.x, from.y - to.y, from.z - to.z);
}

/// One step. accumulate() adds points of the other cloud to a thread's values of a point, which
/// begin as kStart and 0; combine() reduces the values of all threads to one; store() writes the
/// result. `kPadding`: potential of points beyond the end of the other cloud, which never change
/// a maximum, a minimum or a sum.
template <Step step>
struct StepTraits;

/// Reduces to the largest exponent, and the sum relative to it.
template <>
struct StepTraits<Step::softMinimum> {
    static constexpr float kPadding = -INFINITY;
    static constexpr float kStart = kMinFloat;

    static __device__ __forceinline__ void accumulate(float& first, float& second,
                                                      const Point& point, const Others& others,
                                                      float inverse) {
        const auto valueOf = [&](unsigned k) {
            return (others.points[k].w - distanceTo(point, others.points[k])) * inverse;
        };
        const float value[kStride] = {valueOf(0), valueOf(1), valueOf(2), valueOf(3)};
        const float larger =
            fmaxf(fmaxf(fmaxf(value[0], value[1]), fmaxf(value[2], value[3])), first);
        second *= powerOfTwo(first - larger);
        for (const float each : value) second += powerOfTwo(each - larger);
        first = larger;
    }

    /// `first`, `second`: values of all threads, starting at the lane's value.
    static __device__ __forceinline__ Reduced combine(const float* first, const float* second) {
        Reduced total = {first[0], 0};
        for (unsigned i = 32; i < kThreads; i += 32) total.first = fmaxf(total.first, first[i]);
        for (int offset = 16; offset > 0; offset /= 2)
            total.first = fmaxf(total.first, __shfl_xor_sync(kAllLanes, total.first, offset));
        for (unsigned i = 0; i < kThreads; i += 32)
            total.second += second[i] * powerOfTwo(first[i] - total.first);
        for (int offset = 16; offset > 0; offset /= 2)
            total.second += __shfl_xor_sync(kAllLanes, total.second, offset);
        return total;
    }

    static __device__ __forceinline__ void store(const Side& cloud, unsigned i,
                                                 const Reduced& total,
                                                 const StepArguments& arguments) {
        const float target =
            -(total.first + log2f(total.second / static_cast<float>(arguments.otherCount))) /
            arguments.inverse;
        const float potential = cloud.points[i].w;
        cloud.points[i].w = potential + arguments.relaxation * (target - potential);
    }
};

/// Reduces to the minimum of distance minus potential over the points of the other cloud.
template <>
struct StepTraits<Step::hardMinimum> {
    static constexpr float kPadding = -INFINITY;
    static constexpr float kStart = INFINITY;

    static __device__ __forceinline__ void accumulate(float& first, float& /*second*/,
                                                      const Point& point, const Others& others,
                                                      float /*inverse*/) {
#pragma unroll
        for (unsigned k = 0; k < kStride; ++k)
            first = fminf(first, distanceTo(point, others.points[k]) - others.points[k].w);
    }

    static __device__ __forceinline__ Reduced combine(const float* first, const float* /*second*/) {
        Reduced total = {first[0], 0};
        for (unsigned i = 32; i < kThreads; i += 32) total.first = fminf(total.first, first[i]);
        for (int offset = 16; offset > 0; offset /= 2)
            total.first = fminf(total.first, __shfl_xor_sync(kAllLanes, total.first, offset));
        return total;
    }

    static __device__ __forceinline__ void store(const Side& cloud, unsigned i,
                                                 const Reduced& total,
                                                 const StepArguments& /*arguments*/) {
        cloud.bound[i] = total.first;
    }
};

/// Reduces to the moved mass, and for Step::move also to the cost of this mass.
template <Step step>
struct PlanStepTraits {
    // Finite, since infinity × 0 (temperature 0) would be NaN.
    static constexpr float kPadding = -1e30F;
    static constexpr float kStart = 0;

    static __device__ __forceinline__ void accumulate(float& first, float& second,
                                                      const Point& point, const Others& others,
                                                      float inverse) {
#pragma unroll
        for (unsigned k = 0; k < kStride; ++k) {
            const float distance = distanceTo(point, others.points[k]);
            const float moved =
                powerOfTwo((point.potential + others.points[k].w - distance) * inverse) *
                others.weights[k];
            first += moved;
            if constexpr (step == Step::move) second = fmaf(moved, distance, second);
        }
    }

    static __device__ __forceinline__ Reduced combine(const float* first, const float* second) {
        Reduced total = {first[0], second[0]};
        for (unsigned i = 32; i < kThreads; i += 32) {
            total.first += first[i];
            total.second += second[i];
        }
        for (int offset = 16; offset > 0; offset /= 2) {
            total.first += __shfl_xor_sync(kAllLanes, total.first, offset);
            if constexpr (step == Step::move)
                total.second += __shfl_xor_sync(kAllLanes, total.second, offset);
        }
        return total;
    }
};

template <>
struct StepTraits<Step::ask> : PlanStepTraits<Step::ask> {
    static __device__ __forceinline__ void store(const Side& cloud, unsigned i,
                                                 const Reduced& total,
                                                 const StepArguments& /*arguments*/) {
        cloud.ratio[i] =
            total.first < kMinSum
                ? 0.0F
                : static_cast<float>(cloud.remaining[i] / static_cast<double>(total.first));
    }
};

template <>
struct StepTraits<Step::grant> : PlanStepTraits<Step::grant> {
    static __device__ __forceinline__ void store(const Side& cloud, unsigned i,
                                                 const Reduced& total,
                                                 const StepArguments& /*arguments*/) {
        const double remaining = cloud.remaining[i];
        const double demand = remaining * total.first;
        const double ratio = demand < kMinSum || remaining >= demand ? 1 : remaining / demand;
        cloud.ratio[i] = static_cast<float>(remaining * ratio);
        cloud.remaining[i] = static_cast<float>(notBelowZero(remaining - demand));
    }
};

template <>
struct StepTraits<Step::move> : PlanStepTraits<Step::move> {
    static __device__ __forceinline__ void store(const Side& cloud, unsigned i,
                                                 const Reduced& total,
                                                 const StepArguments& arguments) {
        const double ratio = cloud.ratio[i];
        arguments.costs[i] += ratio * total.second;
        cloud.remaining[i] =
            static_cast<float>(notBelowZero(cloud.remaining[i] - ratio * total.first));
    }
};

/// One half step for all pairs. `temperature`: relative to the scale; 0: the step of the plan in
/// which K is 1 (METHOD.md §9). `weights`, a value for each point of `other`:
/// - softMinimum: null, the potentials are in other.points;
/// - hardMinimum: potentials; null: those in other.points;
/// - ask, grant, move: remaining mass or ratios.
template <Step step>
__global__ void __launch_bounds__(kThreads)
    matchingKernel(Side cloud, Side other, const float* weights, double* costs, const float* scales,
                   float temperature, float relaxation) {
    using Traits = StepTraits<step>;
    const unsigned pair = blockIdx.y;
    const unsigned begin = cloud.start[pair];
    const unsigned count = cloud.start[pair + 1] - begin;
    const unsigned otherBegin = other.start[pair];
    const unsigned otherCount = other.start[pair + 1] - otherBegin;
    const unsigned pointBegin = blockIdx.x * kPoints;
    const float scale = scales[pair];
    if (pointBegin >= count || !(scale > 0)) return;
    const float inverse = temperature == 0 ? 0 : kLog2E / (scale * temperature);

    Point points[kPoints];
    float first[kPoints], second[kPoints];
#pragma unroll
    for (unsigned p = 0; p < kPoints; ++p) {
        const float4 point = cloud.points[begin + min(pointBegin + p, count - 1)];
        points[p] = {point.x, point.y, point.z, point.w};
        first[p] = Traits::kStart;
        second[p] = 0;
    }

    for (unsigned at = threadIdx.x; at < otherCount; at += kStride * kThreads) {
        Others others;
#pragma unroll
        for (unsigned k = 0; k < kStride; ++k) {
            const unsigned j = at + k * kThreads;
            const bool valid = j < otherCount;
            others.points[k] =
                valid ? other.points[otherBegin + j] : make_float4(0, 0, 0, Traits::kPadding);
            others.weights[k] = valid && weights != nullptr ? weights[otherBegin + j] : 0;
            if (step == Step::hardMinimum && valid && weights != nullptr)
                others.points[k].w = others.weights[k];
        }
#pragma unroll
        for (unsigned p = 0; p < kPoints; ++p)
            Traits::accumulate(first[p], second[p], points[p], others, inverse);
    }

    float* firstValues = sharedMemory<float>();  // (kPoints, kThreads), twice
    float* secondValues = firstValues + kPoints * kThreads;
#pragma unroll
    for (unsigned p = 0; p < kPoints; ++p) {
        firstValues[p * kThreads + threadIdx.x] = first[p];
        secondValues[p * kThreads + threadIdx.x] = second[p];
    }
    __syncthreads();

    const unsigned lane = threadIdx.x % 32;
    for (unsigned p = threadIdx.x / 32; p < kPoints; p += kWarps) {
        const Reduced total =
            Traits::combine(firstValues + p * kThreads + lane, secondValues + p * kThreads + lane);
        if (lane != 0 || pointBegin + p >= count) continue;
        Traits::store(cloud, begin + pointBegin + p, total,
                      {inverse, relaxation, otherCount, costs});
    }
}

/// Sums distance and lower bound of a pair. One block per pair.
__global__ void __launch_bounds__(kThreads)
    finishMatching(Workspace workspace, EarthMoversDistance* results) {
    const unsigned pair = blockIdx.x;
    const float scale = workspace.scales[pair];
    if (!(scale > 0)) {  // 0 if all points coincide; NaN if there is no result
        if (threadIdx.x == 0) {
            results[pair].distance = scale;
            results[pair].lowerBound = scale;
            results[pair].isExact = false;
        }
        return;
    }
    double* reduced = sharedMemory<double>();  // (5, kThreads)
    double sums[5] = {};
    const unsigned firstBegin = workspace.first.start[pair];
    const unsigned firstEnd = workspace.first.start[pair + 1];
    const unsigned secondBegin = workspace.second.start[pair];
    const unsigned secondEnd = workspace.second.start[pair + 1];
    for (unsigned i = firstBegin + threadIdx.x; i < firstEnd; i += kThreads) {
        sums[0] += workspace.costs[i];
        sums[1] += workspace.first.remaining[i];
        sums[2] += workspace.first.bound[i];
    }
    for (unsigned j = secondBegin + threadIdx.x; j < secondEnd; j += kThreads) {
        sums[3] += workspace.second.remaining[j];
        sums[4] += workspace.second.bound[j];
    }
    for (int value = 0; value < 5; ++value) reduced[value * kThreads + threadIdx.x] = sums[value];
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int value = 0; value < 5; ++value) {
                double* mine = reduced + value * kThreads + threadIdx.x;
                mine[0] += mine[half];
            }
    }
    if (threadIdx.x == 0) {
        const double firstLeft = reduced[kThreads];
        const double secondLeft = reduced[3 * kThreads];
        const double unplaced = firstLeft > secondLeft ? firstLeft : secondLeft;
        results[pair].distance = reduced[0] + unplaced * scale;
        results[pair].lowerBound = notBelowZero(reduced[2 * kThreads] / (firstEnd - firstBegin) +
                                                reduced[4 * kThreads] / (secondEnd - secondBegin));
        results[pair].isExact = false;
    }
}

Workspace layOut(MemoryLayout& parts, const PackedCloudPairs& clouds) {
    const auto side = [&](const float* coordinates, const std::uint32_t* start,
                          std::uint32_t points) {
        return Side{coordinates,
                    start,
                    parts.add<float4>(points),
                    parts.add<float>(points),
                    parts.add<float>(points),
                    parts.add<float>(points)};
    };
    return {side(clouds.first, clouds.firstOffsets, clouds.firstPointCount),
            side(clouds.second, clouds.secondOffsets, clouds.secondPointCount),
            parts.add<double>(clouds.firstPointCount),
            parts.add<float>(static_cast<unsigned>(std::max(clouds.pairs, 0)))};
}

/// Launches half steps for the pairs of one grid.
struct Launches {
    Stream stream;
    const PackedCloudPairs& clouds;
    Workspace workspace;
    unsigned pairs;

    static LaunchShape shape(unsigned x, unsigned y, std::size_t sharedBytes) {
        return {dim3(x, y), dim3(kThreads), sharedBytes};
    }
    template <Step step>
    void first(const float* weights, float temperature, float relaxation = 0) const {
        run<step>(workspace.first, workspace.second, clouds.maxFirstCount, weights, temperature,
                  relaxation);
    }
    template <Step step>
    void second(const float* weights, float temperature, float relaxation = 0) const {
        run<step>(workspace.second, workspace.first, clouds.maxSecondCount, weights, temperature,
                  relaxation);
    }
    template <Step step>
    void run(const Side& cloud, const Side& other, std::uint32_t points, const float* weights,
             float temperature, float relaxation) const {
        const unsigned blocks = std::max((points + kPoints - 1) / kPoints, 1U);
        launch(matchingKernel<step>, shape(blocks, pairs, 2 * kPoints * kThreads * sizeof(float)),
               stream, cloud, other, weights, workspace.costs, workspace.scales, temperature,
               relaxation);
    }

    /// Updates u, then v.
    void iterate(float temperature, float relaxation) const {
        first<Step::softMinimum>(nullptr, temperature, relaxation);
        second<Step::softMinimum>(nullptr, temperature, relaxation);
    }
    void place(float temperature) const {
        first<Step::ask>(workspace.second.remaining, temperature);
        second<Step::grant>(workspace.first.ratio, temperature);
        first<Step::move>(workspace.second.ratio, temperature);
    }
};

float temperatureAt(int shift) {
    return std::ldexp(1.0F, -shift);
}

}  // namespace

std::size_t matchingWorkspaceBytes(const PackedCloudPairs& clouds) {
    MemoryLayout parts;
    layOut(parts, clouds);
    return parts.bytes();
}

void launchMatching(Stream stream, const PackedCloudPairs& clouds, const SinkhornSchedule& schedule,
                    EarthMoversDistance* results, std::byte* workspace) {
    requireValidSchedule(schedule);
    MemoryLayout parts(workspace);
    const Workspace all = layOut(parts, clouds);
    const auto pairs = static_cast<unsigned>(std::max(clouds.pairs, 0));
    for (unsigned begin = 0; begin < pairs; begin += kMaxPairsPerLaunch) {
        Workspace part = all;
        part.first.start += begin;
        part.second.start += begin;
        part.scales += begin;
        const Launches launches{stream, clouds, part, std::min(pairs - begin, kMaxPairsPerLaunch)};
        launch(prepareMatching, Launches::shape(launches.pairs, 1, 7 * kThreads * sizeof(float)),
               stream, part);
        for (int shift = kFirstTemperatureShift; shift < kLastTemperatureShift; ++shift)
            for (int i = 0; i < schedule.coolingIterations; ++i)
                launches.iterate(temperatureAt(shift), 1);
        for (int i = 0; i < schedule.finalIterations; ++i) {
            const bool plain = i < 2 || i >= schedule.finalIterations - 2;
            launches.iterate(temperatureAt(kLastTemperatureShift),
                             plain ? 1.0F : static_cast<float>(schedule.relaxation));
        }
        launches.first<Step::hardMinimum>(nullptr, 0);
        launches.second<Step::hardMinimum>(part.first.bound, 0);
        for (int step = 0; step < kPlacementSteps; ++step)
            launches.place(temperatureAt(kLastTemperatureShift - step));
        launches.place(0);
        launch(finishMatching, Launches::shape(launches.pairs, 1, 5 * kThreads * sizeof(double)),
               stream, part, results + begin);
    }
}

}  // namespace threefold::cuda
