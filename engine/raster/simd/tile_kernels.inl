// Inner loops of the tiles in portable vector code, compiled once for each instruction set
// (engine/compute/variants.h). Results are those of triangle.h: edge functions are integers below
// 2^53, exact in double in any order of summation, and depths use the same operations, never fused.

#define THREEFOLD_LANES (THREEFOLD_REGISTER_BYTES / 8)  // doubles

#if THREEFOLD_LANES >= 4
#include <immintrin.h>
#endif

#include "engine/raster/depth_order.h"
#include "engine/raster/tile_kernels.h"

namespace threefold::raster {
namespace {

constexpr std::size_t kLanes = THREEFOLD_LANES;

using Vec = double __attribute__((vector_size(8 * THREEFOLD_LANES)));
using Bits = std::int64_t __attribute__((vector_size(8 * THREEFOLD_LANES)));
using Ids = TriangleId __attribute__((vector_size(4 * THREEFOLD_LANES)));
using IdMask = std::int32_t __attribute__((vector_size(4 * THREEFOLD_LANES)));
using Floats = float __attribute__((vector_size(4 * THREEFOLD_LANES)));

template <typename Vector = Vec>
inline Vector load(const void* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
}

template <typename Vector>
inline void store(void* to, Vector v) {
    __builtin_memcpy(to, &v, sizeof(v));
}

inline Vec lanes() {
    Vec v{};
    for (std::size_t i = 0; i < kLanes; ++i) v[i] = static_cast<double>(i);
    return v;
}

template <typename T>
inline T minOf(T a, T b) {
    return a < b ? a : b;
}
template <typename T>
inline T maxOf(T a, T b) {
    return a > b ? a : b;
}

inline const ScreenVertex* cornerOf(const TileGeometry& geometry, TriangleId id, std::size_t i) {
    return (id & kClippedFlag) != 0 ? &geometry.clippedTriangles[id - kClippedFlag].corner[i]
                                    : &geometry.vertices[geometry.faces[3 * std::size_t{id} + i]];
}

// Number of triangles that are prepared together, one per lane of several registers.
constexpr std::size_t kGroupSize = 64;

// Boxes up to this size have all their pixels tested at once, several triangles at a time.
constexpr std::int32_t kSmallBoxSide = 4;

struct TriangleGroup {
    // Corners, in steps from the centre of the tile's first pixel.
    alignas(64) std::int32_t x[3][kGroupSize];
    alignas(64) std::int32_t y[3][kGroupSize];
    alignas(64) double z[3][kGroupSize];

    // Pixels of the tile that may be covered.
    alignas(64) std::int32_t left[kGroupSize];
    alignas(64) std::int32_t top[kGroupSize];
    alignas(64) std::int32_t right[kGroupSize];
    alignas(64) std::int32_t bottom[kGroupSize];

    // Edge functions: value at the box's first pixel, less `above`; increment for one pixel to the
    // right; increment for one pixel down. `above`: smallest value that counts as covered, 0 or 1.
    alignas(64) double start[3][kGroupSize];
    alignas(64) double right1[3][kGroupSize];
    alignas(64) double down1[3][kGroupSize];
    alignas(64) double above[3][kGroupSize];

    // These values give the first and last covered pixel of a row from the row's edge function e at
    // the box's left. With n = e · perIncrement + nudge, an edge function that falls to the right
    // is not negative up to column n, and an edge function that rises to the right is not negative
    // from column −n on.
    alignas(64) double perIncrement[3][kGroupSize];
    alignas(64) double nudge[3][kGroupSize];

    alignas(64) double slope1[kGroupSize];
    alignas(64) double slope2[kGroupSize];
    alignas(64) std::int64_t covered[kGroupSize];  // pixels of a small box, bit 4 · row + column
    alignas(64) std::int32_t boxKind[kGroupSize];  // see BoxKind

    double depthTolerance = 0;  // maximum of this and earlier groups of the tile
};

// An edge function divided by its increment per column (below 2^34) is an integer or at least 2^-34
// away from every integer. Within kMaxColumns columns the quotient is computed to 2^-44. Adding a
// nudge between 2^-44 and 2^-34 makes the quotient truncate to the same integer as the exact
// quotient.
// If the increment is 0, the quotient is huge, or −huge for a negative edge function.
constexpr double kNudge = 1.0 / (1LL << 40);
constexpr double kHugeQuotient = 1LL << 40;
constexpr std::int32_t kMaxColumns = 2 * kTileWidth;

enum BoxKind : std::int32_t { kMissed = 0, kSmallBox = 1, kLargeBox = 2 };

// Number of lanes of the registers that hold `count` triangles.
inline std::size_t laneCountOf(std::size_t count) {
    return (count + kLanes - 1) / kLanes * kLanes;
}

// Gathers the triangles' corners. Fills the lanes beyond `count` with the last triangle, as whole
// registers are computed.
void gather(const TileGeometry& geometry, const TriangleId* ids, std::size_t count,
            const Tile& tile, TriangleGroup& group) {
    const std::int32_t originX = tile.left * kSubpixels + kHalfPixel;
    const std::int32_t originY = tile.top * kSubpixels + kHalfPixel;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const ScreenVertex* v = cornerOf(geometry, ids[i], k);
            group.x[k][i] = v->x - originX;
            group.y[k][i] = v->y - originY;
            group.z[k][i] = v->depth;
        }
    }
    for (std::size_t i = count; i < laneCountOf(count); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            group.x[k][i] = group.x[k][count - 1];
            group.y[k][i] = group.y[k][count - 1];
            group.z[k][i] = group.z[k][count - 1];
        }
    }
}

void prepareBoxes(std::size_t count, const Tile& tile, TriangleGroup& b) {
    const std::int32_t lastColumn = tile.width - 1;
    const std::int32_t lastRow = tile.height - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x0 = minOf(minOf(b.x[0][i], b.x[1][i]), b.x[2][i]);
        const std::int32_t x1 = maxOf(maxOf(b.x[0][i], b.x[1][i]), b.x[2][i]);
        const std::int32_t y0 = minOf(minOf(b.y[0][i], b.y[1][i]), b.y[2][i]);
        const std::int32_t y1 = maxOf(maxOf(b.y[0][i], b.y[1][i]), b.y[2][i]);
        const std::int32_t left = maxOf((x0 + kSubpixels - 1) >> kGridShift, 0);
        const std::int32_t top = maxOf((y0 + kSubpixels - 1) >> kGridShift, 0);
        const std::int32_t right = minOf(x1 >> kGridShift, lastColumn);
        const std::int32_t bottom = minOf(y1 >> kGridShift, lastRow);
        b.left[i] = left;
        b.top[i] = top;
        b.right[i] = right;
        b.bottom[i] = bottom;
        const std::int32_t across = right - left;
        const std::int32_t along = bottom - top;
        const std::int32_t boxKind = maxOf(across, along) < kSmallBoxSide ? kSmallBox : kLargeBox;
        b.boxKind[i] = minOf(across, along) < 0 ? kMissed : boxKind;
    }
}

// Prepares the edge function opposite corner k, from corner p to corner q.
inline void prepareEdge(std::size_t count, std::size_t k, const double* sign, TriangleGroup& b) {
    const std::int32_t* px = b.x[(k + 1) % 3];
    const std::int32_t* py = b.y[(k + 1) % 3];
    const std::int32_t* qx = b.x[(k + 2) % 3];
    const std::int32_t* qy = b.y[(k + 2) % 3];
    for (std::size_t i = 0; i < count; ++i) {
        const double dx = (qx[i] - px[i]) * sign[i];
        const double dy = (qy[i] - py[i]) * sign[i];
        const double x = static_cast<double>(b.left[i]) * kSubpixels - px[i];
        const double y = static_cast<double>(b.top[i]) * kSubpixels - py[i];
        const double above = dy < 0 ? 0.0 : (dy > 0 ? 1.0 : (dx > 0 ? 0.0 : 1.0));
        b.right1[k][i] = dy * -kSubpixels;
        b.down1[k][i] = dx * kSubpixels;
        b.above[k][i] = above;
        const double across = dy < 0 ? -dy : dy;
        b.perIncrement[k][i] = across > 0 ? 1 / (across * kSubpixels) : kHugeQuotient;
        b.nudge[k][i] = across > 0 ? kNudge : kHugeQuotient / 2;
        // Adds 0 to turn −0 into 0, as the sign is tested later.
        b.start[k][i] = dx * y - dy * x - above + 0.0;
    }
}

void prepareEdges(std::size_t count, TriangleGroup& b) {
    alignas(64) double sign[kGroupSize];
    for (std::size_t i = 0; i < count; ++i) {
        const double dx1 = b.x[1][i] - b.x[0][i];
        const double dy1 = b.y[1][i] - b.y[0][i];
        const double dx2 = b.x[2][i] - b.x[0][i];
        const double dy2 = b.y[2][i] - b.y[0][i];
        const double area = dx1 * dy2 - dy1 * dx2;
        sign[i] = area < 0 ? -1.0 : 1.0;
        const double positive = area * sign[i];
        b.slope1[i] = (b.z[1][i] - b.z[0][i]) / positive;
        b.slope2[i] = (b.z[2][i] - b.z[0][i]) / positive;
    }
    for (std::size_t k = 0; k < 3; ++k) prepareEdge(count, k, sign, b);
}

void updateDepthTolerance(std::size_t count, TriangleGroup& b) {
    Vec farthest{};
    for (const auto& depths : b.z) {
        for (std::size_t i = 0; i < count; i += kLanes) {
            const Vec z = load(depths + i);
            const Vec size = z < 0 ? -z : z;
            farthest = size > farthest ? size : farthest;
        }
    }
    double maxDepth = 0;
    for (std::size_t i = 0; i < kLanes; ++i) maxDepth = maxOf(maxDepth, farthest[i]);
    b.depthTolerance = maxOf(b.depthTolerance, kDepthTolerance * maxDepth);
}

// Exact depth test of a triangle against drawn ones, for pixels whose rounded depths are too close.
class ExactTest {
  public:
    ExactTest(const TileGeometry& geometry, const Tile& tile, TriangleId id)
        : geometry_(geometry), tile_(tile), id_(id) {}

    __attribute__((noinline)) bool isNearer(std::int32_t pixel) {
        const TriangleId drawnId = tile_.ids[pixel];
        if (drawnId == neverFartherId_) return false;
        const ScreenVertex* own[3];
        const ScreenVertex* other[3];
        for (std::size_t k = 0; k < 3; ++k) {
            own[k] = cornerOf(geometry_, id_, k);
            other[k] = cornerOf(geometry_, drawnId, k);
        }
        const std::int64_t x = tile_.left + pixel % kTileStride;
        const std::int64_t y = tile_.top + pixel / kTileStride;
        const Nearer nearer =
            raster::isNearer(own, other, x * kSubpixels + kHalfPixel, y * kSubpixels + kHalfPixel);
        if (nearer == Nearer::nowhere) neverFartherId_ = drawnId;
        return nearer == Nearer::yes;
    }

    // Returns the subset of `lanes` in which the triangle is nearer.
    __attribute__((noinline)) unsigned nearer(unsigned lanes, std::int32_t pixel) {
        unsigned result = 0;
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            if (isNearer(pixel + lane)) result |= 1U << lane;
        }
        return result;
    }

  private:
    const TileGeometry& geometry_;
    const Tile& tile_;
    TriangleId id_;
    TriangleId neverFartherId_ = kNoTriangle;
};

// Evaluates all edge functions of kLanes triangles at each pixel of a 4 × 4 box.
void coverSmall(std::size_t count, TriangleGroup& b) {
    for (std::size_t i = 0; i < count; i += kLanes) {
        Vec row[3];
        Vec right1[3];
        Vec down1[3];
        for (std::size_t k = 0; k < 3; ++k) {
            row[k] = load(b.start[k] + i);
            right1[k] = load(b.right1[k] + i);
            down1[k] = load(b.down1[k] + i);
        }
        Bits covered{};
        for (std::int32_t y = 0; y < kSmallBoxSide; ++y) {
            Vec e0 = row[0];
            Vec e1 = row[1];
            Vec e2 = row[2];
            for (std::int32_t x = 0; x < kSmallBoxSide; ++x) {
                const Bits signs = reinterpret_cast<Bits>(e0) | reinterpret_cast<Bits>(e1) |
                                   reinterpret_cast<Bits>(e2);
                const std::int64_t bit = std::int64_t{1} << (y * kSmallBoxSide + x);
                covered |= ~(signs >> 63) & bit;
                e0 += right1[0];
                e1 += right1[1];
                e2 += right1[2];
            }
            for (std::size_t k = 0; k < 3; ++k) row[k] += down1[k];
        }
        store(b.covered + i, covered);
    }
}

// Bit mask of the pixels of a box of width 1…4 and height 1…4.
inline std::int64_t boxMask(std::int32_t width, std::int32_t height) {
    const std::int64_t row = (1 << width) - 1;
    return row * 0x1111 & ((std::int64_t{1} << (kSmallBoxSide * height)) - 1);
}

template <bool kPeels>
inline void drawSmall(const TriangleGroup& b, std::size_t i, TriangleId id, Tile tile,
                      ExactTest& exactTest) {
    std::int64_t pixels =
        b.covered[i] & boxMask(b.right[i] - b.left[i] + 1, b.bottom[i] - b.top[i] + 1);
    if (pixels == 0) return;
    const std::int32_t first = b.top[i] * kTileStride + b.left[i];
    const double e1 = b.start[1][i] + b.above[1][i];
    const double e2 = b.start[2][i] + b.above[2][i];
    do {
        const int bit = __builtin_ctzll(static_cast<std::uint64_t>(pixels));
        pixels &= pixels - 1;
        const std::int32_t column = bit % kSmallBoxSide;
        const std::int32_t row = bit / kSmallBoxSide;
        const double edge1 = e1 + column * b.right1[1][i] + row * b.down1[1][i];
        const double edge2 = e2 + column * b.right1[2][i] + row * b.down1[2][i];
        const double depth = b.z[0][i] + (edge1 * b.slope1[i] + edge2 * b.slope2[i]);
        const std::int32_t pixel = first + row * kTileStride + column;
        const double before = tile.depth[pixel];
        if (depth > before + b.depthTolerance) continue;
        if (kPeels && depth < tile.minDepth[pixel]) continue;
        if (!(depth < before - b.depthTolerance) && !exactTest.isNearer(pixel)) continue;
        tile.depth[pixel] = depth;
        tile.ids[pixel] = id;
    } while (pixels != 0);
}

#if THREEFOLD_LANES != 8
inline unsigned bitsOf(Bits mask) {
#if THREEFOLD_LANES == 4
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
    unsigned bits = 0;
    for (std::size_t i = 0; i < kLanes; ++i) bits |= (mask[i] != 0 ? 1U : 0U) << i;
    return bits;
#endif
}

inline Bits lanesOf(unsigned bits) {
    Bits mask{};
    for (std::size_t i = 0; i < kLanes; ++i) mask[i] = ((bits >> i) & 1U) != 0 ? -1 : 0;
    return mask;
}
#endif

// Draws the triangle in the first `count` pixels, where it is nearest.
template <bool kPeels>
inline void keepNearest(std::int32_t count, Vec z, Vec depthTolerance, TriangleId id, Tile tile,
                        std::int32_t pixel, ExactTest& exactTest) {
    double* depth = tile.depth + pixel;
    TriangleId* ids = tile.ids + pixel;
#if THREEFOLD_LANES == 8
    // Masked stores, which the compiler does not generate from the code below.
    const auto inside = static_cast<__mmask8>((1U << minOf<std::int32_t>(count, kLanes)) - 1);
    const auto values = reinterpret_cast<__m512d>(z);
    const Vec before = load(depth);
    __mmask8 candidates = _mm512_mask_cmp_pd_mask(
        inside, values, reinterpret_cast<__m512d>(before + depthTolerance), _CMP_LE_OQ);
    if (kPeels)
        candidates = _mm512_mask_cmp_pd_mask(candidates, values,
                                             _mm512_loadu_pd(tile.minDepth + pixel), _CMP_GE_OQ);
    __mmask8 drawn = _mm512_mask_cmp_pd_mask(
        candidates, values, reinterpret_cast<__m512d>(before - depthTolerance), _CMP_LT_OQ);
    if (__builtin_expect(candidates != drawn, 0))
        drawn |= static_cast<__mmask8>(exactTest.nearer(candidates ^ drawn, pixel));
    _mm512_mask_storeu_pd(depth, drawn, values);
    _mm256_mask_storeu_epi32(ids, drawn, _mm256_set1_epi32(static_cast<int>(id)));
#else
    const Vec before = load(depth);
    Bits candidates = (lanes() < static_cast<double>(count)) & (z <= before + depthTolerance);
    if (kPeels) candidates &= z >= load(tile.minDepth + pixel);
    Bits drawn = candidates & (z < before - depthTolerance);
    const unsigned undecided = bitsOf(candidates ^ drawn);
    if (__builtin_expect(undecided != 0, 0)) drawn |= lanesOf(exactTest.nearer(undecided, pixel));
    store(depth, drawn ? z : before);
    const IdMask drawnIds = __builtin_convertvector(drawn, IdMask);
    const Ids idsBefore = load<Ids>(ids);
    store(ids, drawnIds ? Ids{} + id : idsBefore);
#endif
}

// Computes the first and last covered column of each row of the box, counted from the box's left.
inline void rowSpans(const TriangleGroup& b, std::size_t i, std::int32_t rows, std::int32_t* first,
                     std::int32_t* last) {
    const Vec ramp = lanes();
    const std::int32_t end = b.right[i] - b.left[i];
    for (std::int32_t row = 0; row < rows; row += static_cast<std::int32_t>(kLanes)) {
        IdMask lo{};
        IdMask hi = IdMask{} + end;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec edge = (ramp + static_cast<double>(row)) * b.down1[k][i] + b.start[k][i];
            Vec columns = edge * b.perIncrement[k][i] + b.nudge[k][i];
            constexpr double kLimit = kMaxColumns;
            columns = columns < -kLimit ? Vec{} - kLimit : columns;
            columns = columns > kLimit ? Vec{} + kLimit : columns;
            // Conversion truncates: adding kLimit makes the value non-negative, so that it rounds
            // down.
            const IdMask truncated =
                __builtin_convertvector(columns + kLimit, IdMask) - kMaxColumns;
            const bool rises = b.right1[k][i] > 0;
            const IdMask from = rises ? -truncated : IdMask{};
            const IdMask to = rises ? IdMask{} + kMaxColumns : truncated;
            lo = from > lo ? from : lo;
            hi = to < hi ? to : hi;
        }
        store(first + row, lo);
        store(last + row, hi);
    }
}

template <bool kPeels>
inline void drawLarge(const TriangleGroup& b, std::size_t i, TriangleId id, Tile tile,
                      ExactTest& exactTest) {
    alignas(64) std::int32_t first[kTileHeight];
    alignas(64) std::int32_t last[kTileHeight];
    const std::int32_t rows = b.bottom[i] - b.top[i] + 1;
    rowSpans(b, i, rows, first, last);
    const Vec ramp1 = lanes() * b.right1[1][i];
    const Vec ramp2 = lanes() * b.right1[2][i];
    const Vec step1 = Vec{} + b.right1[1][i] * static_cast<double>(kLanes);
    const Vec step2 = Vec{} + b.right1[2][i] * static_cast<double>(kLanes);
    const Vec z0 = Vec{} + b.z[0][i];
    const Vec slope1 = Vec{} + b.slope1[i];
    const Vec slope2 = Vec{} + b.slope2[i];
    const Vec depthTolerance = Vec{} + b.depthTolerance;
    double row1 = b.start[1][i] + b.above[1][i];
    double row2 = b.start[2][i] + b.above[2][i];
    std::int32_t pixel = b.top[i] * kTileStride + b.left[i];
    for (std::int32_t row = 0; row < rows; ++row) {
        const std::int32_t from = first[row];
        Vec edge1 = ramp1 + (row1 + from * b.right1[1][i]);
        Vec edge2 = ramp2 + (row2 + from * b.right1[2][i]);
        for (std::int32_t x = from; x <= last[row]; x += static_cast<std::int32_t>(kLanes)) {
            const Vec z = z0 + (edge1 * slope1 + edge2 * slope2);
            keepNearest<kPeels>(last[row] - x + 1, z, depthTolerance, id, tile, pixel + x,
                                exactTest);
            edge1 += step1;
            edge2 += step2;
        }
        row1 += b.down1[1][i];
        row2 += b.down1[2][i];
        pixel += kTileStride;
    }
}

template <bool kPeels>
void drawGroup(const TileGeometry& geometry, const TriangleGroup& b, const TriangleId* ids,
               std::size_t count, const Tile& tile) {
    for (std::size_t i = 0; i < count; ++i) {
        ExactTest exactTest(geometry, tile, ids[i]);
        if (b.boxKind[i] == kSmallBox) {
            drawSmall<kPeels>(b, i, ids[i], tile, exactTest);
        } else if (b.boxKind[i] == kLargeBox) {
            drawLarge<kPeels>(b, i, ids[i], tile, exactTest);
        }
    }
}

void draw(const TileGeometry& geometry, const TriangleId* ids, std::size_t count,
          const Tile& tile) {
    TriangleGroup group;
    for (std::size_t done = 0; done < count; done += kGroupSize) {
        const std::size_t groupSize = minOf(kGroupSize, count - done);
        const std::size_t laneCount = laneCountOf(groupSize);
        gather(geometry, ids + done, groupSize, tile, group);
        prepareBoxes(laneCount, tile, group);
        prepareEdges(laneCount, group);
        updateDepthTolerance(laneCount, group);
        coverSmall(laneCount, group);
        if (tile.minDepth != nullptr) {
            drawGroup<true>(geometry, group, ids + done, groupSize, tile);
        } else {
            drawGroup<false>(geometry, group, ids + done, groupSize, tile);
        }
    }
}

// Edge functions of a triangle as planes over the tile, for resolving.
struct Planes {
    TriangleId id;
    double start[3];
    double right1[3];
    double down1[3];
    double inverseW[3];
};

// Size of the cache of planes: triangles of a row often appear in the next row again.
constexpr std::uint32_t kCachedPlanes = 128;

inline void planesOf(const TileGeometry& geometry, TriangleId id, const Tile& tile,
                     Planes& planes) {
    planes.id = id;
    const std::int32_t originX = tile.left * kSubpixels + kHalfPixel;
    const std::int32_t originY = tile.top * kSubpixels + kHalfPixel;
    const ScreenVertex* v[3];
    for (std::size_t k = 0; k < 3; ++k) v[k] = cornerOf(geometry, id, k);
    for (std::size_t k = 0; k < 3; ++k) {
        const ScreenVertex& p = *v[(k + 1) % 3];
        const ScreenVertex& q = *v[(k + 2) % 3];
        const double dx = q.x - p.x;
        const double dy = q.y - p.y;
        planes.right1[k] = dy * -kSubpixels;
        planes.down1[k] = dx * kSubpixels;
        planes.start[k] = dx * (originY - p.y) - dy * (originX - p.x);
    }
    // Only the ratios count; scaling keeps results within float.
    const double scale = 1 / maxOf(maxOf(v[0]->inverseW, v[1]->inverseW), v[2]->inverseW);
    for (std::size_t k = 0; k < 3; ++k) planes.inverseW[k] = v[k]->inverseW * scale;
}

// Bit i is set if the id of lane i differs from that of lane i − 1; bit 0 is always set.
inline unsigned runStarts(const TriangleId* ids) {
    unsigned ends = 0;
#if THREEFOLD_LANES == 8
    ends = _mm256_cmpneq_epi32_mask(load<__m256i>(ids), load<__m256i>(ids + 1));
#else
    for (std::size_t i = 0; i < kLanes; ++i) ends |= (ids[i] != ids[i + 1] ? 1U : 0U) << i;
#endif
    constexpr unsigned kAll = (1U << kLanes) - 1;
    return ((ends << 1) | 1U) & kAll;
}

inline void storeTriples(float* to, Floats a, Floats b, Floats c) {
#if THREEFOLD_LANES == 8
    const Floats ab0 = __builtin_shufflevector(a, b, 0, 8, 0, 1, 9, 0, 2, 10);
    const Floats ab1 = __builtin_shufflevector(a, b, 0, 3, 11, 0, 4, 12, 0, 5);
    const Floats ab2 = __builtin_shufflevector(a, b, 13, 0, 6, 14, 0, 7, 15, 0);
    store(to, __builtin_shufflevector(ab0, c, 0, 1, 8, 3, 4, 9, 6, 7));
    store(to + 8, __builtin_shufflevector(ab1, c, 10, 1, 2, 11, 4, 5, 12, 7));
    store(to + 16, __builtin_shufflevector(ab2, c, 0, 13, 2, 3, 14, 5, 6, 15));
#elif THREEFOLD_LANES == 4
    const Floats ab0 = __builtin_shufflevector(a, b, 0, 4, 0, 1);
    const Floats ab1 = __builtin_shufflevector(a, b, 5, 0, 2, 6);
    const Floats ab2 = __builtin_shufflevector(a, b, 0, 3, 7, 0);
    store(to, __builtin_shufflevector(ab0, c, 0, 1, 4, 3));
    store(to + 4, __builtin_shufflevector(ab1, c, 0, 5, 2, 3));
    store(to + 8, __builtin_shufflevector(ab2, c, 6, 1, 2, 7));
#else
    for (std::size_t i = 0; i < kLanes; ++i) {
        to[3 * i] = a[i];
        to[3 * i + 1] = b[i];
        to[3 * i + 2] = c[i];
    }
#endif
}

class Resolver {
  public:
    Resolver(const TileGeometry& geometry, const Tile& tile) : geometry_(geometry), tile_(tile) {
        for (Planes& planes : cache_) planes = kBackground;
    }

    // Resolves kLanes pixels.
    void resolve(std::int32_t x, std::int32_t y, const TriangleId* tileIds, float* barycentric) {
        unsigned starts = runStarts(tileIds);
        if (starts == 1 && tileIds[0] == kNoTriangle) {
            for (std::size_t i = 0; i < 3 * kLanes; ++i) barycentric[i] = 0;
            return;
        }
        const Ids ids = load<Ids>(tileIds);
        const Vec column = lanes() + static_cast<double>(x);
        Vec edges[3] = {};
        // Loops over runs, not distinct ids: the number of runs is known in advance.
        for (; starts != 0; starts &= starts - 1) {
            const TriangleId id = tileIds[__builtin_ctz(starts)];
            const Planes& planes = planesFor(id);
            const Bits isTriangle = __builtin_convertvector(ids == id, Bits);
            for (std::size_t k = 0; k < 3; ++k) {
                const double row = planes.start[k] + y * planes.down1[k];
                const Vec edge = (column * planes.right1[k] + row) * planes.inverseW[k];
                edges[k] = isTriangle ? edge : edges[k];
            }
        }
        Floats weight[3];
        for (std::size_t k = 0; k < 3; ++k) weight[k] = __builtin_convertvector(edges[k], Floats);
        const Floats sum = weight[0] + weight[1] + weight[2];
        // All weights have the sign of the triangle's winding; background stays 0.
        const Floats scale = 1.0F / (sum != 0 ? sum : Floats{} + 1.0F);
        storeTriples(barycentric, weight[0] * scale, weight[1] * scale, weight[2] * scale);
    }

  private:
    static constexpr Planes kBackground{kNoTriangle, {}, {}, {}, {}};

    const Planes& planesFor(TriangleId id) {
        constexpr std::uint32_t kSpread = 0x9E3779B1U;  // spreads indices one mesh row apart
        Planes& planes = cache_[(id * kSpread) / (~0U / kCachedPlanes + 1)];
        if (planes.id != id) {
            if (id == kNoTriangle) {
                planes = kBackground;
            } else {
                planesOf(geometry_, id, tile_, planes);
            }
        }
        return planes;
    }

    const TileGeometry& geometry_;
    const Tile tile_;
    Planes cache_[kCachedPlanes];
};

void resolve(const TileGeometry& geometry, const Tile& tile, std::uint32_t* face,
             float* barycentric) {
    Resolver resolver(geometry, tile);
    const auto width = static_cast<std::size_t>(tile.width);
    for (std::int32_t y = 0; y < tile.height; ++y) {
        const TriangleId* rowIds = tile.ids + y * kTileStride;
        const std::size_t row =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(geometry.width);
        std::uint32_t* faces = face + row;
        float* weights = barycentric + 3 * row;
        for (std::size_t x = 0; x < width; x += kLanes) {
            const Ids ids = load<Ids>(rowIds + x);
            if (x + kLanes <= width) {
                resolver.resolve(static_cast<std::int32_t>(x), y, rowIds + x, weights + 3 * x);
                store(faces + x, ids + 1U);
                continue;
            }
            float rest[3 * kLanes];
            resolver.resolve(static_cast<std::int32_t>(x), y, rowIds + x, rest);
            __builtin_memcpy(weights + 3 * x, rest, 3 * (width - x) * sizeof(float));
            const Ids next = ids + 1U;
            __builtin_memcpy(faces + x, &next, (width - x) * sizeof(std::uint32_t));
        }
    }
}

// Computes the boxes of up to kGroupSize faces.
std::size_t boxGroup(const TileGeometry& geometry, std::size_t first, std::size_t count,
                     TileBox* boxes) {
    alignas(64) std::int32_t x[3][kGroupSize];
    alignas(64) std::int32_t y[3][kGroupSize];
    const std::uint32_t* face = geometry.faces + 3 * first;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            const ScreenVertex& v = geometry.vertices[face[3 * i + k]];
            x[k][i] = v.x;
            y[k][i] = v.y;
        }
    }
    constexpr std::int32_t kWidthShift = __builtin_ctz(kTileWidth);
    constexpr std::int32_t kHeightShift = __builtin_ctz(kTileHeight);
    std::int64_t degenerate = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x0 = minOf(minOf(x[0][i], x[1][i]), x[2][i]);
        const std::int32_t x1 = maxOf(maxOf(x[0][i], x[1][i]), x[2][i]);
        const std::int32_t y0 = minOf(minOf(y[0][i], y[1][i]), y[2][i]);
        const std::int32_t y1 = maxOf(maxOf(y[0][i], y[1][i]), y[2][i]);
        const std::int32_t left = maxOf((x0 + kHalfPixel - 1) >> kGridShift, 0);
        const std::int32_t top = maxOf((y0 + kHalfPixel - 1) >> kGridShift, 0);
        const std::int32_t right = minOf((x1 - kHalfPixel) >> kGridShift, geometry.width - 1);
        const std::int32_t bottom = minOf((y1 - kHalfPixel) >> kGridShift, geometry.height - 1);
        const double dx1 = static_cast<double>(x[1][i]) - x[0][i];
        const double dy1 = static_cast<double>(y[1][i]) - y[0][i];
        const double dx2 = static_cast<double>(x[2][i]) - x[0][i];
        const double dy2 = static_cast<double>(y[2][i]) - y[0][i];
        const int cut = x0 == kNeedsClipping ? 1 : 0;
        const int flat = dx1 * dy2 == dy1 * dx2 ? 1 : 0;
        degenerate += flat & (1 - cut);
        const int none = flat | (right < left ? 1 : 0) | (bottom < top ? 1 : 0);
        const std::int32_t end = none != 0 ? kEmptyBox.right : right >> kWidthShift;
        boxes[i].left = static_cast<std::uint16_t>(
            cut != 0 ? kNeedsClippingBox.left : (none != 0 ? kEmptyBox.left : left >> kWidthShift));
        boxes[i].right = static_cast<std::uint16_t>(end);
        boxes[i].top = static_cast<std::uint16_t>(top >> kHeightShift);
        boxes[i].bottom = static_cast<std::uint16_t>(bottom >> kHeightShift);
    }
    return static_cast<std::size_t>(degenerate);
}

std::size_t boxes(const TileGeometry& geometry, std::size_t first, std::size_t count,
                  TileBox* boxes) {
    std::size_t degenerate = 0;
    for (std::size_t done = 0; done < count; done += kGroupSize)
        degenerate +=
            boxGroup(geometry, first + done, minOf(kGroupSize, count - done), boxes + done);
    return degenerate;
}

}  // namespace

const TileKernels THREEFOLD_VARIANT::kTileKernels{THREEFOLD_VARIANT_NAME, boxes, draw, resolve};

}  // namespace threefold::raster
