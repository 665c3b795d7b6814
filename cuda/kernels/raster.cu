// A warp draws a triangle over its bounding box. Boxes of more pixels than a chunk are queued; a
// second launch spreads their chunks evenly over the device. The first pass finds an upper bound of
// each pixel's nearest depth. The second pass picks the nearest triangle within that bound; if
// several remain, exact_depth.h decides. Both passes compute depths by the operations of
// engine/raster/triangle.h, none fused.
#include "cuda/kernels/raster.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "cuda/portable/kernel.h"
#include "engine/error.h"
#include "engine/raster/depth_order.h"
#include "engine/raster/exact_depth.h"

namespace threefold::cuda {
namespace {

using Key = unsigned long long;
using raster::edgeFunction;
using raster::kGridShift;
using raster::ScreenVertex;

constexpr unsigned kThreads = 128;
constexpr unsigned kWarp = 32;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr Key kNoKey = ~Key{0};
constexpr Key kSign = Key{1} << 63;

/// Maximum pixels of a box that one warp draws: 128 iterations of its lanes. With the largest image
/// and kMaxTrianglesPerLaunch, the number of chunks is below 2^kChunkBits.
constexpr unsigned kChunk = 4096;
constexpr unsigned kChunkBits = 40;
constexpr Key kChunkMask = (Key{1} << kChunkBits) - 1;

/// Blocks per multiprocessor of the launch that draws chunks: about a multiprocessor's capacity.
constexpr unsigned kBlocksPerMultiprocessor = 8;

/// Minimum resident blocks of a multiprocessor while drawing. The rare exact comparison must not
/// take so many registers that only half of these blocks fit.
constexpr unsigned kMinBlocksPerMultiprocessor = 7;

/// Triangles with large boxes, in any order.
struct LargeQueue {
    Key* counter;  ///< (triangles << kChunkBits | chunks) − 1
    Key* start;    ///< number of chunks of all earlier triangles
    std::uint32_t* triangle;
};

/// Key whose unsigned order is that of the depths.
__device__ __forceinline__ Key depthKey(double depth) {
    // −0 and 0 are the same depth.
    const Key bits = std::bit_cast<Key>(__dadd_rn(depth, 0.0));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Smallest value of an edge function that counts as covered (top-left rule).
__device__ __forceinline__ long long minCovered(const ScreenVertex& a, const ScreenVertex& b,
                                                long long sign) {
    const long long dx = (static_cast<long long>(b.x) - a.x) * sign;
    const long long dy = (static_cast<long long>(b.y) - a.y) * sign;
    return dy < 0 || (dy == 0 && dx > 0) ? 0 : 1;
}

__device__ __forceinline__ const ScreenVertex& cornerAt(const RasterTriangles& triangles,
                                                        std::uint32_t triangle, unsigned corner) {
    return triangle < triangles.faceCount
               ? triangles.vertices[triangles.faces[std::size_t{3} * triangle + corner]]
               : triangles.clippedTriangles[triangle - triangles.faceCount].corner[corner];
}

__device__ __forceinline__ std::uint32_t faceAt(const RasterTriangles& triangles,
                                                std::uint32_t triangle) {
    return triangle < triangles.faceCount
               ? triangle
               : triangles.clippedTriangles[triangle - triangles.faceCount].face;
}

/// Whether the triangle of `key` hides the triangle of `other` at (x, y), which both cover: it is
/// nearer, or equally near with the lower face index or, for clipped triangles of one face, with
/// the lower triangle index. Not inlined, since the comparison is rare and long.
THREEFOLD_DEVICE_NOINLINE bool isInFrontOf(RasterTriangles triangles, Key key, Key other,
                                           long long x, long long y) {
    const auto triangle = static_cast<std::uint32_t>(key);
    const auto otherTriangle = static_cast<std::uint32_t>(other);
    const ScreenVertex* const a[3] = {&cornerAt(triangles, triangle, 0),
                                      &cornerAt(triangles, triangle, 1),
                                      &cornerAt(triangles, triangle, 2)};
    const ScreenVertex* const b[3] = {&cornerAt(triangles, otherTriangle, 0),
                                      &cornerAt(triangles, otherTriangle, 1),
                                      &cornerAt(triangles, otherTriangle, 2)};
    const bool haveSameDepth = raster::areBothFlat(a, b) || raster::haveSameCorners(a, b);
    const int order = haveSameDepth ? 0 : raster::compareDepths(a, b, x, y);
    return order < 0 || (order == 0 && key < other);
}

/// Depth plane of a triangle, by the operations of raster::Triangle.
struct Depths {
    double z0;
    double slope1;
    double slope2;

    __device__ __forceinline__ double at(long long edge1, long long edge2) const {
        return __dadd_rn(z0, __dadd_rn(__dmul_rn(static_cast<double>(edge1), slope1),
                                       __dmul_rn(static_cast<double>(edge2), slope2)));
    }
};

/// Depth plane of the triangle v0 v1 v2. `doubledArea`: absolute value of the doubled area.
__device__ __forceinline__ Depths makeDepths(const ScreenVertex& v0, const ScreenVertex& v1,
                                             const ScreenVertex& v2, long long doubledArea) {
    const auto area = static_cast<double>(doubledArea);
    return {v0.depth, __ddiv_rn(__dsub_rn(v1.depth, v0.depth), area),
            __ddiv_rn(__dsub_rn(v2.depth, v0.depth), area)};
}

enum class Pass { depth, face };

/// Triangle with the pixel box that bounds it; pixels are numbered row by row.
struct Boxed {
    ScreenVertex v0;
    ScreenVertex v1;
    ScreenVertex v2;
    /// Doubled signed area; 0 also if the face was clipped: its clipped triangles are drawn
    /// instead.
    long long area;
    int left;
    int top;
    unsigned columns;
    unsigned pixels;  ///< pixels of the box; 0 if there is nothing to draw
    bool needsClipping;
};

__device__ __forceinline__ Boxed makeBoxed(const RasterTriangles& triangles,
                                           std::uint32_t triangle) {
    Boxed boxed = {cornerAt(triangles, triangle, 0),
                   cornerAt(triangles, triangle, 1),
                   cornerAt(triangles, triangle, 2),
                   0,
                   0,
                   0,
                   0,
                   0,
                   false};
    const ScreenVertex& v0 = boxed.v0;
    const ScreenVertex& v1 = boxed.v1;
    const ScreenVertex& v2 = boxed.v2;
    if (v0.x == raster::kNeedsClipping || v1.x == raster::kNeedsClipping ||
        v2.x == raster::kNeedsClipping) {
        boxed.needsClipping = true;
        return boxed;
    }
    boxed.area = edgeFunction(v0, v1, v2.x, v2.y);
    if (boxed.area == 0) return boxed;
    const int before = raster::kHalfPixel - 1;
    const int after = raster::kHalfPixel;
    boxed.left = max((min(v0.x, min(v1.x, v2.x)) + before) >> kGridShift, 0);
    boxed.top = max((min(v0.y, min(v1.y, v2.y)) + before) >> kGridShift, 0);
    const int right = min((max(v0.x, max(v1.x, v2.x)) - after) >> kGridShift,
                          static_cast<int>(triangles.width) - 1);
    const int bottom = min((max(v0.y, max(v1.y, v2.y)) - after) >> kGridShift,
                           static_cast<int>(triangles.height) - 1);
    if (right < boxed.left || bottom < boxed.top) return boxed;
    boxed.columns = static_cast<unsigned>(right - boxed.left + 1);
    boxed.pixels = boxed.columns * static_cast<unsigned>(bottom - boxed.top + 1);
    return boxed;
}

/// Draws pixels begin … end − 1 of the box with one warp.
template <Pass pass>
__device__ __forceinline__ void drawBox(const RasterTriangles& triangles, std::uint32_t triangle,
                                        const Boxed& boxed, unsigned begin, unsigned end,
                                        Key* nearest, Key* visible) {
    if (begin >= end) return;
    const ScreenVertex& v0 = boxed.v0;
    const ScreenVertex& v1 = boxed.v1;
    const ScreenVertex& v2 = boxed.v2;
    const long long sign = boxed.area < 0 ? -1 : 1;
    const long long min0 = minCovered(v1, v2, sign);
    const long long min1 = minCovered(v2, v0, sign);
    const long long min2 = minCovered(v0, v1, sign);
    const Depths depths = makeDepths(v0, v1, v2, boxed.area * sign);
    // Upper bound of the error of computed depths.
    const double depthError =
        0.5 * raster::kDepthTolerance * fmax(fmax(fabs(v0.depth), fabs(v1.depth)), fabs(v2.depth));
    const Key mine = Key{faceAt(triangles, triangle)} << 32 | triangle;
    for (unsigned index = begin + threadIdx.x % kWarp; index < end; index += kWarp) {
        const unsigned row = index / boxed.columns;
        const int pixelX = boxed.left + static_cast<int>(index - row * boxed.columns);
        const int pixelY = boxed.top + static_cast<int>(row);
        const long long x = (static_cast<long long>(pixelX) << kGridShift) + raster::kHalfPixel;
        const long long y = (static_cast<long long>(pixelY) << kGridShift) + raster::kHalfPixel;
        const long long edge0 = sign * edgeFunction(v1, v2, x, y);
        const long long edge1 = sign * edgeFunction(v2, v0, x, y);
        const long long edge2 = sign * edgeFunction(v0, v1, x, y);
        if (edge0 < min0 || edge1 < min1 || edge2 < min2) continue;
        const double depth = depths.at(edge1, edge2);
        const std::size_t pixel =
            static_cast<std::size_t>(pixelY) * triangles.width + static_cast<std::size_t>(pixelX);
        if (triangles.previousDepths != nullptr &&
            depth < __dadd_rn(static_cast<double>(triangles.previousDepths[pixel]),
                              static_cast<double>(triangles.minGap)))
            continue;
        if constexpr (pass == Pass::depth) {
            const Key bound = depthKey(__dadd_rn(depth, depthError));
            // A stale value is larger than the current one, so the test stays safe.
            if (bound < nearest[pixel]) atomicMin(&nearest[pixel], bound);
        } else if (depthKey(__dsub_rn(depth, depthError)) <= nearest[pixel]) {
            // The result does not depend on the order: a triangle is only replaced by one in front
            // of it.
            Key current = kNoKey;
            while (current == kNoKey || isInFrontOf(triangles, mine, current, x, y)) {
                const Key previous = atomicCAS(&visible[pixel], current, mine);
                if (previous == current) break;
                current = previous;
            }
        }
    }
}

/// Draws `count` triangles from `first` on, faces before clipped triangles, one per warp. Triangles
/// with large boxes are queued instead.
template <Pass pass>
__global__ void __launch_bounds__(kThreads, kMinBlocksPerMultiprocessor)
    drawKernel(RasterTriangles triangles, std::uint32_t first, std::uint32_t count,
               LargeQueue queue, Key* nearest, Key* visible, std::uint32_t* degenerateFaceCount) {
    const bool leader = threadIdx.x % kWarp == 0;
    const unsigned warpIndex = blockIdx.x * kWarps + threadIdx.x / kWarp;
    if (warpIndex >= count) return;
    const std::uint32_t triangle = first + warpIndex;
    const Boxed boxed = makeBoxed(triangles, triangle);
    if (boxed.area == 0) {
        if (pass == Pass::depth && leader && !boxed.needsClipping)
            atomicAdd(degenerateFaceCount, 1U);
    } else if (boxed.pixels <= kChunk) {
        drawBox<pass>(triangles, triangle, boxed, 0, boxed.pixels, nearest, visible);
    } else if (leader) {
        const unsigned chunks = (boxed.pixels - 1) / kChunk + 1;
        const Key packed = atomicAdd(queue.counter, (Key{1} << kChunkBits) + chunks) + 1;
        const auto slot = static_cast<unsigned>(packed >> kChunkBits);
        queue.start[slot] = packed & kChunkMask;
        queue.triangle[slot] = triangle;
    }
}

/// Draws the queued triangles: a warp takes a chunk at a time.
template <Pass pass>
__global__ void __launch_bounds__(kThreads, kMinBlocksPerMultiprocessor)
    drawChunksKernel(RasterTriangles triangles, LargeQueue queue, Key* nearest, Key* visible) {
    const Key counted = *queue.counter + 1;
    const auto queued = static_cast<unsigned>(counted >> kChunkBits);
    const Key chunks = counted & kChunkMask;
    const Key warps = Key{gridDim.x} * kWarps;
    for (Key chunk = Key{blockIdx.x} * kWarps + threadIdx.x / kWarp; chunk < chunks;
         chunk += warps) {
        // Last triangle that starts at or before `chunk`; starts increase by at least 2.
        unsigned slot = 0;
        for (unsigned end = queued; end - slot > 1;) {
            const unsigned middle = slot + (end - slot) / 2;
            if (queue.start[middle] <= chunk) {
                slot = middle;
            } else {
                end = middle;
            }
        }
        const std::uint32_t triangle = queue.triangle[slot];
        const Boxed boxed = makeBoxed(triangles, triangle);
        const unsigned begin = static_cast<unsigned>(chunk - queue.start[slot]) * kChunk;
        drawBox<pass>(triangles, triangle, boxed, begin, min(begin + kChunk, boxed.pixels), nearest,
                      visible);
    }
}

__global__ void __launch_bounds__(kThreads) clearKernel(Key* keys, std::size_t count) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < count) keys[i] = kNoKey;
}

__device__ __forceinline__ double perspectiveWeight(const ScreenVertex& a, const ScreenVertex& b,
                                                    const ScreenVertex& opposite, long long x,
                                                    long long y) {
    return static_cast<double>(edgeFunction(a, b, x, y)) * opposite.inverseW;
}

__global__ void __launch_bounds__(kThreads)
    resolveKernel(RasterTriangles triangles, RasterOutput output, const Key* visible) {
    const std::size_t pixel = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (pixel >= std::size_t{triangles.width} * triangles.height) return;
    const Key key = visible[pixel];
    float weight[3] = {};
    float depth = __uint_as_float(0x7F800000);
    if (key != kNoKey) {
        const auto triangle = static_cast<std::uint32_t>(key);
        const ScreenVertex& v0 = cornerAt(triangles, triangle, 0);
        const ScreenVertex& v1 = cornerAt(triangles, triangle, 1);
        const ScreenVertex& v2 = cornerAt(triangles, triangle, 2);
        const auto column = static_cast<long long>(pixel % triangles.width);
        const auto row = static_cast<long long>(pixel / triangles.width);
        const long long x = (column << kGridShift) + raster::kHalfPixel;
        const long long y = (row << kGridShift) + raster::kHalfPixel;
        if (output.depth != nullptr) {
            const long long area = edgeFunction(v0, v1, v2.x, v2.y);
            const long long sign = area < 0 ? -1 : 1;
            const Depths depths = makeDepths(v0, v1, v2, area * sign);
            depth = __double2float_rn(
                depths.at(sign * edgeFunction(v2, v0, x, y), sign * edgeFunction(v0, v1, x, y)));
        }
        const double s0 = perspectiveWeight(v1, v2, v0, x, y);
        const double s1 = perspectiveWeight(v2, v0, v1, x, y);
        const double s2 = perspectiveWeight(v0, v1, v2, x, y);
        const double scale = 1 / (s0 + s1 + s2);
        double normalised[3] = {s0 * scale, s1 * scale, s2 * scale};
        if (triangle >= triangles.faceCount) {
            const raster::ClippedTriangle& piece =
                triangles.clippedTriangles[triangle - triangles.faceCount];
            const double a = normalised[0];
            const double b = normalised[1];
            const double c = normalised[2];
            normalised[0] = a * piece.weight[0].x + b * piece.weight[1].x + c * piece.weight[2].x;
            normalised[1] = a * piece.weight[0].y + b * piece.weight[1].y + c * piece.weight[2].y;
            normalised[2] = a * piece.weight[0].z + b * piece.weight[1].z + c * piece.weight[2].z;
        }
        for (int i = 0; i < 3; ++i) weight[i] = static_cast<float>(normalised[i]);
    }
    output.facePlusOne[pixel] = key == kNoKey ? 0 : static_cast<std::uint32_t>(key >> 32) + 1;
    for (int i = 0; i < 3; ++i) output.barycentric[3 * pixel + i] = weight[i];
    if (output.depth != nullptr) output.depth[pixel] = depth;
}

LaunchShape overPixels(std::size_t count) {
    return {dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads)), dim3(kThreads)};
}

std::uint32_t trianglesPerLaunch(const RasterTriangles& triangles) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(triangles.trianglesPerLaunch, triangles.count()));
}

/// Layout of the workspace: keys of both passes, the queue's counter, the queue.
struct Workspace {
    Key* nearest;
    Key* visible;
    LargeQueue queue;
    std::size_t keys;  ///< keys to clear: both passes' keys and the counter

    Workspace(const RasterTriangles& triangles, std::byte* memory) {
        const std::size_t pixels = std::size_t{triangles.width} * triangles.height;
        keys = 2 * pixels + 1;
        nearest = reinterpret_cast<Key*>(memory);
        visible = nearest + pixels;
        queue.counter = visible + pixels;
        queue.start = queue.counter + 1;
        queue.triangle =
            reinterpret_cast<std::uint32_t*>(queue.start + trianglesPerLaunch(triangles));
    }
};

/// Launches a pass over all triangles. The queue's counter must be clear.
template <Pass pass>
void launchPass(Stream stream, const DeviceLimits& limits, const RasterTriangles& triangles,
                const Workspace& workspace, std::uint32_t* degenerateFaceCount) {
    const auto multiprocessors = static_cast<unsigned>(std::max(limits.multiprocessors, 1));
    const LaunchShape chunks{dim3(multiprocessors * kBlocksPerMultiprocessor), dim3(kThreads)};
    for (std::uint64_t first = 0; first < triangles.count();
         first += triangles.trianglesPerLaunch) {
        const auto count = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(triangles.trianglesPerLaunch, triangles.count() - first));
        const LaunchShape overTriangles{dim3((count - 1) / kWarps + 1), dim3(kThreads)};
        launch(drawKernel<pass>, overTriangles, stream, triangles,
               static_cast<std::uint32_t>(first), count, workspace.queue, workspace.nearest,
               workspace.visible, degenerateFaceCount);
        launch(drawChunksKernel<pass>, chunks, stream, triangles, workspace.queue,
               workspace.nearest, workspace.visible);
        launch(clearKernel, overPixels(1), stream, workspace.queue.counter, std::size_t{1});
    }
}

}  // namespace

std::size_t rasterWorkspaceBytes(const RasterTriangles& triangles) {
    const std::size_t pixels = std::size_t{triangles.width} * triangles.height;
    return (2 * pixels + 1) * sizeof(Key) +
           std::size_t{trianglesPerLaunch(triangles)} * (sizeof(Key) + sizeof(std::uint32_t));
}

void launchRaster(Stream stream, const DeviceLimits& limits, const RasterTriangles& triangles,
                  const RasterOutput& output, std::byte* workspace) {
    if (triangles.count() > std::numeric_limits<std::uint32_t>::max())
        throw InputError({"rasteriser", "",
                          std::to_string(triangles.count()) +
                              " triangles, pieces of clipped faces included, are too many",
                          "Draw fewer than 2^32 at once."});
    const Workspace layout(triangles, workspace);
    launch(clearKernel, overPixels(layout.keys), stream, layout.nearest, layout.keys);
    launchPass<Pass::depth>(stream, limits, triangles, layout, output.degenerateFaceCount);
    launchPass<Pass::face>(stream, limits, triangles, layout, output.degenerateFaceCount);
    launch(resolveKernel, overPixels(std::size_t{triangles.width} * triangles.height), stream,
           triangles, output, layout.visible);
}

}  // namespace threefold::cuda
