#include "cuda/kernels/graph_block.h"

#include <algorithm>

#include "cuda/kernels/graph_block_first.h"
#include "cuda/kernels/graph_block_hidden.h"
#include "engine/error.h"

namespace threefold::cuda::graph {

/// Last layer of a graph block: 192 features to coordinates. One warp per row; the lanes split the
/// 192 columns, three pairs each. The sums are float64, as on the processor, since the published
/// sampler truncates the pixels of these coordinates.
__device__ __forceinline__ void lastLayer(const GraphBlockState& state) {
    constexpr int kPairs = kGraphWidth / 64;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const float* hidden = activationOf(state, state.arguments.layers - 2);
    const auto* weights =
        reinterpret_cast<const float*>(state.arguments.weights + state.layout.last);
    const float* bias = weights + 6 * kGraphWidth;
    const auto warps = static_cast<int>(gridDim.x) * kGraphWarps;
    for (int row = warpOfGrid(); row < state.rows; row += warps) {
        const auto loadRow = [&](int index, float2(&pairs)[kPairs]) {
            const float* source = hidden + static_cast<std::size_t>(index) * kGraphWidth + 2 * lane;
            for (int i = 0; i < kPairs; ++i) pairs[i] = loadPair(source + 64 * i);
        };
        const Neighbourhood neighbours(state, row);
        float2 identity[kPairs];
        loadRow(row, identity);
        float2 ellRows[kEllWidth][kPairs];
        for (int k = 0; k < kEllWidth; ++k) loadRow(neighbours.row(k), ellRows[k]);
        double laplacian[kPairs][2] = {};
        const auto addNeighbour = [&](const float2(&pairs)[kPairs], double value) {
            for (int i = 0; i < kPairs; ++i) {
                laplacian[i][0] = fma(value, static_cast<double>(pairs[i].x), laplacian[i][0]);
                laplacian[i][1] = fma(value, static_cast<double>(pairs[i].y), laplacian[i][1]);
            }
        };
        for (int k = 0; k < kEllWidth; ++k)
            addNeighbour(ellRows[k], static_cast<double>(neighbours.value(k)));
        neighbours.forEachOverflow([&](int other, float value) {
            float2 pairs[kPairs];
            loadRow(other, pairs);
            addNeighbour(pairs, static_cast<double>(value));
        });
        for (int axis = 0; axis < 3; ++axis) {
            double sum = 0.0;
            const auto add = [&](double x, float weight) {
                sum = fma(x, static_cast<double>(weight), sum);
            };
            for (int i = 0; i < kPairs; ++i) {
                const float* column = weights + axis * kGraphWidth + 64 * i + 2 * lane;
                const float2 w0 = loadPair(column);
                const float2 w1 = loadPair(column + 3 * kGraphWidth);
                add(static_cast<double>(identity[i].x), w0.x);
                add(static_cast<double>(identity[i].y), w0.y);
                add(laplacian[i][0], w1.x);
                add(laplacian[i][1], w1.y);
            }
            for (int distance = 16; distance > 0; distance /= 2)
                sum += __shfl_xor_sync(0xffffffffU, sum, distance);
            if (lane == 0)
                state.arguments.points[callersRow(state, row) * 3 + axis] =
                    static_cast<float>(sum + static_cast<double>(bias[axis]));
        }
    }
}

}  // namespace threefold::cuda::graph

/// Block of graph convolutions as a chain of steps, each over all rows of all meshes:
///
/// - step 0: y = x [W0 | W1] of the wide first layer, its long sums split into `splits` parts;
/// - step 1: h_0 = ReLU(y0 + L y1 + b);
/// - steps 2 … layers − 1: h_i = ReLU([x | L x] [W0; W1] + b) and the residual, i = step − 1;
/// - step `layers`: the last layer, which gives coordinates.
///
/// One cooperative launch runs all steps with a grid barrier after each but the last; a device
/// without cooperative launches gets one launch per step. Weights and the Laplacian do not depend
/// on the previous step, so they are fetched before the barrier.
namespace threefold::cuda {
namespace {

std::size_t sharedBytesFor(int ringStages, int rowTile) {
    constexpr std::size_t kFirstRing =
        std::size_t{kFirstRingBuffers} * (kWeightChunkBytes + kFirstRowTile * kChunkBytes);
    return std::max(graphSharedLayout(ringStages, rowTile).bytes, kFirstRing);
}

int tileCount(int rows, int rowTile) {
    return (rows + rowTile - 1) / rowTile;
}

std::size_t partBytes(const GraphBlockShape& shape, int rows) {
    return static_cast<std::size_t>(shape.splits) * rows * graph::kJoinedColumns * sizeof(float);
}

/// Kernel of a graph block. Tile and FirstTile multiply kRows and 64 rows at a time in the same
/// precision; kStages chunks of weights are in flight.
template <class Tile, class FirstTile, int kRows, int kStages>
__global__ void __launch_bounds__(kGraphThreads, 1)
    graphBlockKernel(const graph::GraphBlockState state) {
    graph::HiddenLayers<Tile, kRows, kStages> hidden(state);
    const auto isHidden = [&](int step) { return step >= 2 && step < state.arguments.layers; };
    for (int step = state.firstStep; step < state.endStep; ++step) {
        const bool nextIsHidden = step + 1 < state.endStep && isHidden(step + 1);
        if (step == 0) {
            graph::firstProduct<FirstTile>(state);
        } else if (step == 1) {
            if (nextIsHidden) hidden.fetchFirst(1);
            graph::joinFirst(state);
        } else if (isHidden(step)) {
            hidden.computeLayer(step - 1, nextIsHidden);
        } else {
            graph::lastLayer(state);
        }
        if (step + 1 < state.endStep) gridBarrier();
    }
}

/// Launches all steps cooperatively, with no more thread blocks than the device runs at once;
/// without cooperative launches, one launch per step with as many thread blocks as the step needs.
template <class Tile, class FirstTile, int kRows,
          int kStages = graphRingStages(sizeof(typename Tile::Value))>
void launchSteps(Stream stream, const DeviceLimits& limits, graph::GraphBlockState state) {
    const auto kernel = graphBlockKernel<Tile, FirstTile, kRows, kStages>;
    const std::size_t sharedBytes = state.shape.sharedBytes;
    const int steps = state.arguments.layers + 1;
    const int maxBlocks =
        limits.cooperativeLaunch ? maxCooperativeBlocks(kernel, kGraphThreads, sharedBytes) : 0;
    if (maxBlocks > 0) {
        state.firstStep = 0;
        state.endStep = steps;
        const auto blocks = static_cast<unsigned>(std::min(maxBlocks, state.shape.blocks));
        launch(kernel, {dim3(blocks), dim3(kGraphThreads), sharedBytes, true}, stream, state);
        return;
    }
    for (int step = 0; step < steps; ++step) {
        state.firstStep = step;
        state.endStep = step + 1;
        int blocks = state.shape.hiddenTiles;
        if (step == 0) blocks = state.shape.firstTiles;
        if (step == 1)
            blocks = (state.rows * kColumnTiles + graph::kGraphWarps - 1) / graph::kGraphWarps;
        if (step == steps - 1) blocks = (state.rows + graph::kGraphWarps - 1) / graph::kGraphWarps;
        launch(kernel, {dim3(static_cast<unsigned>(blocks)), dim3(kGraphThreads), sharedBytes},
               stream, state);
    }
}

template <template <int> class Tile>
void launchRows(Stream stream, const DeviceLimits& limits, const graph::GraphBlockState& state) {
    switch (state.shape.rowTile) {
        case 16:
            if (state.shape.ringStages == kFewStages)
                return launchSteps<Tile<16>, Tile<kFirstRowTile>, 16, kFewStages>(stream, limits,
                                                                                  state);
            return launchSteps<Tile<16>, Tile<kFirstRowTile>, 16>(stream, limits, state);
        case 32:
            return launchSteps<Tile<32>, Tile<kFirstRowTile>, 32>(stream, limits, state);
        default:
            return launchSteps<Tile<64>, Tile<kFirstRowTile>, 64>(stream, limits, state);
    }
}

template <int kRows>
using HalfTile = TensorTile<PairOperands<Half>, kRows>;
template <int kRows>
using Bfloat16Tile = TensorTile<PairOperands<Bfloat16>, kRows>;
template <int kRows>
using Tf32Tile = TensorTile<Tf32Operands, kRows>;

}  // namespace

GraphBlockShape graphBlockShape(const DeviceLimits& limits, Precision precision, int rows) {
    const auto fits = [&](int ringStages, int rowTile) {
        return sharedBytesFor(ringStages, rowTile) <= limits.sharedBytesPerBlock;
    };
    GraphBlockShape shape;
    shape.ringStages = graphRingStages(elementBytes(storageOf(precision)));
    if (!fits(shape.ringStages, 16)) shape.ringStages = kFewStages;
    for (const int rowTile : {16, 32, 64}) {
        if (!fits(shape.ringStages, rowTile)) break;
        shape.rowTile = rowTile;
        shape.sharedBytes = sharedBytesFor(shape.ringStages, rowTile);
        shape.hiddenTiles = tileCount(rows, rowTile) * kColumnTiles;
        if (shape.hiddenTiles <= limits.multiprocessors) break;
    }
    const int unsplitTiles = tileCount(rows, kFirstRowTile) * kFirstColumnTiles;
    shape.splits = std::clamp(limits.multiprocessors / std::max(unsplitTiles, 1), 1, kMaxSplits);
    shape.firstTiles = unsplitTiles * shape.splits;
    shape.blocks = std::min(std::max(shape.hiddenTiles, shape.firstTiles),
                            std::max(limits.multiprocessors, 1));
    return shape;
}

bool graphBlockFits(const DeviceLimits& limits, Precision precision) {
    return limits.computeCapability >= minCapability(precisionOutsideHypothesisBlocks(precision)) &&
           graphBlockShape(limits, precision, 1).rowTile != 0;
}

std::size_t graphBlockWorkspaceBytes(const DeviceLimits& limits, Precision precision, int batch,
                                     int vertices) {
    const int rows = batch * vertices;
    return partBytes(graphBlockShape(limits, precision, rows), rows) +
           std::size_t{3} * rows * kGraphWidth * sizeof(float);
}

void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments) {
    if (!graphBlockFits(limits, precision))
        throw DeviceError({"graph block", "", "this device cannot run the fused kernel",
                           "Use NVIDIA's kernels (`kernels=library`)."});
    graph::GraphBlockState state{};
    state.arguments = arguments;
    state.rows = arguments.batch * arguments.vertices;
    if (state.rows == 0) return;
    state.layout = graphBlockLayout(storageOf(precision), arguments.inputPitch, arguments.layers,
                                    arguments.vertices);
    state.shape = graphBlockShape(limits, precision, state.rows);
    state.chunks =
        arguments.inputPitch * static_cast<int>(elementBytes(storageOf(precision))) / kChunkBytes;
    state.partialSums = reinterpret_cast<float*>(arguments.workspace);
    state.activations = state.partialSums + partBytes(state.shape, state.rows) / sizeof(float);
    switch (precision) {
        case Precision::float32:
            return launchRows<FloatTile>(stream, limits, state);
        case Precision::tfloat32:
            return launchRows<Tf32Tile>(stream, limits, state);
        case Precision::bfloat16:
            return launchRows<Bfloat16Tile>(stream, limits, state);
        default:
            return launchRows<HalfTile>(stream, limits, state);
    }
}

}  // namespace threefold::cuda
