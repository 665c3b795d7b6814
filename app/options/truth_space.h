#pragma once

#include <string>

#include "engine/sample/ground_truth.h"
#include "engine/sample/truth_space.h"

namespace CLI {
class App;
}  // namespace CLI

namespace threefold {

/// --gt-space view|world|auto, with its help: the same words in every command.
void addTruthSpace(CLI::App& command, TruthSpace& option);

/// After loadGroundTruth(): which space was detected, as a sentence for people; empty where it was
/// given.
std::string detectedSpaceNote(const Sample& sample, const GroundTruth& truth);

}  // namespace threefold
