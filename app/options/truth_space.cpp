#include "app/options/truth_space.h"

#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace threefold {

void addTruthSpace(CLI::App& command, TruthSpace& option) {
    const std::map<std::string, std::optional<MeshSpace>> words = {
        {"view", MeshSpace::view}, {"world", MeshSpace::world}, {"auto", std::nullopt}};
    command
        .add_option_function<std::string>(
            "--gt-space",
            [&option, words](const std::string& word) {
                option = {true, words.at(word)};
            },
            "Coordinates of the truth: view (of the view that its name ends with, else 0), world "
            "(ShapeNet's), auto (detected from its points). If not given, view for pickles and "
            "auto for others")
        ->check(CLI::IsMember(words))
        ->option_text("NAME");
}

std::string_view truthSpaceWord(const TruthSpace& option) {
    if (!option.given) return {};
    if (!option.space) return "auto";
    return *option.space == MeshSpace::view ? "view" : "world";
}

void applyTruthSpace(const TruthSpace& option, Sample& sample) {
    if (option.given) sample.groundTruthSpace = option.space;
}

std::string guessedSpaceNote(const Sample& sample, const GroundTruth& truth) {
    if (sample.groundTruthSpace) return {};
    return fmt::format(
        "{}: taken to be in {} (detected from its points); --gt-space overrides this",
        truth.source.string(),
        truth.space == MeshSpace::world
            ? "world space"
            : fmt::format("the space of view {}", sample.groundTruthView));
}

}  // namespace threefold
