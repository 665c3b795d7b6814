#include "cuda/kernels/graph_block.h"

#include <algorithm>

#include "cuda/kernels/graph_block_first.h"
#include "cuda/kernels/graph_block_hidden.h"
#include "cuda/kernels/graph_block_last.h"
#include "engine/error.h"

/// A block of graph convolutions as a chain of steps, each on all rows of all meshes:
///   0              y = x [W0 | W1] of the wide first layer, the long sums cut into `splits` parts
///   1              h_0 = ReLU(y0 + L y1 + b)
///   2 … layers−1   h_i = ReLU([x | L x] [W0; W1] + b) and the residual, i = step − 1
///   layers         the last layer: coordinates
/// One cooperative launch runs all steps with a grid barrier between two of them; a device without
/// cooperative launches gets one launch a step. Weights and the Laplacian do not depend on the step
/// before and are fetched before the barrier.
namespace threefold::cuda {
namespace {

std::size_t partBytes(const GraphBlockShape& shape, int rows) {
    return static_cast<std::size_t>(shape.splits) * rows * graph::kJoinedColumns * sizeof(float);
}

/// Tile and FirstTile multiply in the same precision, kRows and 64 rows at a time; kStages chunks
/// of weights are in flight.
template <class Tile, class FirstTile, int kRows, int kStages>
__global__ void __launch_bounds__(kGraphThreads, 1) graphBlockKernel(const graph::GraphRun run) {
    graph::HiddenLayers<Tile, kRows, kStages> hidden(run);
    const auto isHidden = [&](int step) { return step >= 2 && step < run.a.layers; };
    for (int step = run.firstStep; step < run.lastStep; ++step) {
        const bool nextIsHidden = step + 1 < run.lastStep && isHidden(step + 1);
        if (step == 0) {
            graph::firstProduct<FirstTile>(run);
        } else if (step == 1) {
            if (nextIsHidden) hidden.fetchFirst(1);
            graph::joinFirst(run);
        } else if (isHidden(step)) {
            hidden.layer(step - 1, nextIsHidden);
        } else {
            graph::lastLayer(run);
        }
        if (step + 1 < run.lastStep) gridBarrier();
    }
}

/// One launch if all blocks fit on the device at once, else one launch a step with as many blocks
/// as the step needs.
template <class Tile, class FirstTile, int kRows,
          int kStages = graphRingStages(sizeof(typename Tile::Value))>
void launchSteps(Stream stream, const DeviceLimits& limits, graph::GraphRun run) {
    const auto kernel = graphBlockKernel<Tile, FirstTile, kRows, kStages>;
    const std::size_t shared = run.shape.sharedBytes;
    const int steps = run.a.layers + 1;
    const int together =
        limits.cooperativeLaunch ? maxCooperativeBlocks(kernel, kGraphThreads, shared) : 0;
    if (together > 0) {
        run.firstStep = 0;
        run.lastStep = steps;
        const auto blocks = static_cast<unsigned>(std::min(together, run.shape.blocks));
        launchCooperative(kernel, {dim3(blocks), dim3(kGraphThreads), shared}, stream, run);
        return;
    }
    for (int step = 0; step < steps; ++step) {
        run.firstStep = step;
        run.lastStep = step + 1;
        int blocks = run.shape.hiddenTiles;
        if (step == 0) blocks = run.shape.firstTiles;
        if (step == 1)
            blocks = (run.rows * kColumnTiles + graph::kGraphWarps - 1) / graph::kGraphWarps;
        if (step == steps - 1) blocks = (run.rows + graph::kGraphWarps - 1) / graph::kGraphWarps;
        launch(kernel, {dim3(static_cast<unsigned>(blocks)), dim3(kGraphThreads), shared}, stream,
               run);
    }
}

template <template <int> class Tile>
void launchRows(Stream stream, const DeviceLimits& limits, const graph::GraphRun& run) {
    switch (run.shape.rowTile) {
        case 16:
            if (run.shape.ringStages == kFewStages) {
                return launchSteps<Tile<16>, Tile<kFirstRowTile>, 16, kFewStages>(stream, limits,
                                                                                  run);
            }
            return launchSteps<Tile<16>, Tile<kFirstRowTile>, 16>(stream, limits, run);
        case 32:
            return launchSteps<Tile<32>, Tile<kFirstRowTile>, 32>(stream, limits, run);
        default:
            return launchSteps<Tile<64>, Tile<kFirstRowTile>, 64>(stream, limits, run);
    }
}

template <int kRows>
using HalfTile = TensorTile<PairOperands<Half>, kRows>;
template <int kRows>
using Bfloat16Tile = TensorTile<PairOperands<Bfloat16>, kRows>;
template <int kRows>
using Tf32Tile = TensorTile<Tf32Operands, kRows>;

}  // namespace

std::size_t graphBlockWorkspace(const DeviceLimits& limits, Precision precision, int batch,
                                int vertices) {
    const int rows = batch * vertices;
    return partBytes(graphBlockShape(limits, precision, rows), rows) +
           std::size_t{3} * rows * kGraphWidth * sizeof(float);
}

void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments) {
    if (!graphBlockFits(limits, precision)) {
        throw DeviceError({"graph block", "", "this device has too little for its fused kernel",
                           "Use --kernels library."});
    }
    graph::GraphRun run{};
    run.a = arguments;
    run.rows = arguments.batch * arguments.vertices;
    if (run.rows == 0) return;
    run.layout = graphBlockLayout(storageOf(precision), arguments.inputPitch, arguments.layers,
                                  arguments.vertices);
    run.shape = graphBlockShape(limits, precision, run.rows);
    run.chunks =
        arguments.inputPitch * static_cast<int>(bytesOf(storageOf(precision))) / kChunkBytes;
    run.parts = reinterpret_cast<float*>(arguments.workspace);
    run.activations = run.parts + partBytes(run.shape, run.rows) / sizeof(float);
    switch (precision) {
        case Precision::float32:
            return launchRows<FloatTile>(stream, limits, run);
        case Precision::tfloat32:
            return launchRows<Tf32Tile>(stream, limits, run);
        case Precision::bfloat16:
            return launchRows<Bfloat16Tile>(stream, limits, run);
        default:
            return launchRows<HalfTile>(stream, limits, run);
    }
}

}  // namespace threefold::cuda
