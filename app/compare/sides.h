#pragma once

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "app/options/model_options.h"
#include "engine/comparison/compare_runs.h"

namespace threefold {

/// Folder that `eval` wrote.
struct RunFolder {
    std::filesystem::path path;
};

/// Folder of another program's meshes.
struct MeshFolder {
    std::filesystem::path path;
};

/// Side of `threefold compare`: an existing run, or how to make one.
struct ComparedSide {
    std::string name;
    std::variant<ModelOptions, RunFolder, MeshFolder> source;  ///< ModelOptions: runs the list now

    bool needsList() const { return !std::holds_alternative<RunFolder>(source); }
};

/// Parses a side: a back end with an optional precision or kind of GPU kernels ("cpu",
/// "cuda:float16", "cuda:library"; `defaults` for the rest), else a folder or a model file. Throws
/// UsageError.
ComparedSide parseSide(const std::string& word, const ModelOptions& defaults);

/// Samples for sides that have no run yet.
struct ComparedSamples {
    std::filesystem::path source;  ///< test list, data set's folder, or sample
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    std::vector<Protocol> protocols = {Protocol::published};
    int runs = 3;  ///< of each sample by each network
};

/// Runs of all sides, in order. Networks are warmed up; each sample runs on all networks in turn
/// before the next sample, and the median of `runs` times counts. Another program's meshes are
/// DIR/NAME_fitted.*, NAME_predict.* or NAME.*, in any readable format. Warns if the machine is
/// busy. Throws the exceptions of readRun(), readList() and openNetwork(), DeviceError and
/// Cancelled. The errors of failed samples are in their records.
std::vector<ComparedRun> runSides(std::span<const ComparedSide> sides,
                                  const ComparedSamples& samples, const std::stop_token& cancel);

}  // namespace threefold
