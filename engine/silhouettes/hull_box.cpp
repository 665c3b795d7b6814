#include "engine/silhouettes/hull_box.h"

#include <algorithm>

#include <glm/matrix.hpp>

#include "engine/error.h"

namespace threefold {

bool isInAllSilhouettes(std::span<const SilhouetteQuery> views, glm::dvec3 point) {
    return std::ranges::all_of(views,
                               [&](const SilhouetteQuery& view) { return view.mayContain(point); });
}

Box3d hullBox(std::span<const SilhouetteQuery> views, const Box3d& searchBox, int cells,
              const glm::dmat3& axes, const std::stop_token& cancel) {
    const glm::dvec3 step = (searchBox.max - searchBox.min) / static_cast<double>(cells);
    const glm::dmat3 toWorld = glm::transpose(axes);
    Box3d box;
    for (int z = 0; z < cells; ++z)
        for (int y = 0; y < cells; ++y) {
            if (cancel.stop_requested()) throw Cancelled();
            for (int x = 0; x < cells; ++x) {
                const glm::dvec3 centre = searchBox.min + step * (glm::dvec3(x, y, z) + 0.5);
                if (isInAllSilhouettes(views, toWorld * centre)) box.include(centre);
            }
        }
    if (box.isEmpty()) return box;
    return {box.min - step / 2.0, box.max + step / 2.0};
}

}  // namespace threefold
