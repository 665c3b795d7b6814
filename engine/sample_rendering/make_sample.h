#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample_rendering/mesh_folder.h"
#include "engine/sample_rendering/sample_folder.h"
#include "engine/sample_rendering/subject.h"
#include "engine/sample_rendering/view_plan.h"
#include "engine/sample_rendering/view_renderer.h"

namespace threefold {

struct SampleSettings {
    Placing placing;
    ViewPlan views;
    int size = kDefaultRendering;             ///< kSmallestRendering…kLargestRendering
    std::size_t points = 10'000;              ///< of the ground truth, 1…kMostTruthPoints
    bool overwrite = false;                   ///< replace a sample that is there
    RasterTier tier = RasterTier::automatic;  ///< what draws; all see the same faces
};

inline constexpr std::size_t kMostTruthPoints = 10'000'000;

/// What became of a mesh.
struct MadeSample {
    std::filesystem::path folder;  ///< {root}/{category}/{item}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{item}_00.dat; the .ply is beside it
    std::size_t faces = 0;
    std::size_t withoutArea = 0;  ///< faces that were left out
    std::size_t views = 0;
    std::size_t emptyViews = 0;        ///< that do not show it at all
    std::size_t cutOffViews = 0;       ///< that it reaches the border of
    std::vector<std::string> missing;  ///< materials and textures that could not be had
};

/// Whether the sample is there as a whole: its cameras and its truth.
bool isMade(const std::filesystem::path& root, const ItemMesh& mesh);

/// Where its sample will be, all else empty. Throws InputError where a folder of that name is
/// there: any without SampleSettings::overwrite, with it one that holds more than a sample.
MadeSample placeOf(const ItemMesh& mesh, const std::filesystem::path& root,
                   const SampleSettings& settings);

/// A sample that is whole but for its place.
struct PreparedSample {
    MadeSample made;  ///< as it will be
    SampleFolder folder;
};

/// Reads a mesh and makes a sample of it beside its place below `root`, which exists. Views are
/// drawn by `threads` threads. Throws UsageError (settings), IoError, NotThisFormat, FormatError,
/// InputError (placeOf(); a mesh that cannot be used, or is in none of the views), DeviceError (the
/// tier cuda without a GPU), Cancelled.
PreparedSample prepareSample(const ItemMesh& mesh, const std::filesystem::path& root,
                             const SampleSettings& settings, int threads,
                             const std::stop_token& cancel = {});

/// Puts it into its place, once flushDisk() has been called: what is in its place survives a power
/// cut. Throws IoError.
MadeSample publishSample(PreparedSample prepared, bool overwrite);

/// Both (METHOD.md §10): `{category}/{item}/rendering/` with `00.png`…, `rendering_metadata.txt`
/// and `renderings.txt`; `gt/{category}_{item}_00.dat`, a pickle of (image of view 0, N×6 float32)
/// in view 0's space, and the same points as PLY. The item's folder appears last and as a whole.
/// Nothing is left behind where it fails.
MadeSample makeSample(const ItemMesh& mesh, const std::filesystem::path& root,
                      const SampleSettings& settings, int threads,
                      const std::stop_token& cancel = {});

/// Throws UsageError where a setting is out of its range, before any mesh is read.
void checkSettings(const SampleSettings& settings);

}  // namespace threefold
