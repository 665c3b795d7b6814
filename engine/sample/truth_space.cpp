#include "engine/sample/truth_space.h"

#include <array>
#include <string>

#include "engine/error.h"

namespace threefold {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"", "view", "world", "auto"};

}  // namespace

std::string_view truthSpaceName(TruthSpace space) {
    return kNames[static_cast<std::size_t>(space)];
}

TruthSpace truthSpaceFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<TruthSpace>(i);
    }
    throw UsageError(
        {"--gt-space", std::string(name), "there is no such space", "Use view, world or auto."});
}

void applyTruthSpace(TruthSpace space, Sample& sample) {
    if (space == TruthSpace::view) sample.groundTruthSpace = MeshSpace::view;
    if (space == TruthSpace::world) sample.groundTruthSpace = MeshSpace::world;
    if (space == TruthSpace::detect) sample.groundTruthSpace.reset();
}

}  // namespace threefold
