#pragma once

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/network/reconstruction.h"

namespace threefold::test {

/// The stage of this name, which must exist.
inline StageMesh& stageOf(Reconstruction& reconstruction, std::string_view name) {
    return *std::ranges::find(reconstruction.stages, name,
                              [](const StageMesh& each) { return each.stage.name; });
}

/// The stages of the published model, without vertices.
inline std::vector<StageMesh> publishedStages() {
    return stagesWithoutVertices(meshStages(3, kPublishedHypothesisBlocks));
}

/// The published model's stages that are published, `coarse` and `refined`, for a template with one
/// level.
inline std::vector<StageMesh> publishedMeshes(Points coarse, Points refined) {
    std::vector<StageMesh> stages = publishedStages();
    std::erase_if(stages, [](const StageMesh& each) { return !each.stage.published; });
    for (StageMesh& each : stages) each.stage.level = 0;
    stages.front().vertices = std::move(coarse);
    stages.back().vertices = std::move(refined);
    return stages;
}

}  // namespace threefold::test
