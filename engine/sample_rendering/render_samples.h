#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/source_mesh.h"

namespace threefold {

/// Result of renderSamples() or planSamples() for one mesh.
struct RenderResult {
    /// Whether a sample was made, or would be.
    enum class Outcome { made, skipped, failed };

    SourceMesh mesh;
    Outcome outcome = Outcome::failed;
    SamplePaths paths;                     ///< paths of the sample, if one was made
    std::optional<RenderedSample> sample;  ///< if made; nullopt in a plan
    std::string error;                     ///< one line, if the mesh failed
    bool isOutdated = false;               ///< if skipped: isNewerThanSample()
    double milliseconds = 0;  ///< time to read, draw and write, without waiting for the disk
};

/// Callback with the result of each mesh, from one thread at a time.
using RenderReportFunction = std::function<void(const RenderResult&)>;

/// Renders a sample of each mesh; an error fails only its own mesh. Skips complete samples (without
/// RenderOptions::overwrite), so that an interrupted run can be repeated, and first deletes
/// folders left by killed processes. If several meshes have the same name, all but the first fail.
/// Renders many meshes in parallel, or the views of few meshes; `threads`: 0 for all. Calls
/// `report` from one thread at a time as samples finish; returns results in the order of the
/// meshes. After `cancel` no new mesh begins, and the results so far are returned. Throws
/// UsageError (options), IoError (the disk is full), DeviceError (the tier cuda without a GPU).
/// Exceptions of `report` propagate.
std::vector<RenderResult> renderSamples(std::span<const SourceMesh> meshes,
                                        const std::filesystem::path& root,
                                        const RenderOptions& options, int threads,
                                        const std::stop_token& cancel,
                                        const RenderReportFunction& report);

/// Plans renderSamples() from names alone: reads no mesh and writes nothing. Outcome::made: the
/// sample would be rendered. Throws UsageError (options).
std::vector<RenderResult> planSamples(std::span<const SourceMesh> meshes,
                                      const std::filesystem::path& root,
                                      const RenderOptions& options);

}  // namespace threefold
