#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/making/mesh_folder.h"
#include "engine/making/subject.h"
#include "engine/making/view_plan.h"
#include "engine/making/view_renderer.h"

namespace threefold {

struct SampleSettings {
    Placing placing;
    ViewPlan views;
    int size = kDefaultRendering;  ///< kSmallestRendering…kLargestRendering
    std::size_t points = 10'000;   ///< of the ground truth, 1…kMostTruthPoints
    bool overwrite = false;        ///< replace a sample that is there
};

inline constexpr std::size_t kMostTruthPoints = 10'000'000;

/// What became of a mesh.
struct MadeSample {
    std::filesystem::path folder;  ///< {root}/{category}/{item}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{item}_00.dat; the .ply is beside it
    std::size_t faces = 0;
    std::size_t withoutArea = 0;  ///< faces that were left out
    std::size_t views = 0;
    std::vector<std::string> missing;  ///< materials and textures that could not be had
};

/// Whether the sample is there as a whole: its cameras and its truth.
bool isMade(const std::filesystem::path& root, const ItemMesh& mesh);

/// Reads a mesh and writes a sample of it below `root`, which exists (METHOD.md §10):
/// `{category}/{item}/rendering/` with `00.png`…, `rendering_metadata.txt` and `renderings.txt`;
/// `gt/{category}_{item}_00.dat`, a pickle of (image of view 0, N×6 float32) in view 0's space, and
/// the same points as PLY. The item's folder appears last and as a whole. Nothing is left behind
/// where it fails. Views are drawn by `threads` threads. Throws UsageError (settings), IoError,
/// NotThisFormat, FormatError, InputError (a mesh that cannot be used; a folder of that name which
/// is there), Cancelled.
MadeSample makeSample(const ItemMesh& mesh, const std::filesystem::path& root,
                      const SampleSettings& settings, int threads,
                      const std::stop_token& cancel = {});

/// Throws UsageError where a setting is out of its range, before any mesh is read.
void checkSettings(const SampleSettings& settings);

}  // namespace threefold
