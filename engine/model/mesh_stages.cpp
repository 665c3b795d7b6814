#include "engine/model/mesh_stages.h"

#include <fmt/format.h>

namespace threefold {

std::vector<MeshStage> meshStages(std::size_t levels, std::size_t hypothesisBlocks) {
    std::vector<MeshStage> stages;
    for (std::size_t level = 0; level < levels; ++level) {
        const bool last = level + 1 == levels;
        stages.push_back(
            {last ? std::string(kPublishedStageNames[0]) : fmt::format("level{}", level + 1), level,
             graphStep(level), last});
    }
    for (std::size_t block = 0; block < hypothesisBlocks; ++block) {
        const bool last = block + 1 == hypothesisBlocks;
        stages.push_back({last ? std::string(kPublishedStageNames[1])
                               : fmt::format("{}{}", kPublishedStageNames[1], block + 1),
                          levels - 1, blockStep(block), last});
    }
    return stages;
}

}  // namespace threefold
