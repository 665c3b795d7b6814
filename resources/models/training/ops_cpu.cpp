// The training's own kernels on a processor. Activations are bfloat16 between matrix products, sums
// are float32; every output element is written by one thread, so results do not depend on the
// number of threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using Bfloat = std::uint16_t;
constexpr int kMaxViews = 8, kMaxChannels = 512, kHidden = 192, kLanes = 16;
constexpr int kVectors = kHidden / kLanes;

typedef float Lanes __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kLanes)));
typedef std::uint32_t Bits __attribute__((vector_size(4 * kLanes)));
typedef Bfloat Narrow __attribute__((vector_size(2 * kLanes)));
typedef std::uint8_t Bytes __attribute__((vector_size(kLanes)));

inline float widen(Bfloat value) {
    const std::uint32_t bits = std::uint32_t(value) << 16;
    float result;
    std::memcpy(&result, &bits, 4);
    return result;
}

inline Bfloat narrow(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return Bfloat((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline Lanes load(const Bfloat* from) {
    Narrow narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    return (Lanes)(__builtin_convertvector(narrow, Bits) << 16);
}

inline void store(Bfloat* to, Lanes value) {
    const Bits bits = (Bits)value;
    const Narrow narrow =
        __builtin_convertvector((bits + 0x7fff + ((bits >> 16) & 1)) >> 16, Narrow);
    std::memcpy(to, &narrow, sizeof narrow);
}

// A row of hidden channels, as explicit vectors. Without these vectors the compiler keeps neither
// the sums in registers nor the loop over neighbours outermost, which is nine times slower.
struct Row {
    Lanes v[kVectors];

    void add(float weight, const Bfloat* from) {
        for (int i = 0; i < kVectors; ++i) v[i] += weight * load(from + i * kLanes);
    }
};

struct Corners {
    int texel[4];
    float weight[4];
};

// The published sampler (METHOD.md, 5): at an integer coordinate all four weights are 0.
inline Corners cornersAt(float row, float column, int size) {
    const float scale = size / 224.f, last = size - 1.f;
    const float x = std::min(std::max(row * scale, 0.f), last),
                y = std::min(std::max(column * scale, 0.f), last);
    const float x1 = std::floor(x), x2 = std::ceil(x), y1 = std::floor(y), y2 = std::ceil(y);
    const int a = int(x1) * size, b = int(x2) * size;
    return {{a + int(y1), b + int(y1), a + int(y2), b + int(y2)},
            {(x2 - x) * (y2 - y), (x - x1) * (y2 - y), (x2 - x) * (y - y1), (x - x1) * (y - y1)}};
}

struct Pool {
    int objects, meshes, views, points, channels, size;  // meshes: number per object
    int total, stride,
        offset;  // channels of all maps; length of a point's features; index of this map's maxima
};

// One point's features in every view, channels [from, to).
inline void sampleViews(const Pool& p, const Bfloat* maps, const float* rows, const float* columns,
                        int mesh, int point, int from, int to, Corners* corners,
                        float (*f)[kMaxChannels]) {
    const int object = mesh / p.meshes;
    for (int v = 0; v < p.views; ++v) {
        const std::size_t at = (std::size_t(mesh) * p.views + v) * p.points + point;
        const Corners k = corners[v] = cornersAt(rows[at], columns[at], p.size);
        const Bfloat* map =
            maps + (std::size_t(object) * p.views + v) * p.size * p.size * p.channels;
        const Bfloat *a = map + std::size_t(k.texel[0]) * p.channels,
                     *b = map + std::size_t(k.texel[1]) * p.channels;
        const Bfloat *c = map + std::size_t(k.texel[2]) * p.channels,
                     *d = map + std::size_t(k.texel[3]) * p.channels;
        for (int i = from; i < to; ++i)
            f[v][i] = k.weight[0] * widen(a[i]) + k.weight[1] * widen(b[i]) +
                      k.weight[2] * widen(c[i]) + k.weight[3] * widen(d[i]);
    }
}

inline void statistics(const Pool& p, float (*f)[kMaxChannels], int from, int to, float* largest,
                       float* mean, float* deviation) {
    const float share = 1.f / p.views;
    for (int i = from; i < to; ++i) {
        float top = f[0][i], sum = f[0][i];
        for (int v = 1; v < p.views; ++v) {
            top = std::max(top, f[v][i]);
            sum += f[v][i];
        }
        sum *= share;
        float square = 0;
        for (int v = 0; v < p.views; ++v) square += (f[v][i] - sum) * (f[v][i] - sum);
        largest[i] = top;
        mean[i] = sum;
        deviation[i] = std::sqrt(square * share + 1e-6f);
    }
}

}  // namespace

// For O objects, R meshes of each, V views, N points: maps [O V, S, S, C] bfloat16, rows and
// columns [O R, V, N] -> maximum, mean and deviation in out [O R N, stride], at
// offset + {0, total, 2 total}.
extern "C" void poolForward(const Bfloat* maps, const float* rows, const float* columns,
                            Bfloat* out, const Pool* pool) {
    const Pool p = *pool;
#pragma omp parallel for collapse(2) schedule(static)
    for (int mesh = 0; mesh < p.objects * p.meshes; ++mesh)
        for (int point = 0; point < p.points; ++point) {
            alignas(64) float f[kMaxViews][kMaxChannels], largest[kMaxChannels], mean[kMaxChannels],
                deviation[kMaxChannels];
            Corners corners[kMaxViews];
            sampleViews(p, maps, rows, columns, mesh, point, 0, p.channels, corners, f);
            statistics(p, f, 0, p.channels, largest, mean, deviation);
            Bfloat* to = out + (std::size_t(mesh) * p.points + point) * p.stride + p.offset;
            for (int i = 0; i < p.channels; ++i) {
                to[i] = narrow(largest[i]);
                to[p.total + i] = narrow(mean[i]);
                to[2 * p.total + i] = narrow(deviation[i]);
            }
        }
}

// gradient [O R N, stride] of out -> gradient of maps, added to mapGradient [O V, S, S, C] float32.
extern "C" void poolBackward(const Bfloat* maps, const float* rows, const float* columns,
                             const Bfloat* gradient, float* mapGradient, const Pool* pool) {
    const Pool p = *pool;
    const int chunk = std::min(p.channels, 64), chunks = p.channels / chunk;
#pragma omp parallel for collapse(2) schedule(static)
    for (int object = 0; object < p.objects; ++object)
        for (int part = 0; part < chunks; ++part) {
            alignas(64) float f[kMaxViews][kMaxChannels], largest[kMaxChannels], mean[kMaxChannels],
                deviation[kMaxChannels];
            Corners corners[kMaxViews];
            const int from = part * chunk, to = from + chunk;
            for (int mesh = object * p.meshes; mesh < (object + 1) * p.meshes; ++mesh)
                for (int point = 0; point < p.points; ++point) {
                    sampleViews(p, maps, rows, columns, mesh, point, from, to, corners, f);
                    statistics(p, f, from, to, largest, mean, deviation);
                    const Bfloat* g =
                        gradient + (std::size_t(mesh) * p.points + point) * p.stride + p.offset;
                    float left[kMaxChannels];  // the maximum's gradient, until a view has taken it
                    for (int i = from; i < to; ++i) {
                        left[i] = widen(g[i]);
                        deviation[i] = widen(g[2 * p.total + i]) / (p.views * deviation[i]);
                    }
                    for (int v = 0; v < p.views; ++v) {
                        alignas(64) float change[kMaxChannels];
                        for (int i = from; i < to; ++i) {
                            const bool top = f[v][i] >= largest[i];
                            change[i] = widen(g[p.total + i]) / p.views +
                                        deviation[i] * (f[v][i] - mean[i]) + (top ? left[i] : 0.f);
                            left[i] = top ? 0.f : left[i];
                        }
                        float* map = mapGradient + (std::size_t(object) * p.views + v) * p.size *
                                                       p.size * p.channels;
                        for (int j = 0; j < 4; ++j) {
                            const float weight = corners[v].weight[j];
                            if (weight == 0) continue;
                            float* texel = map + std::size_t(corners[v].texel[j]) * p.channels;
                            for (int i = from; i < to; ++i) texel[i] += weight * change[i];
                        }
                    }
                }
        }
}

// A sparse support, the matrix L of `nodes` rows, used for each of `batch` graphs.
struct Graph {
    const int* start;
    const int* column;
    const float* value;
    int batch, nodes;
    float factor;  // scales the sum of the ReLU and of what is added to it
};

// h [batch nodes, 2 hidden] -> out = factor (relu(h[:hidden] + L h[hidden:] + bias) + added),
// positive = where the ReLU passes; factor counts only if added is not null.
extern "C" void graphForward(const Bfloat* h, const float* bias, const Bfloat* added, Bfloat* out,
                             std::uint8_t* positive, const Graph* graph) {
    const Graph g = *graph;
#pragma omp parallel for collapse(2) schedule(static)
    for (int b = 0; b < g.batch; ++b)
        for (int n = 0; n < g.nodes; ++n) {
            const std::size_t first = std::size_t(b) * g.nodes, row = first + n;
            Row sum;
            std::memcpy(&sum, bias, sizeof sum);
            sum.add(1, h + row * 2 * kHidden);
            for (int k = g.start[n]; k < g.start[n + 1]; ++k)
                sum.add(g.value[k], h + (first + g.column[k]) * 2 * kHidden + kHidden);
            for (int i = 0; i < kVectors; ++i) {
                const std::size_t at = row * kHidden + i * kLanes;
                const Ints passes = sum.v[i] > 0;
                const Bytes bytes = __builtin_convertvector(passes, Bytes);
                std::memcpy(positive + at, &bytes, sizeof bytes);
                Lanes value = passes ? sum.v[i] : Lanes{};
                if (added) value = g.factor * (value + load(added + at));
                store(out + at, value);
            }
        }
}

// gradient [batch nodes, hidden] of out -> hGradient [batch nodes, 2 hidden]; the gradient of the
// bias is added to biasGradient.
extern "C" void graphBackward(const Bfloat* gradient, const std::uint8_t* positive,
                              Bfloat* hGradient, float* biasGradient, const Graph* graph) {
    const Graph g = *graph;
    // Number of rows of one partial sum. It is fixed, so that biasGradient does not depend on the
    // number of threads.
    constexpr int kRows = 512;
    const int all = g.batch * g.nodes, parts = (all + kRows - 1) / kRows;
    std::vector<Row> partial(parts);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < parts; ++part) {
        Row total{};
        for (int row = part * kRows; row < std::min(all, (part + 1) * kRows); ++row)
            for (int i = 0; i < kVectors; ++i) {
                Bytes bytes;
                std::memcpy(&bytes, positive + std::size_t(row) * kHidden + i * kLanes,
                            sizeof bytes);
                const Ints passes = __builtin_convertvector(bytes, Ints) != 0;
                const Lanes value =
                    g.factor * load(gradient + std::size_t(row) * kHidden + i * kLanes);
                const Lanes masked = passes ? value : Lanes{};
                total.v[i] += masked;
                store(hGradient + std::size_t(row) * 2 * kHidden + i * kLanes, masked);
            }
        partial[part] = total;
    }
    for (const Row& row : partial)
        for (int c = 0; c < kHidden; ++c) biasGradient[c] += row.v[c / kLanes][c % kLanes];
#pragma omp parallel for collapse(2) schedule(static)
    for (int b = 0; b < g.batch; ++b)
        for (int n = 0; n < g.nodes; ++n) {
            const std::size_t first = std::size_t(b) * g.nodes;
            Row sum{};
            for (int k = g.start[n]; k < g.start[n + 1]; ++k)
                sum.add(g.value[k], hGradient + (first + g.column[k]) * 2 * kHidden);
            for (int i = 0; i < kVectors; ++i)
                store(hGradient + (first + n) * 2 * kHidden + kHidden + i * kLanes, sum.v[i]);
        }
}

// out [batch, nodes, C] = L h in float32, for the few channels of a last layer.
extern "C" void graphProduct(const float* h, float* out, int C, const Graph* graph) {
    const Graph g = *graph;
#pragma omp parallel for collapse(2) schedule(static)
    for (int b = 0; b < g.batch; ++b)
        for (int n = 0; n < g.nodes; ++n) {
            float* to = out + (std::size_t(b) * g.nodes + n) * C;
            std::fill(to, to + C, 0.f);
            for (int k = g.start[n]; k < g.start[n + 1]; ++k)
                for (int c = 0; c < C; ++c)
                    to[c] += g.value[k] * h[(std::size_t(b) * g.nodes + g.column[k]) * C + c];
        }
}

// hidden [M, before, C] -> columns of out [M, before + edges, stride] at offset: the rows of
// hidden, then for each edge the mean of the rows of its ends.
extern "C" void unpoolForward(const Bfloat* hidden, const std::int64_t* ends, Bfloat* out,
                              int meshes, int before, int edges, int C, int stride, int offset) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int m = 0; m < meshes; ++m)
        for (int n = 0; n < before + edges; ++n) {
            const Bfloat *from = hidden + std::size_t(m) * before * C, *a = from, *b = from;
            a += std::size_t(n < before ? n : ends[2 * (n - before)]) * C;
            b += std::size_t(n < before ? n : ends[2 * (n - before) + 1]) * C;
            Bfloat* to = out + (std::size_t(m) * (before + edges) + n) * stride + offset;
            for (int c = 0; c < C; ++c) to[c] = narrow(0.5f * (widen(a[c]) + widen(b[c])));
        }
}

extern "C" void unpoolBackward(const Bfloat* gradient, const std::int64_t* ends,
                               Bfloat* hiddenGradient, int meshes, int before, int edges, int C,
                               int stride, int offset) {
#pragma omp parallel for schedule(static)
    for (int m = 0; m < meshes; ++m) {
        std::vector<float> sum(std::size_t(before) * C);
        const Bfloat* from = gradient + std::size_t(m) * (before + edges) * stride + offset;
        for (int n = 0; n < before; ++n)
            for (int c = 0; c < C; ++c)
                sum[std::size_t(n) * C + c] = widen(from[std::size_t(n) * stride + c]);
        for (int e = 0; e < edges; ++e)
            for (int side = 0; side < 2; ++side)
                for (int c = 0; c < C; ++c)
                    sum[std::size_t(ends[2 * e + side]) * C + c] +=
                        0.5f * widen(from[std::size_t(before + e) * stride + c]);
        for (std::size_t i = 0; i < sum.size(); ++i)
            hiddenGradient[std::size_t(m) * before * C + i] = narrow(sum[i]);
    }
}

// For each of queries [M, N, 3]: index of the nearest of targets [M, K, 3], and its squared
// distance.
extern "C" void nearest(const float* queries, const float* targets, std::int64_t* index,
                        float* distance, int meshes, int N, int K) {
    const int groups = (K + kLanes - 1) / kLanes;
    std::vector<Lanes> xyz(std::size_t(meshes) * groups * 3);
    for (int m = 0; m < meshes; ++m)
        for (int k = 0; k < groups * kLanes; ++k)
            for (int d = 0; d < 3; ++d)
                xyz[(std::size_t(m) * groups + k / kLanes) * 3 + d][k % kLanes] =
                    k < K ? targets[(std::size_t(m) * K + k) * 3 + d] : 1e6f;
    constexpr int kQueries = 4;  // at a time, so that targets are read once for four
#pragma omp parallel for collapse(2) schedule(static)
    for (int m = 0; m < meshes; ++m)
        for (int n = 0; n < N; n += kQueries) {
            Lanes best[kQueries];
            Ints group[kQueries];
            float p[kQueries][3];
            for (int q = 0; q < kQueries; ++q) {
                best[q] = Lanes{} + 1e30f;
                group[q] = Ints{};
                for (int d = 0; d < 3; ++d)
                    p[q][d] = queries[(std::size_t(m) * N + std::min(n + q, N - 1)) * 3 + d];
            }
            const Lanes* t = xyz.data() + std::size_t(m) * groups * 3;
            for (int k = 0; k < groups; ++k, t += 3)
                for (int q = 0; q < kQueries; ++q) {
                    const Lanes x = t[0] - p[q][0], y = t[1] - p[q][1], z = t[2] - p[q][2],
                                d = x * x + y * y + z * z;
                    const Ints closer = d < best[q];
                    best[q] = closer ? d : best[q];
                    group[q] = closer ? Ints{} + k : group[q];
                }
            for (int q = 0; q < kQueries && n + q < N; ++q) {
                int found = 0;
                for (int l = 1; l < kLanes; ++l)
                    if (best[q][l] < best[q][found]) found = l;
                index[std::size_t(m) * N + n + q] = std::int64_t(group[q][found]) * kLanes + found;
                distance[std::size_t(m) * N + n + q] = best[q][found];
            }
        }
}
