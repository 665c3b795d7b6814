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

/// In which coordinates the files of the truth are: what --gt-space says.
struct TruthSpace {
    /// False: a pickle's are a view's, as published, and others' are guessed.
    bool given = false;
    std::optional<MeshSpace> space;  ///< none: guessed from where the points lie
};

/// --gt-space view|world|auto, with its help: the same words in every command.
void addTruthSpace(CLI::App& command, TruthSpace& option);

/// The word that was given; empty where none was.
std::string_view truthSpaceWord(const TruthSpace& option);

/// Before loadGroundTruth().
void applyTruthSpace(const TruthSpace& option, Sample& sample);

/// After it: what was guessed, as a sentence for the person; empty where nothing was.
std::string guessedSpaceNote(const Sample& sample, const GroundTruth& truth);

}  // namespace threefold
