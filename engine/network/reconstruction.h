#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/template_mesh.h"
#include "engine/stage.h"

namespace threefold {

/// All results of one run of the network. Vertices are in the space of the first chosen view.
struct Reconstruction {
    Points level1;    ///< 156 vertices
    Points level2;    ///< 618
    Points coarse;    ///< level 3: 2466, the end of stage 1
    Points refined1;  ///< after the first hypothesis block
    Points refined;   ///< after the second: the result
    /// Refined, fitted to photographs (engine/fitting); empty if not requested. No backend sets it.
    Points fitted;
    Faces fittedFaces;  ///< of `fitted`; empty: those of `refined`
    std::shared_ptr<const std::vector<Faces>> levelFaces;  ///< of the template, one for each level
    /// The template: its ellipsoid, and how each level's vertices follow from the level below. May
    /// be null.
    std::shared_ptr<const TemplateMesh> templateMesh;
    /// For each vertex the entropy of its hypotheses' softmax, −Σ p log₂ p, in bits: 0 if one
    /// hypothesis has all the weight, log₂ 43 = 5.43 if all are equal. May be empty.
    std::vector<float> entropy1;  ///< of the step from coarse to refined1
    std::vector<float> entropy2;  ///< from refined1 to refined
    /// Empty where stages were not timed. On a GPU stages may overlap (`cnn2` runs beside stage 1):
    /// their sum is then more than the whole.
    StageTimings timings;
    /// Start time of the first stage; epoch if unset. Set by the caller, which loads the views.
    std::chrono::steady_clock::time_point begun{};
    /// Wall time from views to meshes in main memory; the share of one sample in a batch. 0: not
    /// measured.
    double wallMilliseconds = 0;

    /// The wall time, or the sum of the stages if it was not measured.
    double milliseconds() const {
        return wallMilliseconds > 0 ? wallMilliseconds : networkMilliseconds(timings);
    }

    const Faces& faces() const { return levelFaces->back(); }
    const Faces& facesOfFitted() const { return fittedFaces.empty() ? faces() : fittedFaces; }
};

}  // namespace threefold
