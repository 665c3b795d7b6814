#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample/surface_samples.h"
#include "engine/sample_rendering/prepared_mesh.h"
#include "engine/sample_rendering/sample_folder.h"
#include "engine/sample_rendering/view_plan.h"
#include "engine/sample_rendering/view_renderer.h"

namespace threefold {

struct SampleSettings {
    MeshPlacement placing;
    ViewPlan views;
    int size = kDefaultRendering;   ///< kSmallestRendering…kLargestRendering
    std::size_t points = 10'000;    ///< of the ground truth, 1…kMostTruthPoints
    bool overwrite = false;         ///< replace an existing sample
    bool texturesAnywhere = false;  ///< as in MeshReading
    RasterChoice raster;
};

inline constexpr std::size_t kMostTruthPoints = 10'000'000;

/// The result for one mesh.
struct RenderedSample {
    std::filesystem::path folder;  ///< {root}/{category}/{item}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{item}_00.dat; the .ply is beside it
    std::size_t faces = 0;
    std::size_t withoutArea = 0;  ///< faces that were left out
    std::size_t views = 0;
    std::size_t emptyViews = 0;        ///< that do not show the mesh
    std::size_t cutOffViews = 0;       ///< whose border the mesh touches
    std::set<RasterTier> tiers;        ///< that drew the views
    std::vector<std::string> missing;  ///< materials and textures that could not be read
};

/// Whether the complete sample exists: its cameras and its truth.
bool isRendered(const std::filesystem::path& root, const ItemMesh& mesh);

/// The sample's future paths, all else empty. Throws InputError where a folder of that name exists:
/// any without SampleSettings::overwrite, with it one that holds more than a sample.
RenderedSample sampleFolderFor(const ItemMesh& mesh, const std::filesystem::path& root,
                               const SampleSettings& settings);

/// A complete sample that is not published yet.
struct PreparedSample {
    RenderedSample made;  ///< as it will be
    SampleFolder folder;
};

/// Reads a mesh and renders a sample of it (METHOD.md §10) into a hidden folder below `root`, which
/// exists: `{category}/{item}/rendering/` with `00.png`…, `rendering_metadata.txt` and
/// `renderings.txt`; `gt/{category}_{item}_00.dat`, a pickle of (image of view 0, N×6 float32) in
/// view 0's space, and the same points as PLY. Uses `threads` threads. Leaves nothing behind where
/// it fails. Throws UsageError (settings), IoError, NotThisFormat, FormatError,
/// InputError (sampleFolderFor(); a mesh that cannot be used, or is in none of the views),
/// DeviceError (the tier cuda without a GPU), Cancelled.
PreparedSample prepareRenderedSample(const ItemMesh& mesh, const std::filesystem::path& root,
                                     const SampleSettings& settings, int threads,
                                     const std::stop_token& cancel = {});

/// Moves a sample to its final folder, which appears last and complete. Call flushDisk() before, so
/// that published samples survive a power cut. Throws IoError.
RenderedSample publishSample(PreparedSample prepared, bool overwrite);

/// Receives a view that was drawn, from any of the threads.
using DrawnView = std::function<void(std::size_t view, Image&& image, RasterTier tier)>;

/// Draws a view of the mesh for each row, on `threads` threads. Throws as ViewRenderer::render().
void drawViews(const PreparedMesh& prepared, std::span<const CameraRow> rows, glm::vec3 light,
               const SampleSettings& settings, int threads, const std::stop_token& cancel,
               const DrawnView& drawn);

/// A truth: `count` points of the mesh's surface with their normals, in the camera's space.
SurfaceSamples truthIn(const Camera& camera, const PreparedMesh& prepared, std::size_t count);

/// Throws UsageError where a setting is out of its range, before any mesh is read.
void checkSettings(const SampleSettings& settings);

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
