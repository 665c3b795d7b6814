#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/cutout/cutout_files.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/masks/propagate_object.h"
#include "engine/work_progress.h"

namespace threefold {

/// A photograph's mask file, and the older mask that it replaced.
struct MaskFile {
    CutoutFile cutout;
    std::filesystem::path keptCopy;  ///< of the replaced mask; empty: none was replaced
    bool isRepaired = false;         ///< by applyContradiction()
};

/// Folder with the cameras of a photograph: the photograph's own, or the one above; empty if
/// neither has a camera file or camera rows.
std::filesystem::path cameraFolderOf(const std::filesystem::path& photograph);

/// Writes the mask of MaskFile::cutout's photograph (writeOwnMask()). First copies an existing mask
/// of Threefold's own to the folder `replaced` beside the mask, unless an earlier copy is there.
/// Sets CutoutFile::mask and MaskFile::keptCopy. Throws IoError, also if the folder is a symbolic
/// link.
void replaceMaskFile(MaskFile& file, const Image& mask);

/// Folders with a camera file, beside the photographs or above.
std::set<std::filesystem::path> cameraFoldersOf(std::span<const std::filesystem::path> photographs);

/// Comparison of the masks of a folder with a camera file.
struct MaskCheck {
    std::vector<ContradictingMask> contradictions;
    std::string problem;  ///< why the masks were not compared; empty: they were compared
};

/// Finds the masks that contradict the others of `folder`, one of cameraFoldersOf(); writes no
/// file. With `repairsMasks` by repairContradictingMasks(), else by findContradictingMasks().
/// Throws Cancelled.
MaskCheck checkMasks(const std::filesystem::path& folder, bool repairsMasks,
                     const std::stop_token& cancel);

/// Applies a contradiction to its photograph's mask, where `files` has the photograph:
/// - if there is a repaired mask: replaces the mask (replaceMaskFile()), sets MaskFile::isRepaired
///   and clears the error;
/// - else: leaves the mask, and appends a sentence to CutoutFile::warning.
///
/// Returns the sentences, one for each changed entry of `files`. Throws as replaceMaskFile().
std::vector<std::string> applyContradiction(std::vector<MaskFile>& files,
                                            const ContradictingMask& contradicting);

/// Cuts out an object by propagateObject(), and writes the masks by replaceMaskFile(). A photograph
/// without a mask has an error. Writes no file before propagateObject() and its calls of
/// `onProgress` have finished: after Cancelled, all masks are as they were. Then calls `onDone`, if
/// given, after each photograph, in the order of propagateObject(). Throws as propagateObject() and
/// replaceMaskFile().
std::vector<MaskFile> writePropagatedMasks(const std::filesystem::path& location,
                                           const ObjectHint& hint,
                                           const std::function<void(const MaskFile&)>& onDone,
                                           const std::stop_token& cancel,
                                           const WorkProgress& onProgress = {});

}  // namespace threefold
