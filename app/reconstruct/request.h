#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "engine/pipeline/fit_sample.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// Everything that `threefold reconstruct` is asked.
struct ReconstructRequest {
    ModelOptions model;
    std::vector<std::string> samples;  ///< as given: samples, images, test lists
    std::filesystem::path output;
    /// The first gives the space of the meshes; none: as defaultViews() has it.
    std::vector<int> views;
    ObjectPlace object;                ///< of photographs of one's own
    std::vector<std::string> formats;  ///< of those that are written: "obj"
    std::string level;                 ///< "coarse", "refined", "all"
    std::string frame;            ///< "camera": the first view's; "world": ShapeNet's or one's own
    std::optional<FitViews> fit;  ///< none: no third stage
    std::filesystem::path truthRoot;
    TruthSpace truthSpace = TruthSpace::unset;
    std::filesystem::path imageRoot;
    std::filesystem::path trace;  ///< where a Chrome trace of the run goes; empty: nowhere
    bool json = false;

    bool wantsCoarse() const { return level != "refined"; }
    bool wantsRefined() const { return level != "coarse"; }
};

/// --fit [off|chosen|all|N], the same in every command that reconstructs.
void addFit(CLI::App& command, std::optional<FitViews>& fit);
/// --gt-space view|world|auto, likewise.
void addTruthSpace(CLI::App& command, TruthSpace& space);

/// Throws UsageError for what no sample can make right: too few or too many views, one of them
/// negative or named twice. None at all: the default views.
void checkViews(const std::vector<int>& views);

/// "5 views: the model was trained with 3; expect a rougher mesh"; empty where as many as these or
/// none were asked for.
std::string viewCountWarning(std::size_t views);

/// Throws UsageError: a size not above zero, an up without direction, a value that is not finite.
void checkObject(const ObjectPlace& object);

}  // namespace threefold
