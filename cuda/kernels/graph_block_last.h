#pragma once

#include "cuda/kernels/graph_block_run.h"

/// The last layer of a graph block, 192 to coordinates.
namespace threefold::cuda::graph {

/// A warp a row: lanes share the 192 columns, three pairs each.
template <class T>
__device__ __forceinline__ void lastLayer(const GraphRun& run) {
    constexpr int kPairs = kGraphWidth / 64;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const T* hidden = activationOf<T>(run, run.a.layers - 2);
    const auto* weights = reinterpret_cast<const float*>(run.a.weights + run.layout.last);
    const float* bias = weights + 6 * kGraphWidth;
    const auto warps = static_cast<int>(gridDim.x) * kGraphWarps;
    for (int row = warpOfGrid(); row < run.rows; row += warps) {
        const auto pairsOf = [&](int of, float2(&pairs)[kPairs]) {
            const T* from = hidden + static_cast<std::size_t>(of) * kGraphWidth + 2 * lane;
            for (int i = 0; i < kPairs; ++i) pairs[i] = loadPair(from + 64 * i);
        };
        const Neighbourhood around(run, row);
        float2 own[kPairs];
        pairsOf(row, own);
        float2 near[kNearNeighbours][kPairs];
        for (int k = 0; k < kNearNeighbours; ++k) pairsOf(around.row(k), near[k]);
        float2 mixed[kPairs] = {};
        const auto mix = [&](const float2(&pairs)[kPairs], float value) {
            for (int i = 0; i < kPairs; ++i) {
                mixed[i].x = fmaf(value, pairs[i].x, mixed[i].x);
                mixed[i].y = fmaf(value, pairs[i].y, mixed[i].y);
            }
        };
        for (int k = 0; k < kNearNeighbours; ++k) mix(near[k], around.value(k));
        around.eachFurther([&](int other, float value) {
            float2 pairs[kPairs];
            pairsOf(other, pairs);
            mix(pairs, value);
        });
        float sum[3] = {};
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < kPairs; ++i) {
                const float* column = weights + axis * kGraphWidth + 64 * i + 2 * lane;
                const float2 w0 = loadPair(column);
                const float2 w1 = loadPair(column + 3 * kGraphWidth);
                sum[axis] = fmaf(own[i].x, w0.x, sum[axis]);
                sum[axis] = fmaf(own[i].y, w0.y, sum[axis]);
                sum[axis] = fmaf(mixed[i].x, w1.x, sum[axis]);
                sum[axis] = fmaf(mixed[i].y, w1.y, sum[axis]);
            }
            for (int distance = 16; distance > 0; distance /= 2) {
                sum[axis] += __shfl_xor_sync(0xffffffffU, sum[axis], distance);
            }
            if (lane == 0) {
                run.a.points[static_cast<std::size_t>(row) * 3 + axis] = sum[axis] + bias[axis];
            }
        }
    }
}

}  // namespace threefold::cuda::graph
