#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/structure_from_motion/sparse_model.h"
#include "engine/views/mask.h"
#include "engine/work_progress.h"

namespace threefold::structure_from_motion {

/// Maximum number of photographs that are all matched with each other. Of more photographs, each is
/// matched with its neighbours in the order of the list.
inline constexpr std::size_t kMaxExhaustivelyMatched = 60;

/// Photograph whose camera is wanted.
struct ColmapInput {
    std::filesystem::path file;
    ImageInfo info;
    std::optional<double> focal;  ///< in pixels of the file as stored; nullopt: unknown
    /// Region of the upright picture, at any resolution, in which features are found; nullopt: the
    /// whole picture.
    std::optional<Mask> mask = {};
};

/// Options of a run of COLMAP.
struct ColmapOptions {
    std::filesystem::path program;  ///< colmap
    /// Empty folder for pictures, database and log; the caller removes it.
    std::filesystem::path scratchFolder;
    /// File to which the log is copied if the program fails; an existing file is replaced.
    std::filesystem::path keptLogFile;
    WorkProgress onProgress = {};  ///< called on the calling thread
};

/// Result of runColmap().
struct ColmapResult {
    SparseModel largestModel;    ///< the one with the most cameras; empty: no camera was found
    std::size_t modelCount = 0;  ///< models found; more than one: parts without a connection
    std::vector<std::size_t> featureCounts;  ///< features found in each photograph
    std::filesystem::path log;               ///< in ColmapOptions::scratchFolder
};

/// Path of COLMAP's program in PATH; empty if COLMAP is not installed.
std::filesystem::path colmapProgram();

/// Finds cameras by COLMAP (3.8 to 4), on the processor: features, matches, an incremental
/// reconstruction. Photographs of one size and focal length share a camera with one radial
/// distortion. Converts photographs that COLMAP cannot read (HEIC, 16 bits, mirrored), and rotated
/// ones with a mask. Not deterministic. Throws IoError if the program fails or cannot be run: its
/// log is then kept, and the error names it. Throws Cancelled within 50 ms of the request, and what
/// readImage() throws. Thread-safe.
ColmapResult runColmap(std::span<const ColmapInput> photographs, const ColmapOptions& options,
                       const std::stop_token& cancel);

}  // namespace threefold::structure_from_motion
