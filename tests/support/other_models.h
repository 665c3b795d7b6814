#pragma once

#include <filesystem>
#include <string>

#include "engine/formats/tensors/safetensors.h"
#include "engine/model/run_step.h"
#include "tests/support/models.h"

namespace threefold::test {

/// Writes the test model with `blocks` hypothesis blocks: 0 leaves stage 2 out, and blocks beyond
/// the second are copies of the second.
inline void writeModelWithBlocks(const std::filesystem::path& file, std::size_t blocks) {
    Safetensors content = readSafetensors(testModelFile());
    const auto blockName = [](std::size_t block) {
        return "stage2.drb" + std::to_string(block) + '.';
    };
    ArrayMap second;
    for (auto it = content.arrays.begin(); it != content.arrays.end();) {
        const std::string& name = it->first;
        if (name.starts_with(blockName(2)))
            second.emplace(name.substr(blockName(2).size()), it->second);
        const bool dropped = (blocks == 0 && name.starts_with("stage2.")) ||
                             (blocks == 1 && name.starts_with(blockName(2)));
        it = dropped ? content.arrays.erase(it) : std::next(it);
    }
    for (std::size_t block = kPublishedHypothesisBlocks + 1; block <= blocks; ++block)
        for (const auto& [name, array] : second)
            content.arrays.emplace(blockName(block) + name, array);
    writeSafetensors(file, content);
}

}  // namespace threefold::test
