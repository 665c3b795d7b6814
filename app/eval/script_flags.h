#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/options/model_options.h"

namespace threefold {

/// Flags of the original scripts that are not mere aliases of options.
struct ScriptFlags {
    std::optional<bool> amp;         ///< --amp, --no-amp
    std::filesystem::path stage1;    ///< --stage1_checkpoint
    std::filesystem::path stage2;    ///< --stage2_checkpoint
    std::filesystem::path meshData;  ///< --mesh_data
    std::string sampler = "auto";    ///< sampler of the published weights
    bool compile = false;            ///< --compile
    std::string compileMode;         ///< --compile-mode; empty: not given
    bool chamferCuda = false;        ///< --force-chamfer-cuda

    bool namesWeights() const { return !stage1.empty() || !stage2.empty() || !meshData.empty(); }
};

/// Adds the flags to a command; --stage1_checkpoint excludes --model.
void addScriptFlags(CLI::App& command, ScriptFlags& flags);

/// Translates flags for weights and precision into model options. Published weights are converted
/// into the user's cache, into a file named by its hash. Throws
/// - UsageError: one or two of the three files are not named;
/// - ModelError: the files do not hold a whole model;
/// - otherwise as convertModel() does.
void applyScriptFlags(const ScriptFlags& flags, ModelOptions& options);

/// Logs one warning for each flag that requests a precision, a compiler or a device, with the
/// resulting setting. `onGpu`: the network runs on a GPU.
void reportScriptFlags(const ScriptFlags& flags, bool onGpu);

}  // namespace threefold
