#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample_steps/evaluate.h"

namespace threefold {

/// Coordinate spaces of the two files; nullopt: not given.
struct SpaceOptions {
    std::optional<MeshSpace> mesh;
    std::optional<MeshSpace> truth;
    std::filesystem::path cameras;  ///< a rendering_metadata.txt
    std::size_t view = 0;           ///< index of the row that defines the space "view"
};

/// The options of `threefold score`.
struct ScoreRequest {
    std::filesystem::path mesh;
    std::filesystem::path truth;
    std::vector<Protocol> protocols;
    double tau = kTau;
    std::optional<bool> earthMovers;  ///< nullopt: only if that takes at most about a second
    bool json = false;
    bool withSign = false;
    std::filesystem::path output;  ///< file for the distance of each vertex; empty: none
    SpaceOptions spaces;
};

}  // namespace threefold
