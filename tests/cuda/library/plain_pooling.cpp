#include <cmath>

#include "cuda/kernels/pooling.h"
#include "tests/cuda/library/plain_libraries.h"
#include "tests/cuda/library/plain_values.h"

namespace threefold::cuda {
namespace test {

float plainFeature(const float* point, std::size_t column, double view, float map) {
    const float phase = static_cast<float>(column % 17);
    return std::sin(phase + 3 * point[0] + 2 * point[1] - point[2]) +
           0.25F * static_cast<float>(view) * map;
}

}  // namespace test

void launchPooling(Stream, const PoolingArguments& arguments) {
    for (int mesh = 0; mesh < arguments.batch; ++mesh) {
        for (int row = 0; row < arguments.pointCount * arguments.offsetCount; ++row) {
            const int point = row / arguments.offsetCount;
            const int offset = row % arguments.offsetCount;
            float at[3];
            for (int axis = 0; axis < 3; ++axis) {
                at[axis] = arguments.points[3 * (mesh * arguments.pointCount + point) + axis] +
                           arguments.offsets[3 * offset + axis];
            }
            const std::int64_t begin =
                (static_cast<std::int64_t>(mesh) * arguments.pointCount * arguments.offsetCount +
                 row) *
                arguments.pitch;
            for (int column = 0; column < arguments.pitch; ++column) {
                const DeviceMap& map = arguments.maps[column % arguments.mapCount];
                float value = 0;
                if (column < 3) {
                    value = at[column];
                } else if (column < 339) {
                    value =
                        test::plainFeature(at, static_cast<std::size_t>(column),
                                           arguments.transforms[mesh * arguments.views].rotation[0],
                                           test::load(map.values, arguments.element, 0));
                }
                test::store(arguments.out, arguments.element, begin + column, value);
            }
        }
    }
}

}  // namespace threefold::cuda
