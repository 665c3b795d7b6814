#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample_rendering/render_sample.h"

namespace threefold {

/// The result for one of many meshes.
struct RenderResult {
    enum class Outcome { made, skipped, failed };

    ItemMesh mesh;
    Outcome outcome = Outcome::failed;
    RenderedSample sample;    ///< where made
    std::string error;        ///< where failed: one line
    double milliseconds = 0;  ///< to read, draw and write it, without waiting for the disk
};

using RenderReportFunction = std::function<void(const RenderResult&)>;

/// Renders a sample of each mesh; an error ends that mesh only and becomes its result. Skips
/// complete samples (without SampleSettings::overwrite), so that an interrupted run can be
/// repeated, and first deletes what an interrupted one left. Of meshes with the same name all but
/// the first fail. Renders many meshes in parallel, or the views of few; `threads`: 0 for all.
/// Calls `report` from one thread at a time as samples are finished; the results are in the order
/// of the meshes. After `cancel` nothing new begins, and the results so far are returned. Throws
/// UsageError (settings), IoError (the disk is full), DeviceError (the tier cuda without a GPU),
/// and what `report` throws.
std::vector<RenderResult> renderSamples(std::span<const ItemMesh> meshes,
                                        const std::filesystem::path& root,
                                        const SampleSettings& settings, int threads,
                                        const std::stop_token& cancel,
                                        const RenderReportFunction& report);

/// What renderSamples() would do, from names alone: reads no mesh and writes nothing. `made` means
/// would be made; of the sample only its paths are known. Throws UsageError (settings).
std::vector<RenderResult> planSamples(std::span<const ItemMesh> meshes,
                                      const std::filesystem::path& root,
                                      const SampleSettings& settings);

}  // namespace threefold
