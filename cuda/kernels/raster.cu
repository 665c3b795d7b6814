// A warp draws a triangle over its bounding box; a few triangles are shared by many warps. Depth is
// double and a face's index has 32 bits, so that both do not meet in one atomic: a first pass finds
// the least depth of every pixel, a second one the first face that has it. Both compute depths by
// the same operations, none of them fused: these are the ones of engine/raster/triangle.h.
#include "cuda/kernels/raster.h"

#include <algorithm>
#include <bit>

#include "cuda/portable/kernel.h"

namespace threefold::cuda {
namespace {

using Key = unsigned long long;
using raster::ScreenVertex;

constexpr unsigned kThreads = 128;
constexpr unsigned kWarp = 32;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr Key kNoKey = ~Key{0};
constexpr Key kSign = Key{1} << 63;
constexpr int kGridShift = 8;

/// Four times as many as a multiprocessor holds: boxes are of different sizes.
constexpr unsigned kWarpsPerMultiprocessor = 256;
constexpr unsigned kMostSlices = 4096;

/// Keys are ordered as depths are.
__device__ __forceinline__ Key keyOf(double depth) {
    // −0 and 0 are the same depth.
    const Key bits = std::bit_cast<Key>(__dadd_rn(depth, 0.0));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

__device__ __forceinline__ double depthOf(Key key) {
    return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

__device__ __forceinline__ long long edgeFunction(const ScreenVertex& a, const ScreenVertex& b,
                                                  long long x, long long y) {
    return (static_cast<long long>(b.x) - a.x) * (y - a.y) -
           (static_cast<long long>(b.y) - a.y) * (x - a.x);
}

/// The least value of an edge function that counts as covered.
__device__ __forceinline__ long long leastCovered(const ScreenVertex& a, const ScreenVertex& b,
                                                  long long sign) {
    const long long dx = (static_cast<long long>(b.x) - a.x) * sign;
    const long long dy = (static_cast<long long>(b.y) - a.y) * sign;
    return dy < 0 || (dy == 0 && dx > 0) ? 0 : 1;
}

__device__ __forceinline__ const ScreenVertex& cornerOf(const RasterScene& scene,
                                                        std::uint32_t triangle, unsigned corner) {
    return triangle < scene.faceCount
               ? scene.vertices[scene.faces[std::size_t{3} * triangle + corner]]
               : scene.pieces[triangle - scene.faceCount].corner[corner];
}

__device__ __forceinline__ std::uint32_t faceOf(const RasterScene& scene, std::uint32_t triangle) {
    return triangle < scene.faceCount ? triangle : scene.pieces[triangle - scene.faceCount].face;
}

enum class Pass { depth, face };

/// Faces first, then pieces, one a warp of blockIdx.x; blockIdx.y is the share of its box.
template <Pass pass>
__global__ void __launch_bounds__(kThreads)
    drawKernel(RasterScene scene, Key* depths, Key* seen, std::uint32_t* degenerate) {
    const unsigned lane = threadIdx.x % kWarp;
    const unsigned triangle = blockIdx.x * kWarps + threadIdx.x / kWarp;
    if (triangle >= scene.faceCount + scene.pieceCount) return;
    const ScreenVertex v0 = cornerOf(scene, triangle, 0);
    const ScreenVertex v1 = cornerOf(scene, triangle, 1);
    const ScreenVertex v2 = cornerOf(scene, triangle, 2);
    if (v0.x == raster::kMustBeCut || v1.x == raster::kMustBeCut || v2.x == raster::kMustBeCut) {
        return;
    }
    const long long area = edgeFunction(v0, v1, v2.x, v2.y);
    if (area == 0) {
        if (pass == Pass::depth && lane == 0 && blockIdx.y == 0) atomicAdd(degenerate, 1U);
        return;
    }

    const int before = raster::kHalfPixel - 1;
    const int after = raster::kHalfPixel;
    const int left = max((min(v0.x, min(v1.x, v2.x)) + before) >> kGridShift, 0);
    const int top = max((min(v0.y, min(v1.y, v2.y)) + before) >> kGridShift, 0);
    const int right =
        min((max(v0.x, max(v1.x, v2.x)) - after) >> kGridShift, static_cast<int>(scene.width) - 1);
    const int bottom =
        min((max(v0.y, max(v1.y, v2.y)) - after) >> kGridShift, static_cast<int>(scene.height) - 1);
    if (right < left || bottom < top) return;

    const long long sign = area < 0 ? -1 : 1;
    const long long least0 = leastCovered(v1, v2, sign);
    const long long least1 = leastCovered(v2, v0, sign);
    const long long least2 = leastCovered(v0, v1, sign);
    const auto positive = static_cast<double>(area * sign);
    const double slope1 = __ddiv_rn(__dsub_rn(v1.depth, v0.depth), positive);
    const double slope2 = __ddiv_rn(__dsub_rn(v2.depth, v0.depth), positive);
    const std::uint32_t face = faceOf(scene, triangle);

    const auto columns = static_cast<unsigned>(right - left + 1);
    const unsigned places = columns * static_cast<unsigned>(bottom - top + 1);
    for (unsigned place = blockIdx.y * kWarp + lane; place < places; place += gridDim.y * kWarp) {
        const unsigned row = place / columns;
        const int pixelX = left + static_cast<int>(place - row * columns);
        const int pixelY = top + static_cast<int>(row);
        const long long x = (static_cast<long long>(pixelX) << kGridShift) + raster::kHalfPixel;
        const long long y = (static_cast<long long>(pixelY) << kGridShift) + raster::kHalfPixel;
        const long long edge0 = sign * edgeFunction(v1, v2, x, y);
        const long long edge1 = sign * edgeFunction(v2, v0, x, y);
        const long long edge2 = sign * edgeFunction(v0, v1, x, y);
        if (edge0 < least0 || edge1 < least1 || edge2 < least2) continue;
        const double depth =
            __dadd_rn(v0.depth, __dadd_rn(__dmul_rn(static_cast<double>(edge1), slope1),
                                          __dmul_rn(static_cast<double>(edge2), slope2)));
        const std::size_t pixel =
            static_cast<std::size_t>(pixelY) * scene.width + static_cast<std::size_t>(pixelX);
        if (scene.prior != nullptr && depth < __dadd_rn(static_cast<double>(scene.prior[pixel]),
                                                        static_cast<double>(scene.truncation))) {
            continue;
        }
        const Key key = keyOf(depth);
        if constexpr (pass == Pass::depth) {
            if (key < depths[pixel]) atomicMin(&depths[pixel], key);
        } else if (key == depths[pixel]) {
            // Pieces of a face stand in its order: the first of equal ones is seen here, too.
            atomicMin(&seen[pixel], Key{face} << 32 | triangle);
        }
    }
}

__global__ void __launch_bounds__(kThreads) clearKernel(Key* keys, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) keys[i] = kNoKey;
}

__device__ __forceinline__ double edgeShare(const ScreenVertex& a, const ScreenVertex& b,
                                            const ScreenVertex& opposite, long long x,
                                            long long y) {
    return static_cast<double>(edgeFunction(a, b, x, y)) * opposite.inverseW;
}

__global__ void __launch_bounds__(kThreads)
    resolveKernel(RasterScene scene, RasterOutput output, const Key* depths, const Key* seen) {
    const std::size_t pixel = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (pixel >= std::size_t{scene.width} * scene.height) return;
    const Key key = seen[pixel];
    float weight[3] = {};
    if (key != kNoKey) {
        const auto triangle = static_cast<std::uint32_t>(key);
        const ScreenVertex& v0 = cornerOf(scene, triangle, 0);
        const ScreenVertex& v1 = cornerOf(scene, triangle, 1);
        const ScreenVertex& v2 = cornerOf(scene, triangle, 2);
        const auto column = static_cast<long long>(pixel % scene.width);
        const auto row = static_cast<long long>(pixel / scene.width);
        const long long x = (column << kGridShift) + raster::kHalfPixel;
        const long long y = (row << kGridShift) + raster::kHalfPixel;
        const double s0 = edgeShare(v1, v2, v0, x, y);
        const double s1 = edgeShare(v2, v0, v1, x, y);
        const double s2 = edgeShare(v0, v1, v2, x, y);
        const double scale = 1 / (s0 + s1 + s2);
        double share[3] = {s0 * scale, s1 * scale, s2 * scale};
        if (triangle >= scene.faceCount) {
            const raster::Piece& piece = scene.pieces[triangle - scene.faceCount];
            const double a = share[0];
            const double b = share[1];
            const double c = share[2];
            share[0] = a * piece.weight[0].x + b * piece.weight[1].x + c * piece.weight[2].x;
            share[1] = a * piece.weight[0].y + b * piece.weight[1].y + c * piece.weight[2].y;
            share[2] = a * piece.weight[0].z + b * piece.weight[1].z + c * piece.weight[2].z;
        }
        for (int i = 0; i < 3; ++i) weight[i] = static_cast<float>(share[i]);
    }
    output.face[pixel] = key == kNoKey ? 0 : static_cast<std::uint32_t>(key >> 32) + 1;
    for (int i = 0; i < 3; ++i) output.barycentric[3 * pixel + i] = weight[i];
    if (output.depth != nullptr) {
        output.depth[pixel] =
            key == kNoKey ? __uint_as_float(0x7F800000) : __double2float_rn(depthOf(depths[pixel]));
    }
}

LaunchShape overPixels(std::size_t count) {
    return {dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads)), dim3(kThreads)};
}

}  // namespace

std::size_t rasterWorkspace(std::uint32_t width, std::uint32_t height) {
    return std::size_t{width} * height * 2 * sizeof(Key);
}

void launchRaster(Stream stream, const DeviceLimits& limits, const RasterScene& scene,
                  const RasterOutput& output, std::byte* workspace) {
    const std::size_t pixels = std::size_t{scene.width} * scene.height;
    const unsigned triangles = scene.faceCount + scene.pieceCount;
    Key* depths = reinterpret_cast<Key*>(workspace);
    Key* seen = depths + pixels;
    launch(clearKernel, overPixels(2 * pixels), stream, depths, 2 * pixels);
    if (triangles > 0) {
        const unsigned slices = std::clamp(
            kWarpsPerMultiprocessor * static_cast<unsigned>(limits.multiprocessors) / triangles, 1U,
            kMostSlices);
        const LaunchShape shape{dim3((triangles - 1) / kWarps + 1, slices), dim3(kThreads)};
        launch(drawKernel<Pass::depth>, shape, stream, scene, depths, seen, output.degenerate);
        launch(drawKernel<Pass::face>, shape, stream, scene, depths, seen, output.degenerate);
    }
    launch(resolveKernel, overPixels(pixels), stream, scene, output, depths, seen);
}

}  // namespace threefold::cuda
