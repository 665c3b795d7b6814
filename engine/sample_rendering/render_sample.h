#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/geometry/surface_samples.h"
#include "engine/sample_rendering/prepared_mesh.h"
#include "engine/sample_rendering/source_mesh.h"
#include "engine/sample_rendering/staged_sample.h"
#include "engine/sample_rendering/view_plan.h"
#include "engine/sample_rendering/view_renderer.h"

namespace threefold {

/// Options of rendering samples.
struct RenderOptions {
    MeshConversion conversion;
    ViewPlan views;
    int side = kDefaultRenderingSide;          ///< pixels, kMinRenderingSide…kMaxRenderingSide
    std::size_t points = kSurfaceSampleCount;  ///< number of ground-truth points, 1…kMaxTruthPoints
    bool overwrite = false;                    ///< replace an existing sample
    bool texturesAnywhere = false;             ///< as MeshReadOptions::texturesAnywhere
    RasterChoice raster;
};

inline constexpr std::size_t kMaxTruthPoints = 10'000'000;

/// Where a rendered sample is, or will be.
struct SamplePaths {
    std::filesystem::path folder;  ///< {root}/{category}/{id}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{id}_00.dat; the .ply is beside it
};

/// Rendered sample of one mesh.
struct RenderedSample {
    std::size_t faceCount = 0;
    std::size_t degenerateFaceCount = 0;  ///< faces dropped, as they have no area
    std::size_t viewCount = 0;
    std::size_t emptyViewCount = 0;       ///< views that do not show the mesh
    std::size_t cutOffViewCount = 0;      ///< views in which the mesh touches the border
    std::set<RasterTier> tiers;           ///< rasteriser tiers that drew the views
    std::vector<std::string> unreadable;  ///< unread materials and textures, left-out points
};

/// Whether the sample exists: its camera file and its truth. Throws InputError if it does, but one
/// of these is empty, or a picture that its renderings.txt names is missing or empty.
bool isRendered(const std::filesystem::path& root, const SourceMesh& mesh);

/// Whether the mesh's file was changed after the truth of its sample, which exists, was written.
bool isNewerThanSample(const std::filesystem::path& root, const SourceMesh& mesh);

/// Future paths of a sample. Throws InputError if the folder exists without
/// RenderOptions::overwrite, or with it, if it holds more than a sample or is no folder.
SamplePaths samplePathsFor(const SourceMesh& mesh, const std::filesystem::path& root,
                           const RenderOptions& options);

/// Complete sample that is not published yet.
struct PreparedSample {
    RenderedSample sample;
    SamplePaths paths;    ///< after publication
    StagedSample folder;  ///< until then
};

/// Reads a mesh and renders a sample of it (METHOD.md §10) into a hidden folder below `root`, which
/// exists: `{category}/{id}/rendering/` with `00.png`…, `rendering_metadata.txt` and
/// `renderings.txt`; `gt/{category}_{id}_00.dat`, a pickle of (image of view 0, N×6 float32) in
/// view 0's space, and the same points as PLY. Uses `threads` threads. Leaves nothing behind on
/// failure. Throws UsageError (options), IoError, NotThisFormat, FormatError, InputError
/// (samplePathsFor(); a mesh that cannot be used, or is in none of the views), DeviceError (the
/// tier cuda without a GPU), Cancelled.
PreparedSample prepareRenderedSample(const SourceMesh& mesh, const std::filesystem::path& root,
                                     const RenderOptions& options, int threads,
                                     const std::stop_token& cancel = {});

/// Moves a sample to its final folder, which appears last and complete. Call flushDisk() first, so
/// that published samples survive a power cut. Throws IoError.
RenderedSample publishSample(PreparedSample prepared, bool overwrite);

/// Receives each drawn view, on a worker thread.
using DrawnViewFunction = std::function<void(std::size_t view, Image&& image, RasterTier tier)>;

/// Draws one view of the mesh per row, on `threads` threads. Throws as ViewRenderer::render().
void drawViews(const PreparedMesh& prepared, std::span<const CameraRow> rows, glm::vec3 light,
               const RenderOptions& options, int threads, const std::stop_token& cancel,
               const DrawnViewFunction& drawn);

/// Ground truth: `count` surface points of the mesh with normals, in camera space.
SurfaceSamples sampleTruth(const PreparedMesh& prepared, const Camera& camera, std::size_t count);

/// Throws UsageError if an option is out of range.
void requireValidOptions(const RenderOptions& options);

}  // namespace threefold
