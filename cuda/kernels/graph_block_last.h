#pragma once

#include "cuda/kernels/graph_block_run.h"

/// The last layer of a graph block, 192 to coordinates.
namespace threefold::cuda::graph {

/// A warp a row: lanes share the 192 columns, three pairs each. In float64, as the processor has
/// it: the published sampler truncates the pixels of these coordinates.
__device__ __forceinline__ void lastLayer(const GraphRun& run) {
    constexpr int kPairs = kGraphWidth / 64;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const float* hidden = activationOf(run, run.a.layers - 2);
    const auto* weights = reinterpret_cast<const float*>(run.a.weights + run.layout.last);
    const float* bias = weights + 6 * kGraphWidth;
    const auto warps = static_cast<int>(gridDim.x) * kGraphWarps;
    for (int row = warpOfGrid(); row < run.rows; row += warps) {
        const auto pairsOf = [&](int of, float2(&pairs)[kPairs]) {
            const float* from = hidden + static_cast<std::size_t>(of) * kGraphWidth + 2 * lane;
            for (int i = 0; i < kPairs; ++i) pairs[i] = loadPair(from + 64 * i);
        };
        const Neighbourhood around(run, row);
        float2 own[kPairs];
        pairsOf(row, own);
        float2 near[kNearNeighbours][kPairs];
        for (int k = 0; k < kNearNeighbours; ++k) pairsOf(around.row(k), near[k]);
        double mixed[kPairs][2] = {};
        const auto mix = [&](const float2(&pairs)[kPairs], double value) {
            for (int i = 0; i < kPairs; ++i) {
                mixed[i][0] = fma(value, static_cast<double>(pairs[i].x), mixed[i][0]);
                mixed[i][1] = fma(value, static_cast<double>(pairs[i].y), mixed[i][1]);
            }
        };
        for (int k = 0; k < kNearNeighbours; ++k) {
            mix(near[k], static_cast<double>(around.value(k)));
        }
        around.eachFurther([&](int other, float value) {
            float2 pairs[kPairs];
            pairsOf(other, pairs);
            mix(pairs, static_cast<double>(value));
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
                add(static_cast<double>(own[i].x), w0.x);
                add(static_cast<double>(own[i].y), w0.y);
                add(mixed[i][0], w1.x);
                add(mixed[i][1], w1.y);
            }
            for (int distance = 16; distance > 0; distance /= 2) {
                sum += __shfl_xor_sync(0xffffffffU, sum, distance);
            }
            if (lane == 0) {
                run.a.points[callersRow(run, row) * 3 + axis] =
                    static_cast<float>(sum + static_cast<double>(bias[axis]));
            }
        }
    }
}

}  // namespace threefold::cuda::graph
