#include "engine/stereo/silhouette_bound.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "engine/compute/parallel.h"

namespace threefold::stereo {
namespace {

constexpr int kBlock = 4;  ///< points along a side of a cube of the lattice

bool isBorder(const Lattice& lattice, glm::ivec3 at) {
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] == 0 || at[axis] + 1 == lattice.size[axis]) return true;
    return false;
}

/// Where the middle of a cube lies further from the surface than its corners reach, all of its
/// points lie on the same side.
void fillBlock(const Lattice& lattice, const hull::HullField& field, glm::ivec3 first,
               SilhouetteBound& bound) {
    const double radius = std::sqrt(3.0) / 2 * (kBlock - 1) * lattice.spacing;
    const auto decided = static_cast<float>(hull::HullField::kSteepest * radius) + bound.most;
    const glm::dvec3 centre =
        lattice.spacing * (glm::dvec3(lattice.first + first) + (kBlock - 1) / 2.0);
    const float value = field.at(centre, decided);
    if (value > decided) return;
    const auto halfSpacing = static_cast<float>(lattice.spacing / 2);
    const glm::ivec3 end = glm::min(first + kBlock, lattice.size);
    for (int x = first.x; x < end.x; ++x)
        for (int y = first.y; y < end.y; ++y)
            for (int z = first.z; z < end.z; ++z) {
                const glm::ivec3 at(x, y, z);
                if (isBorder(lattice, at)) continue;
                const std::size_t index = lattice.index(at);
                float& here = bound.distance[index];
                here = value < -decided ? -bound.most
                                        : std::clamp(field.at(lattice.place(at), bound.most),
                                                     -bound.most, bound.most);
                bound.inside[index] = here < halfSpacing ? 1 : 0;
            }
}

}  // namespace

SilhouetteBound silhouetteBound(const Lattice& lattice, const hull::HullField& field, float most,
                                int threads, const std::stop_token& cancel) {
    SilhouetteBound bound{std::vector<float>(lattice.count(), most),
                          std::vector<std::uint8_t>(lattice.count()), most};
    const glm::ivec3 blocks = (lattice.size + (kBlock - 1)) / kBlock;
    parallelFor(threads, static_cast<std::size_t>(blocks.x), cancel,
                [&](std::size_t x, std::size_t /*thread*/) {
                    for (int y = 0; y < blocks.y; ++y)
                        for (int z = 0; z < blocks.z; ++z)
                            fillBlock(lattice, field,
                                      kBlock * glm::ivec3(static_cast<int>(x), y, z), bound);
                });
    return bound;
}

}  // namespace threefold::stereo
