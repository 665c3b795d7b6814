// The training's own kernels on a GPU, in float32 except for the convolutions' maps, which are
// bfloat16. One thread computes each output element; sums into maps are atomic, so that the last
// digits of gradients differ from run to run. ops_cuda.py compiles the file when it is needed.
#include <cuda_bf16.h>

namespace {

struct Corners {
    int texel[4];
    float weight[4];
};

// The published sampler (METHOD.md, 5): at an integer coordinate all four weights are 0.
__device__ inline Corners cornersAt(float row, float column, int size) {
    const float scale = size / 224.f, last = size - 1.f;
    const float x = fminf(fmaxf(row * scale, 0.f), last),
                y = fminf(fmaxf(column * scale, 0.f), last);
    const float x1 = floorf(x), x2 = ceilf(x), y1 = floorf(y), y2 = ceilf(y);
    const int a = int(x1) * size, b = int(x2) * size;
    return {{a + int(y1), b + int(y1), a + int(y2), b + int(y2)},
            {(x2 - x) * (y2 - y), (x - x1) * (y2 - y), (x2 - x) * (y - y1), (x - x1) * (y - y1)}};
}

struct Statistics {
    int largest;
    float mean, deviation;
};

template <int kViews>
__device__ inline Statistics statistics(const float (&f)[kViews]) {
    Statistics s{0, f[0], 0};
    for (int v = 1; v < kViews; ++v) {
        if (f[v] > f[s.largest]) s.largest = v;
        s.mean += f[v];
    }
    s.mean /= kViews;
    for (int v = 0; v < kViews; ++v) s.deviation += (f[v] - s.mean) * (f[v] - s.mean);
    s.deviation = sqrtf(s.deviation / kViews + 1e-6f);
    return s;
}

}  // namespace

// For O objects, R meshes of each, V views, N points: maps [O V, S, S, C], rows and columns
// [O R, V, N] -> maximum, mean and deviation in out [O R N, stride], at
// offset + {0, total, 2 total} + channel; count: O R N C.
template <int kViews>
__global__ void poolForward(const __nv_bfloat16* maps, const float* rows, const float* columns,
                            float* out, int meshesOfOne, int points, int channels, int size,
                            int total, int stride, int offset, long long count) {
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int channel = id % channels;
    const long long row = id / channels;
    const int mesh = row / points, point = row % points;
    float f[kViews];
    for (int v = 0; v < kViews; ++v) {
        const long long at = ((long long)mesh * kViews + v) * points + point;
        const Corners k = cornersAt(rows[at], columns[at], size);
        const __nv_bfloat16* map =
            maps + ((long long)(mesh / meshesOfOne) * kViews + v) * size * size * channels +
            channel;
        f[v] = 0;
        for (int j = 0; j < 4; ++j)
            f[v] += k.weight[j] * __bfloat162float(map[(long long)k.texel[j] * channels]);
    }
    const Statistics s = statistics(f);
    float* to = out + row * stride + offset + channel;
    to[0] = f[s.largest];
    to[total] = s.mean;
    to[2 * total] = s.deviation;
}

// gradient [O R N, stride] of out -> gradient of maps, added to mapGradient [O V, S, S, C].
template <int kViews>
__global__ void poolBackward(const __nv_bfloat16* maps, const float* rows, const float* columns,
                             const float* gradient, float* mapGradient, int meshesOfOne, int points,
                             int channels, int size, int total, int stride, int offset,
                             long long count) {
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int channel = id % channels;
    const long long row = id / channels;
    const int mesh = row / points, point = row % points;
    float f[kViews];
    Corners corners[kViews];
    const long long first =
        (long long)(mesh / meshesOfOne) * kViews * size * size * channels + channel;
    for (int v = 0; v < kViews; ++v) {
        const long long at = ((long long)mesh * kViews + v) * points + point;
        corners[v] = cornersAt(rows[at], columns[at], size);
        const __nv_bfloat16* map = maps + first + (long long)v * size * size * channels;
        f[v] = 0;
        for (int j = 0; j < 4; ++j)
            f[v] += corners[v].weight[j] *
                    __bfloat162float(map[(long long)corners[v].texel[j] * channels]);
    }
    const Statistics s = statistics(f);
    const float* g = gradient + row * stride + offset + channel;
    const float ofMean = g[total] / kViews, ofDeviation = g[2 * total] / (kViews * s.deviation);
    for (int v = 0; v < kViews; ++v) {
        const float change = ofMean + ofDeviation * (f[v] - s.mean) + (v == s.largest ? g[0] : 0.f);
        if (change == 0) continue;
        float* map = mapGradient + first + (long long)v * size * size * channels;
        for (int j = 0; j < 4; ++j)
            if (corners[v].weight[j] != 0)
                atomicAdd(map + (long long)corners[v].texel[j] * channels,
                          corners[v].weight[j] * change);
    }
}

// h [batch nodes, 2 C] -> out = factor (relu(h[:C] + L h[C:] + bias) + added), positive = where the
// ReLU passes. The support L has eight entries per row; entries that are not needed have weight 0.
// added may be null; factor counts only if added is not null.
extern "C" __global__ void graphForward(const float* h, const float* bias, const float* added,
                                        const int* column, const float* value, float* out,
                                        unsigned char* positive, int nodes, int channels,
                                        float factor, long long count) {
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int channel = id % channels;
    const long long row = id / channels, first = row - row % nodes;
    const int node = row % nodes;
    float sum = bias[channel] + h[row * 2 * channels + channel];
    for (int k = 0; k < 8; ++k)
        sum += value[node * 8 + k] *
               h[(first + column[node * 8 + k]) * 2 * channels + channels + channel];
    positive[id] = sum > 0;
    sum = fmaxf(sum, 0.f);
    out[id] = added ? factor * (sum + added[id]) : sum;
}

// gradient [batch nodes, C] of out -> hGradient[:, :C] = factor x gradient where the ReLU passes.
extern "C" __global__ void graphBackwardOwn(const float* gradient, const unsigned char* positive,
                                            float* hGradient, int channels, float factor,
                                            long long count) {
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= count) return;
    hGradient[id / channels * 2 * channels + id % channels] =
        positive[id] ? factor * gradient[id] : 0.f;
}

// hGradient[:, C:] = L hGradient[:, :C]; L is symmetric.
extern "C" __global__ void graphBackwardSpread(const int* column, const float* value,
                                               float* hGradient, int nodes, int channels,
                                               long long count) {
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= count) return;
    const int channel = id % channels;
    const long long row = id / channels, first = row - row % nodes;
    const int node = row % nodes;
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += value[node * 8 + k] *
               hGradient[(first + column[node * 8 + k]) * 2 * channels + channel];
    hGradient[row * 2 * channels + channels + channel] = sum;
}

// queries [M, N, 3], targets [M, K, 3] -> index [M, N] of the nearest, and its squared distance.
// Blocks of 128 threads, two queries per thread, over tiles of targets in shared memory.
extern "C" __global__ void nearest(const float* queries, const float* targets, long long* index,
                                   float* distance, int N, int K) {
    constexpr int kTile = 512, kEach = 2;
    __shared__ float4 tile[kTile];
    const float* q = queries + (long long)blockIdx.y * N * 3;
    const float* t = targets + (long long)blockIdx.y * K * 3;
    float p[kEach][3], best[kEach];
    int found[kEach];
    for (int e = 0; e < kEach; ++e) {
        const int n = min(int((blockIdx.x * kEach + e) * blockDim.x + threadIdx.x), N - 1);
        for (int d = 0; d < 3; ++d) p[e][d] = q[n * 3 + d];
        best[e] = 1e30f;
        found[e] = 0;
    }
    for (int from = 0; from < K; from += kTile) {
        __syncthreads();
        for (int k = threadIdx.x; k < kTile; k += blockDim.x) {
            const bool there = from + k < K;
            const float* s = t + (there ? from + k : 0) * 3;
            tile[k] =
                there ? make_float4(s[0], s[1], s[2], 0.f) : make_float4(1e8f, 1e8f, 1e8f, 0.f);
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < kTile; ++k) {
            const float4 s = tile[k];
            for (int e = 0; e < kEach; ++e) {
                const float x = s.x - p[e][0], y = s.y - p[e][1], z = s.z - p[e][2];
                const float d = x * x + y * y + z * z;
                if (d < best[e]) {
                    best[e] = d;
                    found[e] = from + k;
                }
            }
        }
    }
    for (int e = 0; e < kEach; ++e) {
        const int n = (blockIdx.x * kEach + e) * blockDim.x + threadIdx.x;
        if (n >= N) continue;
        index[(long long)blockIdx.y * N + n] = found[e];
        distance[(long long)blockIdx.y * N + n] = best[e];
    }
}
