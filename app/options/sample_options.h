#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "engine/sample/mesh_space.h"

namespace threefold {

/// Adds --texture [PIXELS].
void addTexture(CLI::App& command, int& side);
/// Option names of addListRoots(), in CLI11's form.
struct ListRootNames {
    const char* images = "--images";
    const char* truths = "--gt";
};
/// Adds the options for the folders that hold the images and the truths of a list's samples.
void addListRoots(CLI::App& command, std::filesystem::path& images, std::filesystem::path& truths,
                  const ListRootNames& names = {});
/// Adds --gt-space view|world|auto.
void addTruthSpace(CLI::App& command, TruthSpaceChoice& space);

/// Warning about a number of views that the model was not trained with: "5 views: the model was
/// trained with 3; expect a rougher mesh"; empty for 3 views or none.
std::string viewCountWarning(std::size_t views);

}  // namespace threefold
