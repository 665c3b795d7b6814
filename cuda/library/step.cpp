#include "cuda/library/step.h"

#include <algorithm>

namespace threefold::cuda::library {

double poolingBytes(const PoolingArguments& arguments) {
    constexpr double kTexels = 4;  // of a bilinear sample
    const double points = 1.0 * arguments.batch * arguments.pointCount;
    const double rows = points * std::max(arguments.offsetCount, 1);
    double values = rows * (arguments.pitch + arguments.extraWidth);
    for (int i = 0; i < arguments.mapCount; ++i) {
        const DeviceMap& map = arguments.maps[i];
        const double whole = 1.0 * arguments.batch * map.side * map.side;
        values += arguments.views * map.channels * std::min(whole, kTexels * rows);
    }
    return values * static_cast<double>(bytesOf(arguments.element)) + points * 3 * sizeof(float);
}

}  // namespace threefold::cuda::library
