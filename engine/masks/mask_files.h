#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/cutout/cutout_files.h"
#include "engine/masks/propagate_object.h"
#include "engine/work_progress.h"

namespace threefold {

/// A photograph's mask file, and the older mask that it replaced.
struct MaskFile : CutoutFile {
    std::filesystem::path keptCopy;  ///< of the replaced mask; empty: none was replaced
    bool isRepaired = false;         ///< by checkAndRepairMaskFiles()
};

/// Folder with the cameras of a photograph: the photograph's own, or the one above; empty if
/// neither has a camera file or camera rows.
std::filesystem::path cameraFolderOf(const std::filesystem::path& photograph);

/// Writes the mask of MaskFile::photograph (writeOwnMask()). Keeps an existing mask of Threefold's
/// own in the folder `replaced` beside it, unless an earlier one is there. Sets MaskFile::mask and
/// MaskFile::keptCopy. Throws IoError, also if that folder is a symbolic link.
void replaceMaskFile(MaskFile& file, const Image& mask);

/// Finds the masks that contradict those of the other photographs, if a camera file lies beside the
/// photographs or in the folder above. For each such mask, passes a sentence to `warn`, and
/// - with `repairsMasks`, if there is a better mask (repairContradictingMasks()): replaces the mask
///   and sets MaskFile::isRepaired;
/// - else: leaves the mask, and appends the sentence to MaskFile::warning.
///
/// Returns false if no photograph has a camera file. Errors of cameras that cannot be read, and of
/// masks that cannot be compared, are passed to `warn`; these masks stay unchecked. Throws IoError
/// as replaceMaskFile(), and Cancelled.
bool checkAndRepairMaskFiles(std::vector<MaskFile>& files, bool repairsMasks,
                             const std::function<void(const std::string&)>& warn,
                             const std::stop_token& cancel);

/// Cuts out an object by propagateObject(), and writes the masks by replaceMaskFile(). A photograph
/// without a mask has an error. Writes files only after propagateObject() has finished, and with it
/// the calls of `onProgress`: after Cancelled, all masks are as they were. Then calls `onDone`, if
/// given, after each photograph, in the order of propagateObject(). Throws as propagateObject() and
/// replaceMaskFile().
std::vector<MaskFile> writePropagatedMasks(const std::filesystem::path& location,
                                           const ObjectHint& hint,
                                           const std::function<void(const MaskFile&)>& onDone,
                                           const std::stop_token& cancel,
                                           const WorkProgress& onProgress = {});

}  // namespace threefold
