#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "engine/comparison/comparison.h"

namespace threefold {

/// What a word of `threefold compare` names: a run that is there, or how to make one.
struct ComparedSide {
    std::string name;
    std::optional<ModelOptions> network = {};  ///< reconstructs the list now
    std::filesystem::path folder = {};         ///< of a run, or of another program's meshes
    bool isRun = false;                        ///< `eval` wrote the folder

    bool needsList() const { return !isRun; }
};

/// A back end, as in "cpu", "cuda:float16", "cuda:library" (then a precision, or which kernels of a
/// GPU; `defaults` says the rest); else a folder or a model file. Throws UsageError.
ComparedSide sideFromWord(const std::string& word, const ModelOptions& defaults);

/// What those sides run over that are not there yet.
struct CompareList {
    std::filesystem::path list;
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    std::vector<Protocol> protocols = {Protocol::published};
    int runs = 3;  ///< of each sample by each network
};

/// The runs of all sides, in their order. Networks are warmed up, and every sample goes through all
/// of them by turns before the next one comes; of `runs` the median time counts. Another program's
/// meshes are DIR/NAME_fitted.*, NAME_predict.* or NAME.*, in any format that is read. Warns where
/// the machine is busy. Throws what opening and reading them throws, DeviceError, and Cancelled; of
/// a sample that fails, the records say why.
std::vector<ComparedRun> runSides(std::span<const ComparedSide> sides, const CompareList& list,
                                  const std::stop_token& cancel);

}  // namespace threefold
