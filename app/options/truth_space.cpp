#include "app/options/truth_space.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace threefold {

void addTruthSpace(CLI::App& command, TruthSpace& option) {
    command
        .add_option_function<std::string>(
            "--gt-space", [&option](const std::string& word) { option = truthSpaceFromName(word); },
            "Coordinates of the truth: view (of the view that its name ends with, else 0), world "
            "(ShapeNet's), auto (detected from its points). If not given, view for pickles and "
            "auto for others")
        ->check(CLI::IsMember({"view", "world", "auto"}))
        ->option_text("NAME");
}

std::string detectedSpaceNote(const Sample& sample, const GroundTruth& truth) {
    if (sample.groundTruthSpace) return {};
    return fmt::format(
        "{}: taken to be in {} (detected from its points); --gt-space overrides this",
        truth.source.string(),
        truth.space == MeshSpace::world
            ? "world space"
            : fmt::format("the space of view {}", sample.groundTruthView));
}

}  // namespace threefold
