#include "engine/sample/posed_photos/visual_hull.h"

#include <algorithm>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace threefold {
namespace {

constexpr int kGrid = 80;

class Carver {
  public:
    explicit Carver(const MaskedPhoto& masked)
        : camera_(masked.photo->camera),
          lens_(masked.photo->lens),
          projection_(lens_),
          mask_(masked.mask),
          whole_(mask_.left > 0 && mask_.top > 0 && mask_.right < lens_.width &&
                 mask_.bottom < lens_.height) {}

    bool keeps(glm::dvec3 point) const {
        const auto pixel = projection_.pixelOf(camera_.toView(point));
        return pixel && lens_.holds(*pixel) ? mask_.at(pixel->x, pixel->y) : !whole_;
    }

  private:
    const Camera& camera_;
    const Lens& lens_;
    LensProjection projection_;
    const ObjectCells& mask_;
    bool whole_;  ///< the photograph shows all of the object
};

}  // namespace

std::optional<HullBox> visualHullBox(std::span<const MaskedPhoto> photos, glm::dvec3 centre,
                                     double half, const glm::dmat3& axes) {
    std::vector<Carver> carvers;
    carvers.reserve(photos.size());
    for (const MaskedPhoto& photo : photos) carvers.emplace_back(photo);
    const double step = 2 * half / kGrid;
    const glm::dmat3 toWorld = glm::transpose(axes);
    glm::dvec3 lowest(kGrid);
    glm::dvec3 highest(-1);
    for (int z = 0; z < kGrid; ++z) {
        for (int y = 0; y < kGrid; ++y) {
            for (int x = 0; x < kGrid; ++x) {
                const glm::dvec3 cell(x, y, z);
                const glm::dvec3 point =
                    centre + toWorld * ((cell + glm::dvec3(0.5)) * step - glm::dvec3(half));
                const bool kept = std::all_of(carvers.begin(), carvers.end(),
                                              [&](const Carver& c) { return c.keeps(point); });
                if (!kept) continue;
                lowest = glm::min(lowest, cell);
                highest = glm::max(highest, cell);
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        if (lowest[axis] == 0 || highest[axis] == kGrid - 1) return std::nullopt;
    if (highest.x < 0) return std::nullopt;
    const glm::dvec3 middle = (lowest + highest + glm::dvec3(1)) * (0.5 * step) - glm::dvec3(half);
    return HullBox{centre + toWorld * middle, glm::length(highest - lowest + glm::dvec3(1)) * step};
}

}  // namespace threefold
