#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/options/model_options.h"
#include "app/options/truth_space.h"

namespace threefold {

/// Everything that `threefold reconstruct` is asked.
struct ReconstructRequest {
    ModelOptions model;
    std::vector<std::string> samples;  ///< as given: samples, images, test lists
    std::filesystem::path output;
    std::vector<int> views;            ///< the first gives the space of the meshes
    std::vector<std::string> formats;  ///< "obj", "xyz", "ply", "stl", "glb"
    std::string level;                 ///< "coarse", "refined", "all"
    std::string frame;                 ///< "camera": the first view's; "world": ShapeNet's
    std::filesystem::path truthRoot;
    TruthSpace truthSpace;
    std::filesystem::path imageRoot;
    std::filesystem::path trace;  ///< where a Chrome trace of the run goes; empty: nowhere
    bool json = false;

    bool wantsCoarse() const { return level != "refined"; }
    bool wantsRefined() const { return level != "coarse"; }
};

/// Throws UsageError for what no sample can make right: too few or too many views, one of them
/// negative or named twice.
void checkViews(const std::vector<int>& views);

}  // namespace threefold
