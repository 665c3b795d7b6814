#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace CLI {
class App;
}  // namespace CLI

namespace threefold {

/// The coordinates of the truth's files, as --gt-space gives them.
struct TruthSpace {
    /// False: a pickle's are a view's, as published, and others' are detected.
    bool given = false;
    std::optional<MeshSpace> space;  ///< none: detected from the points
};

/// --gt-space view|world|auto, with its help: the same words in every command.
void addTruthSpace(CLI::App& command, TruthSpace& option);

/// The word that was given; empty where none was.
std::string_view truthSpaceWord(const TruthSpace& option);

/// Before loadGroundTruth().
void applyTruthSpace(const TruthSpace& option, Sample& sample);

/// After it: the detected space, as a sentence for the user; empty where none was detected.
std::string guessedSpaceNote(const Sample& sample, const GroundTruth& truth);

}  // namespace threefold
