#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/template_mesh.h"
#include "engine/stage.h"

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
    /// What was folded: its ellipsoid, and how a level's vertices come from the one below. Null
    /// from a backend that does not say.
    std::shared_ptr<const TemplateMesh> templateMesh;
    /// For each vertex, how undecided a hypothesis block was about it: the entropy of its softmax,
    /// −Σ p log₂ p, in bits; 0 one hypothesis took all, log₂ 43 = 5.43 all alike. Empty from a
    /// backend that does not give it.
    std::vector<float> entropy1;  ///< of the step from coarse to refined1
    std::vector<float> entropy2;  ///< from refined1 to refined
    /// On a GPU stages may overlap (`cnn2` runs beside stage 1): then they add up to more than the
    /// whole. Empty where they were not timed.
    StageTimings timings;
    /// When the first of `timings` began; its clock's zero: unknown. Set by who loads the views.
    std::chrono::steady_clock::time_point begun{};
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
