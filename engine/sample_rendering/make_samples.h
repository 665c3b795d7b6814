#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample_rendering/make_sample.h"

namespace threefold {

/// What became of one of many meshes.
struct MakingResult {
    enum class Outcome { made, skipped, failed };

    ItemMesh mesh;
    Outcome outcome = Outcome::failed;
    MadeSample sample;        ///< where made
    std::string error;        ///< where failed: one line
    double milliseconds = 0;  ///< to read, draw and write it; not what it waited for the disk
};

using MakingFunction = std::function<void(const MakingResult&)>;

/// Makes a sample of each mesh; a bad one becomes a result with its error and the rest goes on.
/// Samples that are there as a whole are skipped (but for SampleSettings::overwrite), so that a run
/// that was ended can be started again; what it has left half made goes first. Of meshes of one
/// name the first counts, the others fail. Many meshes are made side by side, a few one after the
/// other with their views side by side; `threads`: 0 for all that the process may use. `report` is
/// called from one thread at a time, as samples are finished; results come back in the order of the
/// meshes. Once `cancel` is requested nothing further is begun, and what is done so far comes back.
/// Throws UsageError (settings), IoError (the disk is full), DeviceError (the tier cuda without a
/// GPU), and what `report` throws.
std::vector<MakingResult> makeSamples(std::span<const ItemMesh> meshes,
                                      const std::filesystem::path& root,
                                      const SampleSettings& settings, int threads,
                                      const std::stop_token& cancel, const MakingFunction& report);

/// What it would do, from names alone: no mesh is read, nothing is written. `made` means that it
/// would be; of the sample its places are known. Throws UsageError (settings).
std::vector<MakingResult> planSamples(std::span<const ItemMesh> meshes,
                                      const std::filesystem::path& root,
                                      const SampleSettings& settings);

}  // namespace threefold
