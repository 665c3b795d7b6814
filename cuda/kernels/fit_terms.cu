// Three launches for the terms of all views. First each place on an outline looks for its vertex: a
// block takes 64 places of a view and goes over all vertices, which it projects on the way, tile by
// tile; a warp takes an eighth of each tile, a lane two of the places. Then a thread takes a vertex
// in a view and adds up that view's terms for it; the places that draw it are found by looking
// through all that the view has, so that they come in their order. Last, a thread adds up all
// views' terms for a vertex.
#include "cuda/kernels/fit.h"

#include "cuda/portable/kernel.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/camera.h"

namespace threefold::cuda {
namespace {

using fitting::kNormalPixels;

constexpr float kFocal = static_cast<float>(kFocalLength);
constexpr float kCentre = static_cast<float>(kImageCentre);
constexpr float kInfinity = __builtin_huge_valf();
constexpr unsigned kAllLanes = 0xFFFFFFFF;

constexpr unsigned kNearestThreads = 256;
constexpr unsigned kNearestWarps = kNearestThreads / 32;
constexpr unsigned kLanePlaces = 2;
constexpr unsigned kBlockPlaces = 32 * kLanePlaces;
constexpr unsigned kTile = 1024;
constexpr unsigned kWarpTile = kTile / kNearestWarps;
static_assert(2 * kNearestWarps * kBlockPlaces <= 5 * kTile);

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kPlacesAtOnce = 512;

/// A vertex in the camera's space, its depth limited, and in the image.
struct Seen {
    float x, y;
    float inverseDepth;
    float column, row;
};

__device__ __forceinline__ Seen project(const PackedOutline& view, const float* vertex) {
    const float* r = view.rotation;
    const auto turned = [&](int row) {
        return r[3 * row] * vertex[0] + r[3 * row + 1] * vertex[1] + r[3 * row + 2] * vertex[2] +
               view.offset[row];
    };
    Seen seen;
    seen.x = turned(0);
    seen.y = turned(1);
    seen.inverseDepth = 1 / min(turned(2), fitting::kNearestDepth);
    seen.column = -kFocal * seen.x * seen.inverseDepth + kCentre;
    seen.row = kFocal * seen.y * seen.inverseDepth + kCentre;
    return seen;
}

__device__ __forceinline__ float robustWeight(float squared) {
    constexpr float kScale = fitting::kRobustPixels * fitting::kRobustPixels;
    return kScale / (kScale + squared);
}

__global__ void __launch_bounds__(kThreads)
    fitNormalsKernel(const FitMesh mesh, const float* vertices, float* normals) {
    const unsigned v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= mesh.vertexCount) return;
    double sum[3] = {};
    for (unsigned i = mesh.aroundStart[v]; i < mesh.aroundStart[v + 1]; ++i) {
        const std::uint32_t* face = mesh.faces + std::size_t{3} * mesh.faceAround[i];
        const float* a = vertices + std::size_t{3} * face[0];
        const float* b = vertices + std::size_t{3} * face[1];
        const float* c = vertices + std::size_t{3} * face[2];
        double ab[3], ac[3];
        for (int axis = 0; axis < 3; ++axis) {
            ab[axis] = static_cast<double>(b[axis]) - a[axis];
            ac[axis] = static_cast<double>(c[axis]) - a[axis];
        }
        for (int axis = 0; axis < 3; ++axis) {
            const int next = (axis + 1) % 3;
            const int last = (axis + 2) % 3;
            sum[axis] += ab[next] * ac[last] - ac[next] * ab[last];
        }
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int axis = 0; axis < 3; ++axis)
        normals[std::size_t{3} * v + axis] =
            length > 0 ? static_cast<float>(sum[axis] / length) : 0.0F;
}

/// Squared distance of a place from a vertex, in the image and by their normals.
__device__ __forceinline__ float scoreOf(const float (&place)[5], const float (&vertex)[5]) {
    float score = 0;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
        const float off = __fadd_rn(vertex[i], -place[i]);
        const float squared = __fmul_rn(off, off);
        score = i == 0 ? squared : __fadd_rn(score, squared);
    }
    return score;
}

__global__ void __launch_bounds__(kNearestThreads) fitNearestKernel(const FitTermsArguments a) {
    const PackedOutline& view = a.views[blockIdx.y];
    const FitPlace* places = a.places + view.firstPlace;
    const unsigned firstPlace = blockIdx.x * kBlockPlaces;
    if (firstPlace >= view.placeCount) return;
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;

    float place[kLanePlaces][5];
    float least[kLanePlaces];
    unsigned where[kLanePlaces];
#pragma unroll
    for (unsigned p = 0; p < kLanePlaces; ++p) {
        const FitPlace& mine = places[min(firstPlace + 32 * p + lane, view.placeCount - 1)];
        place[p][0] = mine.column;
        place[p][1] = mine.row;
        for (int axis = 0; axis < 3; ++axis) place[p][2 + axis] = mine.plane[axis];
        least[p] = kInfinity;
        where[p] = 0;
    }

    float* tile = sharedMemory<float>();  // (5, kTile)
    for (unsigned begin = 0; begin < a.vertexCount; begin += kTile) {
        for (unsigned i = threadIdx.x; i < kTile; i += kNearestThreads) {
            const unsigned v = begin + i;
            // Beyond the last vertex: never nearest.
            Seen seen = {};
            seen.column = kInfinity;
            seen.row = kInfinity;
            if (v < a.vertexCount) seen = project(view, a.vertices + std::size_t{3} * v);
            tile[i] = seen.column;
            tile[kTile + i] = seen.row;
            for (unsigned axis = 0; axis < 3; ++axis)
                tile[(2 + axis) * kTile + i] =
                    v < a.vertexCount ? kNormalPixels * a.normals[std::size_t{3} * v + axis] : 0;
        }
        __syncthreads();
        const unsigned mine = warp * kWarpTile;
        for (unsigned i = mine; i < mine + kWarpTile; i += 4) {
            float4 four[5];
#pragma unroll
            for (unsigned k = 0; k < 5; ++k)
                four[k] = *reinterpret_cast<const float4*>(tile + k * kTile + i);
            const auto take = [&](unsigned index, const float(&vertex)[5]) {
#pragma unroll
                for (unsigned p = 0; p < kLanePlaces; ++p) {
                    const float score = scoreOf(place[p], vertex);
                    where[p] = score < least[p] ? index : where[p];
                    least[p] = score < least[p] ? score : least[p];
                }
            };
            take(begin + i, {four[0].x, four[1].x, four[2].x, four[3].x, four[4].x});
            take(begin + i + 1, {four[0].y, four[1].y, four[2].y, four[3].y, four[4].y});
            take(begin + i + 2, {four[0].z, four[1].z, four[2].z, four[3].z, four[4].z});
            take(begin + i + 3, {four[0].w, four[1].w, four[2].w, four[3].w, four[4].w});
        }
        __syncthreads();
    }

    float* leastOf = tile;  // (kNearestWarps, kBlockPlaces)
    unsigned* whereOf = sharedMemory<unsigned>(kNearestWarps * kBlockPlaces * sizeof(float));
    for (unsigned p = 0; p < kLanePlaces; ++p) {
        leastOf[warp * kBlockPlaces + 32 * p + lane] = least[p];
        whereOf[warp * kBlockPlaces + 32 * p + lane] = where[p];
    }
    __syncthreads();
    const unsigned p = threadIdx.x;
    if (p >= kBlockPlaces || firstPlace + p >= view.placeCount) return;
    float best = leastOf[p];
    unsigned at = whereOf[p];
    for (unsigned w = 1; w < kNearestWarps; ++w) {
        const float other = leastOf[w * kBlockPlaces + p];
        const unsigned there = whereOf[w * kBlockPlaces + p];
        const bool rather = other < best || (other == best && there < at);
        at = rather ? there : at;
        best = rather ? other : best;
    }
    a.nearest[std::size_t{blockIdx.y} * a.mostPlaces + firstPlace + p] = at;
}

/// One view's terms for a vertex.
struct Sum {
    float matrix[6] = {};
    float vector[3] = {};
    double energy = 0;

    __device__ __forceinline__ void add(const float (&slope)[3], float residual, float weight) {
        int at = 0;
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            const float scaled = weight * slope[i];
#pragma unroll
            for (int j = i; j < 3; ++j) matrix[at++] += scaled * slope[j];
            vector[i] += weight * residual * slope[i];
        }
        energy += weight * residual * residual;
    }
};

/// Signed distance and its slope at a place (fitting::Outline::at), any number.
struct DistanceAt {
    float distance;
    float slope[2];
};

__device__ __forceinline__ float mix(float a, float b, float part) {
    return a * (1 - part) + b * part;
}

__device__ __forceinline__ DistanceAt distanceAt(const PackedOutline& view, const float* distances,
                                                 float column, float row) {
    const auto last = static_cast<float>(view.size - 1);
    const float x = min(max(column / view.pixel - 0.5F, 0.0F), last);
    const float y = min(max(row / view.pixel - 0.5F, 0.0F), last);
    const int left = min(static_cast<int>(x), view.size - 2);
    const int top = min(static_cast<int>(y), view.size - 2);
    const float across = x - static_cast<float>(left);
    const float down = y - static_cast<float>(top);
    const float* corner =
        distances + view.firstDistance + static_cast<std::ptrdiff_t>(top) * view.size + left;
    const float* under = corner + view.size;
    const float above = mix(corner[0], corner[1], across);
    const float below = mix(under[0], under[1], across);
    return {mix(above, below, down),
            {mix(corner[1] - corner[0], under[1] - under[0], down) / view.pixel,
             (below - above) / view.pixel}};
}

__global__ void __launch_bounds__(kThreads) fitTermsKernel(const FitTermsArguments a) {
    const PackedOutline& view = a.views[blockIdx.y];
    const FitPlace* places = a.places + view.firstPlace;
    const unsigned v = blockIdx.x * kThreads + threadIdx.x;
    const unsigned* nearest = a.nearest + std::size_t{blockIdx.y} * a.mostPlaces;
    unsigned* drawn = sharedMemory<unsigned>();  // (kPlacesAtOnce)
    double* warpEnergy = sharedMemory<double>(kPlacesAtOnce * sizeof(unsigned));

    Sum sum;
    Seen seen = {};
    float columnSlope[3] = {};
    float rowSlope[3] = {};
    const auto slopeOf = [&](float column, float row, float(&slope)[3]) {
        for (int axis = 0; axis < 3; ++axis)
            slope[axis] = column * columnSlope[axis] + row * rowSlope[axis];
    };
    if (v < a.vertexCount) {
        seen = project(view, a.vertices + std::size_t{3} * v);
        const float* r = view.rotation;
        const float steep = kFocal * seen.inverseDepth;
        for (int axis = 0; axis < 3; ++axis) {
            columnSlope[axis] = -steep * (r[axis] - seen.x * seen.inverseDepth * r[6 + axis]);
            rowSlope[axis] = steep * (r[3 + axis] - seen.y * seen.inverseDepth * r[6 + axis]);
        }
        const DistanceAt at = distanceAt(view, a.distances, seen.column, seen.row);
        if (at.distance > 0) {
            float slope[3];
            slopeOf(at.slope[0], at.slope[1], slope);
            sum.add(slope, -at.distance,
                    fitting::kOutWeight * robustWeight(at.distance * at.distance));
        }
    }

    // So that both terms weigh the same however many places there are.
    const float share = static_cast<float>(a.vertexCount) / static_cast<float>(view.placeCount);
    const unsigned placeCount = a.withPlaces ? view.placeCount : 0;
    for (unsigned begin = 0; begin < placeCount; begin += kPlacesAtOnce) {
        const unsigned count = min(kPlacesAtOnce, placeCount - begin);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < count; i += kThreads) drawn[i] = nearest[begin + i];
        __syncthreads();
        for (unsigned i = 0; i < count; ++i) {
            if (drawn[i] != v) continue;
            const FitPlace& place = places[begin + i];
            const float off[2] = {place.column - seen.column, place.row - seen.row};
            const float weight = share * robustWeight(off[0] * off[0] + off[1] * off[1]);
            const float normal[2] = {place.normalColumn, place.normalRow};
            float slope[3];
            slopeOf(normal[0], normal[1], slope);
            sum.add(slope, off[0] * normal[0] + off[1] * normal[1], weight);
            slopeOf(-normal[1], normal[0], slope);
            sum.add(slope, off[1] * normal[0] - off[0] * normal[1], fitting::kAlongWeight * weight);
        }
    }

    if (v < a.vertexCount) {
        float* mine = a.byView + std::size_t{blockIdx.y} * kFitValues * a.vertexCount + v;
#pragma unroll
        for (int i = 0; i < 6; ++i) mine[std::size_t{a.vertexCount} * i] = sum.matrix[i];
#pragma unroll
        for (int i = 0; i < 3; ++i) mine[std::size_t{a.vertexCount} * (6 + i)] = sum.vector[i];
    }
    double energy = sum.energy;
    for (int step = 16; step > 0; step /= 2) energy += __shfl_xor_sync(kAllLanes, energy, step);
    if (threadIdx.x % 32 == 0) warpEnergy[threadIdx.x / 32] = energy;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (unsigned w = 1; w < kWarps; ++w) energy += warpEnergy[w];
    a.energies[std::size_t{blockIdx.y} * gridDim.x + blockIdx.x] = energy;
}

__global__ void __launch_bounds__(kThreads) fitSumKernel(const FitTermsArguments a) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    const std::size_t values = std::size_t{kFitValues} * a.vertexCount;
    if (i >= values) return;
    float sum = 0;
    for (unsigned view = 0; view < a.viewCount; ++view) sum += a.byView[view * values + i];
    a.sum[i] = sum;
}

unsigned blocksFor(std::size_t threads) {
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

}  // namespace

std::uint32_t fitEnergies(std::uint32_t vertexCount, std::uint32_t viewCount) {
    return blocksFor(vertexCount) * viewCount;
}

void launchFitNormals(Stream stream, const FitMesh& mesh, const float* vertices, float* normals) {
    if (mesh.vertexCount == 0) return;
    launch(fitNormalsKernel, {dim3(blocksFor(mesh.vertexCount)), dim3(kThreads)}, stream, mesh,
           vertices, normals);
}

void launchFitTerms(Stream stream, const FitTermsArguments& arguments) {
    if (arguments.vertexCount == 0 || arguments.viewCount == 0) return;
    if (arguments.withPlaces && arguments.mostPlaces > 0) {
        const unsigned blocks = (arguments.mostPlaces + kBlockPlaces - 1) / kBlockPlaces;
        launch(
            fitNearestKernel,
            {dim3(blocks, arguments.viewCount), dim3(kNearestThreads), 5 * kTile * sizeof(float)},
            stream, arguments);
    }
    launch(fitTermsKernel,
           {dim3(blocksFor(arguments.vertexCount), arguments.viewCount), dim3(kThreads),
            kPlacesAtOnce * sizeof(unsigned) + kWarps * sizeof(double)},
           stream, arguments);
    launch(fitSumKernel,
           {dim3(blocksFor(std::size_t{kFitValues} * arguments.vertexCount)), dim3(kThreads)},
           stream, arguments);
}

}  // namespace threefold::cuda
