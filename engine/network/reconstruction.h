#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/profile/stage.h"

namespace threefold {

/// All that one run of the network gives; nobody runs it twice to get another view of it.
/// Vertices are in the space of the first chosen view.
struct Reconstruction {
    Points level1;                                         ///< 156 vertices
    Points level2;                                         ///< 618
    Points coarse;                                         ///< level 3: 2466, the end of stage 1
    Points refined1;                                       ///< after the first hypothesis block
    Points refined;                                        ///< after the second: the result
    std::shared_ptr<const std::vector<Faces>> levelFaces;  ///< of the template, one for each level
    /// On a GPU stages may overlap (`cnn2` runs beside stage 1): then they add up to more than the
    /// whole. Empty where they were not timed.
    StageTimings timings;
    /// From views in host memory to meshes in host memory, as a clock on the wall sees it; a batch
    /// divides it evenly. 0: not measured apart, the sum of `timings` says it.
    double wallMilliseconds = 0;

    /// What the whole took: on the wall, else the sum of the stages.
    double milliseconds() const {
        return wallMilliseconds > 0 ? wallMilliseconds : networkMilliseconds(timings);
    }

    const Faces& faces() const { return levelFaces->back(); }
};

}  // namespace threefold
