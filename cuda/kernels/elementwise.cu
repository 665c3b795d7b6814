#include "cuda/kernels/elementwise.h"

#include <string>

#include "cuda/kernels/vector_access.h"
#include "cuda/portable/kernel.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr unsigned kWarpsPerBlock = 4;
/// Values per thread of the elementwise kernels: one vector load of float32.
constexpr int kVector = 4;
constexpr int kMaxHypotheses = 1024;
constexpr std::int64_t kMaxBlocks = 0x7FFFFFFF;

template <class T>
struct alignas(kVector * sizeof(T)) Vector {
    T values[kVector];
};

template <class T>
__device__ __forceinline__ T warpSum(T value) {
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(kAllLanes, value, distance);
    return value;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    layerEpilogue(LayerEpilogueArguments arguments, std::int64_t vectors) {
    const std::int64_t vector = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (vector >= vectors) return;
    const int vectorsInRow = arguments.width / kVector;
    const std::int64_t row = vector / vectorsInRow;
    const int column = static_cast<int>(vector - row * vectorsInRow) * kVector;

    const auto sums = *reinterpret_cast<const Vector<float>*>(arguments.sums +
                                                              row * arguments.sumsPitch + column);
    const auto bias = *reinterpret_cast<const Vector<float>*>(arguments.bias + column);
    const std::int64_t element = row * arguments.width + column;
    Vector<T> residual{};
    if (arguments.residual != nullptr)
        residual = *reinterpret_cast<const Vector<T>*>(static_cast<const T*>(arguments.residual) +
                                                       element);
    Vector<T> out;
    for (int i = 0; i < kVector; ++i) {
        // The comparison below keeps NaN; fmaxf(sum, 0) would not.
        const float sum = sums.values[i] + bias.values[i];
        const float rectified = sum < 0.0F ? 0.0F : sum;
        out.values[i] = fromFloat<T>(arguments.scale * (rectified + toFloat(residual.values[i])));
    }
    *reinterpret_cast<Vector<T>*>(static_cast<T*>(arguments.out) + element) = out;
}

__global__ void __launch_bounds__(kThreads)
    addCoordinates(AddCoordinatesArguments arguments, std::int64_t vectors) {
    const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (index >= vectors) return;
    const int vectorsInRow = arguments.width / kVector;
    const std::int64_t row = index / vectorsInRow;
    const int column = static_cast<int>(index - row * vectorsInRow) * kVector;

    const std::int64_t point = row / arguments.offsetCount;
    const auto offset = static_cast<int>(row - point * arguments.offsetCount);
    auto& sums = *reinterpret_cast<Vector<float>*>(arguments.sums + row * arguments.width + column);
    Vector<float> added = sums;
    for (int axis = 0; axis < 3; ++axis) {
        float coordinate = arguments.points[3 * point + axis];
        if (arguments.offsets != nullptr) coordinate += arguments.offsets[3 * offset + axis];
        const auto weights = *reinterpret_cast<const Vector<float>*>(
            arguments.weights + axis * arguments.width + column);
        for (int i = 0; i < kVector; ++i)
            added.values[i] = fmaf(coordinate, weights.values[i], added.values[i]);
    }
    sums = added;
}

/// One warp per vertex.
template <class T>
__global__ void __launch_bounds__(32 * kWarpsPerBlock) graphOutput(GraphOutputArguments arguments) {
    const int row = static_cast<int>(blockIdx.x * kWarpsPerBlock + threadIdx.x / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (row >= arguments.batch * arguments.vertices) return;
    const int vertex = row % arguments.vertices;
    const auto* hidden = static_cast<const T*>(arguments.hidden);
    const std::int64_t firstRow = row - vertex;
    const std::uint32_t begin = arguments.rowOffsets[vertex];
    const std::uint32_t end = arguments.rowOffsets[vertex + 1];

    double sums[3] = {};
    for (int channel = lane; channel < arguments.width; channel += 32) {
        const double identityPart =
            static_cast<double>(toFloat(hidden[(firstRow + vertex) * arguments.width + channel]));
        double laplacianPart = 0;
        for (std::uint32_t k = begin; k < end; ++k)
            laplacianPart +=
                static_cast<double>(arguments.values[k]) *
                static_cast<double>(
                    toFloat(hidden[(firstRow + arguments.columns[k]) * arguments.width + channel]));
        const float* weights = arguments.weights + 6 * channel;
        for (int axis = 0; axis < 3; ++axis)
            sums[axis] += identityPart * static_cast<double>(weights[axis]) +
                          laplacianPart * static_cast<double>(weights[3 + axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const double sum = warpSum(sums[axis]);
        if (lane == 0)
            arguments.points[3 * static_cast<std::int64_t>(row) + axis] =
                static_cast<float>(sum + static_cast<double>(arguments.bias[axis]));
    }
}

/// One block per vertex: each warp scores every fourth hypothesis, then the first warp computes the
/// softmax and the move.
template <class T>
__global__ void __launch_bounds__(32 * kWarpsPerBlock)
    moveVertices(MoveVerticesArguments arguments) {
    const int hypotheses = arguments.hypotheses;
    float* identityPart = sharedMemory<float>();
    float* laplacianPart = identityPart + hypotheses;
    float* scores = laplacianPart + hypotheses;
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int64_t vertex = blockIdx.x;

    const T* hidden = static_cast<const T*>(arguments.hidden) +
                      vertex * hypotheses * static_cast<std::int64_t>(arguments.width);
    for (int h = warp; h < hypotheses; h += static_cast<int>(kWarpsPerBlock)) {
        float identitySum = 0;
        float laplacianSum = 0;
        for (int channel = lane; channel < arguments.width; channel += 32) {
            const float value = toFloat(hidden[h * arguments.width + channel]);
            identitySum = fmaf(value, arguments.weights[channel], identitySum);
            laplacianSum = fmaf(value, arguments.weights[arguments.width + channel], laplacianSum);
        }
        identitySum = warpSum(identitySum);
        laplacianSum = warpSum(laplacianSum);
        if (lane == 0) {
            identityPart[h] = identitySum;
            laplacianPart[h] = laplacianSum;
        }
    }
    __syncthreads();
    for (int h = static_cast<int>(threadIdx.x); h < hypotheses; h += static_cast<int>(blockDim.x)) {
        float sum = identityPart[h] + arguments.bias[0];
        for (int other = 0; other < hypotheses; ++other)
            sum = fmaf(arguments.laplacian[h * hypotheses + other], laplacianPart[other], sum);
        scores[h] = sum < 0.0F ? 0.0F : sum;
    }
    __syncthreads();
    if (warp != 0) return;

    float highest = 0;  // a lower bound: all scores have passed a ReLU
    for (int h = lane; h < hypotheses; h += 32) highest = max(highest, scores[h]);
    for (int distance = 16; distance > 0; distance /= 2)
        highest = max(highest, __shfl_xor_sync(kAllLanes, highest, distance));
    float sum = 0;
    for (int h = lane; h < hypotheses; h += 32) {
        scores[h] = expf(scores[h] - highest);
        sum += scores[h];
    }
    sum = warpSum(sum);
    float step[3] = {};
    for (int h = lane; h < hypotheses; h += 32) {
        const float score = scores[h] / sum;
        if (arguments.scores != nullptr) arguments.scores[vertex * hypotheses + h] = score;
        for (int axis = 0; axis < 3; ++axis)
            step[axis] = fmaf(score, arguments.offsets[3 * h + axis], step[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float displacement = warpSum(step[axis]);
        if (lane == 0)
            arguments.moved[3 * vertex + axis] = arguments.points[3 * vertex + axis] + displacement;
    }
}

void require(bool condition, const char* kernel, const std::string& problem) {
    if (!condition) throw InputError({kernel, {}, problem, {}});
}

unsigned blocksFor(std::int64_t count, unsigned perBlock, const char* kernel) {
    const std::int64_t blocks = (count + perBlock - 1) / perBlock;
    require(blocks <= kMaxBlocks, kernel, "more rows than one launch takes");
    return static_cast<unsigned>(blocks);
}

}  // namespace

void launchLayerEpilogue(Stream stream, const LayerEpilogueArguments& arguments) {
    constexpr const char* kName = "layer epilogue";
    require(arguments.width > 0 && arguments.width % kVector == 0 &&
                arguments.sumsPitch % kVector == 0 && arguments.sumsPitch >= arguments.width,
            kName,
            "a width of " + std::to_string(arguments.width) + " and a pitch of " +
                std::to_string(arguments.sumsPitch) +
                ": expected positive multiples of 4, the pitch not below the width");
    if (arguments.rows <= 0) return;
    const std::int64_t vectors = arguments.rows * (arguments.width / kVector);
    const LaunchShape shape{blocksFor(vectors, kThreads, kName), kThreads};
    withElementType(arguments.element, [&](auto value) {
        launch(layerEpilogue<decltype(value)>, shape, stream, arguments, vectors);
    });
}

void launchAddCoordinates(Stream stream, const AddCoordinatesArguments& arguments) {
    constexpr const char* kName = "coordinates";
    require(arguments.width > 0 && arguments.width % kVector == 0 && arguments.offsetCount > 0,
            kName,
            "a width of " + std::to_string(arguments.width) + " and " +
                std::to_string(arguments.offsetCount) +
                " offsets: expected a positive multiple of 4, and an offset");
    if (arguments.rows <= 0) return;
    const std::int64_t vectors = arguments.rows * (arguments.width / kVector);
    const LaunchShape shape{blocksFor(vectors, kThreads, kName), kThreads};
    launch(addCoordinates, shape, stream, arguments, vectors);
}

void launchGraphOutput(Stream stream, const GraphOutputArguments& arguments) {
    if (arguments.batch <= 0 || arguments.vertices <= 0) return;
    const std::int64_t rows = static_cast<std::int64_t>(arguments.batch) * arguments.vertices;
    require(rows <= kMaxBlocks, "graph output", "more rows than one launch takes");
    const LaunchShape shape{blocksFor(rows, kWarpsPerBlock, "graph output"), 32 * kWarpsPerBlock};
    withElementType(arguments.element, [&](auto value) {
        launch(graphOutput<decltype(value)>, shape, stream, arguments);
    });
}

void launchMoveVertices(Stream stream, const MoveVerticesArguments& arguments) {
    require(arguments.hypotheses > 0 && arguments.hypotheses <= kMaxHypotheses, "move",
            std::to_string(arguments.hypotheses) + " hypotheses: expected 1 to 1024");
    if (arguments.vertices <= 0) return;
    const LaunchShape shape{static_cast<unsigned>(arguments.vertices), 32 * kWarpsPerBlock,
                            3 * sizeof(float) * static_cast<std::size_t>(arguments.hypotheses)};
    withElementType(arguments.element, [&](auto value) {
        launch(moveVertices<decltype(value)>, shape, stream, arguments);
    });
}

}  // namespace threefold::cuda
