#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluation/silhouettes.h"
#include "engine/metrics/measures.h"
#include "engine/sample/mesh_space.h"
#include "engine/stage.h"

namespace threefold {

/// Both meshes against the truth.
struct SampleMeasures {
    std::filesystem::path truth;
    MeshSpace truthSpace = MeshSpace::view;  ///< what the file's coordinates were taken for
    Measures coarse;
    Measures refined;
};

/// What became of one sample.
struct SampleResult {
    std::string given;  ///< as named on the command line or in the list
    std::string name;   ///< "02691156_p0001_00"; empty if it was not found
    std::filesystem::path source;
    std::vector<int> views;          ///< those it was made from
    std::vector<std::string> notes;  ///< what was assumed of photographs of one's own
    StageTimings timings;            ///< `load` first, then the network's stages
    double networkMs = 0;            ///< of all but `load`, on the wall
    std::vector<std::filesystem::path> files;
    std::optional<SampleMeasures> measures;    ///< absent without a usable ground truth
    std::vector<ViewSilhouettes> silhouettes;  ///< one for each view
    std::string warning;  ///< why there are no measures, or what was guessed for them
    std::string error;    ///< empty: done

    bool done() const { return error.empty(); }
};

}  // namespace threefold
