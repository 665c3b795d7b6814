// Three launches compute the terms of all views. 1. Each tangent point finds its nearest vertex: a
// block takes 64 points of a view and projects all vertices tile by tile; each of its eight warps
// compares all 64 points with an eighth of each tile, two points per lane. 2. One thread per vertex
// and view sums that view's terms. The thread scans all points of the view for those matched to its
// vertex, so that the order of the sum is fixed. 3. One thread per value sums the views.
#include "cuda/kernels/fit_terms.h"

#include "cuda/portable/kernel.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/camera.h"

namespace threefold::cuda {
namespace {

using fitting::kPixelsPerNormalUnit;

constexpr float kFocal = static_cast<float>(kFocalLength);
constexpr float kCentre = static_cast<float>(kPrincipalPoint);
constexpr float kInfinity = __builtin_huge_valf();
constexpr unsigned kAllLanes = 0xFFFFFFFF;

constexpr unsigned kNearestThreads = 256;
constexpr unsigned kNearestWarps = kNearestThreads / 32;
constexpr unsigned kLanePoints = 2;
constexpr unsigned kBlockPoints = 32 * kLanePoints;
constexpr unsigned kTile = 1024;
constexpr unsigned kWarpTile = kTile / kNearestWarps;
static_assert(2 * kNearestWarps * kBlockPoints <= 5 * kTile);

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kPointsAtOnce = 512;

/// Vertex in camera space, with its z clamped to kMaxCameraZ, and its pixel coordinates.
struct ProjectedVertex {
    float x, y;
    float inverseDepth;
    float column, row;
};

__device__ __forceinline__ ProjectedVertex project(const PackedOutline& view, const float* vertex) {
    const float* linear = view.linear;
    const auto cameraCoordinate = [&](int row) {
        return linear[3 * row] * vertex[0] + linear[3 * row + 1] * vertex[1] +
               linear[3 * row + 2] * vertex[2] + view.offset[row];
    };
    ProjectedVertex projected;
    projected.x = cameraCoordinate(0);
    projected.y = cameraCoordinate(1);
    projected.inverseDepth = 1 / min(cameraCoordinate(2), fitting::kMaxCameraZ);
    projected.column = -kFocal * projected.x * projected.inverseDepth + kCentre;
    projected.row = kFocal * projected.y * projected.inverseDepth + kCentre;
    return projected;
}

__global__ void __launch_bounds__(kThreads)
    fitNormalsKernel(const FitMesh mesh, const float* vertices, float* normals) {
    const unsigned v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= mesh.vertexCount) return;
    double sum[3] = {};
    for (unsigned i = mesh.vertexFaceOffsets[v]; i < mesh.vertexFaceOffsets[v + 1]; ++i) {
        const std::uint32_t* face = mesh.faces + std::size_t{3} * mesh.vertexFaces[i];
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

/// Squared distance between a point and a vertex in image position and normal.
__device__ __forceinline__ float matchScore(const float (&point)[5], const float (&vertex)[5]) {
    float score = 0;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
        const float difference = __fadd_rn(vertex[i], -point[i]);
        const float squared = __fmul_rn(difference, difference);
        score = i == 0 ? squared : __fadd_rn(score, squared);
    }
    return score;
}

/// Projects the vertices from `begin` on into `tile`, (5, kTile): image position and normal.
__device__ __forceinline__ void loadTile(float* tile, const FitTermsArguments& a,
                                         const PackedOutline& view, unsigned begin) {
    for (unsigned i = threadIdx.x; i < kTile; i += kNearestThreads) {
        const unsigned v = begin + i;
        // Padding beyond the last vertex is never nearest.
        ProjectedVertex projected = {};
        projected.column = kInfinity;
        projected.row = kInfinity;
        if (v < a.vertexCount) projected = project(view, a.vertices + std::size_t{3} * v);
        tile[i] = projected.column;
        tile[kTile + i] = projected.row;
        for (unsigned axis = 0; axis < 3; ++axis)
            tile[(2 + axis) * kTile + i] =
                v < a.vertexCount ? kPixelsPerNormalUnit * a.normals[std::size_t{3} * v + axis] : 0;
    }
}

/// Compares a lane's points with the warp's part of the tile that starts at vertex `begin`.
__device__ __forceinline__ void compareTile(const float* tile, unsigned begin, unsigned warp,
                                            const float (&point)[kLanePoints][5],
                                            float (&minScore)[kLanePoints],
                                            unsigned (&minIndex)[kLanePoints]) {
    const auto compareVertex = [&](unsigned index, const float(&vertex)[5]) {
#pragma unroll
        for (unsigned p = 0; p < kLanePoints; ++p) {
            const float score = matchScore(point[p], vertex);
            minIndex[p] = score < minScore[p] ? index : minIndex[p];
            minScore[p] = score < minScore[p] ? score : minScore[p];
        }
    };
    const unsigned warpBegin = warp * kWarpTile;
    for (unsigned i = warpBegin; i < warpBegin + kWarpTile; i += 4) {
        float4 packed[5];
#pragma unroll
        for (unsigned k = 0; k < 5; ++k)
            packed[k] = *reinterpret_cast<const float4*>(tile + k * kTile + i);
        compareVertex(begin + i, {packed[0].x, packed[1].x, packed[2].x, packed[3].x, packed[4].x});
        compareVertex(begin + i + 1,
                      {packed[0].y, packed[1].y, packed[2].y, packed[3].y, packed[4].y});
        compareVertex(begin + i + 2,
                      {packed[0].z, packed[1].z, packed[2].z, packed[3].z, packed[4].z});
        compareVertex(begin + i + 3,
                      {packed[0].w, packed[1].w, packed[2].w, packed[3].w, packed[4].w});
    }
}

/// Returns the index of the smallest score of all warps for point `p`, the lowest index of equal
/// scores.
__device__ __forceinline__ unsigned reduceWarps(const float* warpMinima,
                                                const unsigned* warpIndices, unsigned p) {
    float best = warpMinima[p];
    unsigned bestIndex = warpIndices[p];
    for (unsigned w = 1; w < kNearestWarps; ++w) {
        const float other = warpMinima[w * kBlockPoints + p];
        const unsigned otherIndex = warpIndices[w * kBlockPoints + p];
        const bool isBetter = other < best || (other == best && otherIndex < bestIndex);
        bestIndex = isBetter ? otherIndex : bestIndex;
        best = isBetter ? other : best;
    }
    return bestIndex;
}

__global__ void __launch_bounds__(kNearestThreads) fitNearestKernel(const FitTermsArguments a) {
    const PackedOutline& view = a.views[blockIdx.y];
    const PackedTangentPoint* points = a.points + view.firstPoint;
    const unsigned firstPoint = blockIdx.x * kBlockPoints;
    if (firstPoint >= view.pointCount) return;
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;

    float point[kLanePoints][5];
    float minScore[kLanePoints];
    unsigned minIndex[kLanePoints];
#pragma unroll
    for (unsigned p = 0; p < kLanePoints; ++p) {
        const PackedTangentPoint& source =
            points[min(firstPoint + 32 * p + lane, view.pointCount - 1)];
        point[p][0] = source.column;
        point[p][1] = source.row;
        for (int axis = 0; axis < 3; ++axis) point[p][2 + axis] = source.plane[axis];
        minScore[p] = kInfinity;
        minIndex[p] = 0;
    }

    float* tile = sharedMemory<float>();  // (5, kTile)
    for (unsigned begin = 0; begin < a.vertexCount; begin += kTile) {
        loadTile(tile, a, view, begin);
        __syncthreads();
        compareTile(tile, begin, warp, point, minScore, minIndex);
        __syncthreads();
    }

    float* warpMinima = tile;  // (kNearestWarps, kBlockPoints)
    unsigned* warpIndices = sharedMemory<unsigned>(kNearestWarps * kBlockPoints * sizeof(float));
    for (unsigned p = 0; p < kLanePoints; ++p) {
        warpMinima[warp * kBlockPoints + 32 * p + lane] = minScore[p];
        warpIndices[warp * kBlockPoints + 32 * p + lane] = minIndex[p];
    }
    __syncthreads();
    const unsigned p = threadIdx.x;
    if (p >= kBlockPoints || firstPoint + p >= view.pointCount) return;
    a.nearest[std::size_t{blockIdx.y} * a.maxPoints + firstPoint + p] =
        reduceWarps(warpMinima, warpIndices, p);
}

/// Sums of one view's terms for one vertex: matrix and vector of its normal equations, and energy.
struct Sum {
    float matrix[6] = {};
    float vector[3] = {};
    double energy = 0;

    __device__ __forceinline__ void add(const float (&gradient)[3], float residual, float weight) {
        int index = 0;
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            const float scaled = weight * gradient[i];
#pragma unroll
            for (int j = i; j < 3; ++j) matrix[index++] += scaled * gradient[j];
            vector[i] += weight * residual * gradient[i];
        }
        energy += weight * residual * residual;
    }
};

/// Signed distance and its gradient at any image position (fitting::Outline::sample).
struct DistanceAt {
    float distance;
    float gradient[2];
};

__device__ __forceinline__ float mix(float a, float b, float t) {
    return a * (1 - t) + b * t;
}

__device__ __forceinline__ DistanceAt distanceAt(const PackedOutline& view, const float* distances,
                                                 float column, float row) {
    const auto last = static_cast<float>(view.side - 1);
    const float x = min(max(column / view.pixelSize - 0.5F, 0.0F), last);
    const float y = min(max(row / view.pixelSize - 0.5F, 0.0F), last);
    const int left = min(static_cast<int>(x), view.side - 2);
    const int top = min(static_cast<int>(y), view.side - 2);
    const float u = x - static_cast<float>(left);
    const float v = y - static_cast<float>(top);
    const float* corner =
        distances + view.firstDistance + static_cast<std::ptrdiff_t>(top) * view.side + left;
    const float* nextRow = corner + view.side;
    const float above = mix(corner[0], corner[1], u);
    const float below = mix(nextRow[0], nextRow[1], u);
    return {mix(above, below, v),
            {mix(corner[1] - corner[0], nextRow[1] - nextRow[0], v) / view.pixelSize,
             (below - above) / view.pixelSize}};
}

/// Derivatives of a vertex's image position with respect to the vertex's position.
struct ImageGradients {
    float columnGradient[3] = {};
    float rowGradient[3] = {};

    /// Chain rule: gradient of a quantity with respect to the vertex, from its derivatives with
    /// respect to the image column and row.
    __device__ __forceinline__ void toVertex(float byColumn, float byRow,
                                             float (&gradient)[3]) const {
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] = byColumn * columnGradient[axis] + byRow * rowGradient[axis];
    }
};

__device__ __forceinline__ ImageGradients imageGradients(const PackedOutline& view,
                                                         const ProjectedVertex& projected) {
    ImageGradients gradients;
    const float* linear = view.linear;
    const float focalOverDepth = kFocal * projected.inverseDepth;
    for (int axis = 0; axis < 3; ++axis) {
        gradients.columnGradient[axis] =
            -focalOverDepth *
            (linear[axis] - projected.x * projected.inverseDepth * linear[6 + axis]);
        gradients.rowGradient[axis] =
            focalOverDepth *
            (linear[3 + axis] - projected.y * projected.inverseDepth * linear[6 + axis]);
    }
    return gradients;
}

/// Adds the term of a vertex outside of the outline.
__device__ __forceinline__ void addOutsideTerm(Sum& sum, const FitTermsArguments& a,
                                               const PackedOutline& view,
                                               const ProjectedVertex& projected,
                                               const ImageGradients& gradients) {
    const DistanceAt at = distanceAt(view, a.distances, projected.column, projected.row);
    if (at.distance > 0) {
        float gradient[3];
        gradients.toVertex(at.gradient[0], at.gradient[1], gradient);
        sum.add(gradient, -at.distance,
                fitting::kOutsideWeight * fitting::robustWeight(at.distance * at.distance));
    }
}

/// Adds the two terms of a tangent point that is matched to the vertex: across the outline and
/// along it.
__device__ __forceinline__ void addPointTerms(Sum& sum, const PackedTangentPoint& point,
                                              const ProjectedVertex& projected,
                                              const ImageGradients& gradients, float pointWeight) {
    const float offset[2] = {point.column - projected.column, point.row - projected.row};
    const float weight =
        pointWeight * fitting::robustWeight(offset[0] * offset[0] + offset[1] * offset[1]);
    const float normal[2] = {point.normalColumn, point.normalRow};
    float gradient[3];
    gradients.toVertex(normal[0], normal[1], gradient);
    sum.add(gradient, offset[0] * normal[0] + offset[1] * normal[1], weight);
    gradients.toVertex(-normal[1], normal[0], gradient);
    sum.add(gradient, offset[1] * normal[0] - offset[0] * normal[1],
            fitting::kTangentWeight * weight);
}

__global__ void __launch_bounds__(kThreads) fitTermsKernel(const FitTermsArguments a) {
    const PackedOutline& view = a.views[blockIdx.y];
    const PackedTangentPoint* points = a.points + view.firstPoint;
    const unsigned v = blockIdx.x * kThreads + threadIdx.x;
    const unsigned* nearest = a.nearest + std::size_t{blockIdx.y} * a.maxPoints;
    // (kPointsAtOnce): nearest vertex of each point
    unsigned* nearestOfTile = sharedMemory<unsigned>();
    double* warpEnergy = sharedMemory<double>(kPointsAtOnce * sizeof(unsigned));

    Sum sum;
    ProjectedVertex projected = {};
    ImageGradients gradients;
    if (v < a.vertexCount) {
        projected = project(view, a.vertices + std::size_t{3} * v);
        gradients = imageGradients(view, projected);
        addOutsideTerm(sum, a, view, projected, gradients);
    }

    // The sum over the points counts as if there were as many points as vertices, since the outside
    // term is a sum over the vertices.
    const float pointWeight =
        static_cast<float>(a.vertexCount) / static_cast<float>(view.pointCount);
    const unsigned pointCount = a.withOutlinePoints ? view.pointCount : 0;
    for (unsigned begin = 0; begin < pointCount; begin += kPointsAtOnce) {
        const unsigned count = min(kPointsAtOnce, pointCount - begin);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < count; i += kThreads)
            nearestOfTile[i] = nearest[begin + i];
        __syncthreads();
        for (unsigned i = 0; i < count; ++i)
            if (nearestOfTile[i] == v)
                addPointTerms(sum, points[begin + i], projected, gradients, pointWeight);
    }

    if (v < a.vertexCount) {
        float* output =
            a.viewTerms + std::size_t{blockIdx.y} * kFitValuesPerVertex * a.vertexCount + v;
#pragma unroll
        for (int i = 0; i < 6; ++i) output[std::size_t{a.vertexCount} * i] = sum.matrix[i];
#pragma unroll
        for (int i = 0; i < 3; ++i) output[std::size_t{a.vertexCount} * (6 + i)] = sum.vector[i];
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
    const std::size_t values = std::size_t{kFitValuesPerVertex} * a.vertexCount;
    if (i >= values) return;
    float sum = 0;
    for (unsigned view = 0; view < a.viewCount; ++view) sum += a.viewTerms[view * values + i];
    a.termSums[i] = sum;
}

unsigned blocksFor(std::size_t threads) {
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

}  // namespace

std::uint32_t fitEnergyCount(std::uint32_t vertexCount, std::uint32_t viewCount) {
    return blocksFor(vertexCount) * viewCount;
}

void launchFitNormals(Stream stream, const FitMesh& mesh, const float* vertices, float* normals) {
    if (mesh.vertexCount == 0) return;
    launch(fitNormalsKernel, {dim3(blocksFor(mesh.vertexCount)), dim3(kThreads)}, stream, mesh,
           vertices, normals);
}

void launchFitTerms(Stream stream, const FitTermsArguments& arguments) {
    if (arguments.vertexCount == 0 || arguments.viewCount == 0) return;
    if (arguments.withOutlinePoints && arguments.maxPoints > 0) {
        const unsigned blocks = (arguments.maxPoints + kBlockPoints - 1) / kBlockPoints;
        launch(
            fitNearestKernel,
            {dim3(blocks, arguments.viewCount), dim3(kNearestThreads), 5 * kTile * sizeof(float)},
            stream, arguments);
    }
    launch(fitTermsKernel,
           {dim3(blocksFor(arguments.vertexCount), arguments.viewCount), dim3(kThreads),
            kPointsAtOnce * sizeof(unsigned) + kWarps * sizeof(double)},
           stream, arguments);
    launch(
        fitSumKernel,
        {dim3(blocksFor(std::size_t{kFitValuesPerVertex} * arguments.vertexCount)), dim3(kThreads)},
        stream, arguments);
}

}  // namespace threefold::cuda
