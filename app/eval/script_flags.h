#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/options/model_options.h"

namespace threefold {

/// Flags of the original scripts that are not mere aliases of options.
struct SeedFlags {
    std::optional<bool> amp;       ///< --amp, --no-amp
    std::filesystem::path stage1;  ///< --stage1_checkpoint
    std::filesystem::path stage2;  ///< --stage2_checkpoint
    std::filesystem::path meshData;
    std::string sampler = "auto";  ///< sampler of those weights
    bool compile = false;          ///< --compile
    std::string compileMode;       ///< --compile-mode; empty: not given
    bool chamferCuda = false;      ///< --force-chamfer-cuda

    bool namesWeights() const { return !stage1.empty() || !stage2.empty() || !meshData.empty(); }
};

void addSeedFlags(CLI::App& command, SeedFlags& flags);

/// Translates flags for weights and precision into model options. Published weights are converted
/// into the user's cache, into a file named by its hash. Throws UsageError (two of the three files,
/// or besides --model), what convertModel() throws, ModelError where the files do not hold a whole
/// model.
void applySeedFlags(const SeedFlags& flags, ModelOptions& options);

/// Logs one warning for each flag that requests a precision, a compiler or a device, with the
/// resulting setting. `onGpu`: the network runs on a GPU.
void reportSeedFlags(const SeedFlags& flags, bool onGpu);

}  // namespace threefold
