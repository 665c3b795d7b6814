#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/raster/raster_choice.h"
#include "engine/sample_rendering/render_options.h"
#include "engine/sample_rendering/sample_paths.h"
#include "engine/sample_rendering/source_mesh.h"
#include "engine/sample_rendering/staged_sample.h"

namespace threefold {

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

/// Complete sample that is not published yet.
struct PreparedSample {
    RenderedSample sample;
    SamplePaths paths;    ///< paths after publication
    StagedSample folder;  ///< the files until publication
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

/// Moves a sample's files to their final paths. The sample's folder appears last, and complete.
/// Call flushDisk() first, so that published samples survive a power cut. Throws IoError.
RenderedSample publishSample(PreparedSample prepared, bool overwrite);

}  // namespace threefold
