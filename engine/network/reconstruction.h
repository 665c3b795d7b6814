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
    StageTimings timings;

    const Faces& faces() const { return levelFaces->back(); }
};

}  // namespace threefold
