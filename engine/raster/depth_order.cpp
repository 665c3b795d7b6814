#include "engine/raster/depth_order.h"

#include "engine/raster/exact_depth.h"

namespace threefold::raster {

Nearer isNearer(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                std::int64_t x, std::int64_t y) {
    if (areBothFlat(a, b) || haveSameCorners(a, b)) return Nearer::nowhere;
    return compareDepths(a, b, x, y) < 0 ? Nearer::yes : Nearer::no;
}

}  // namespace threefold::raster
