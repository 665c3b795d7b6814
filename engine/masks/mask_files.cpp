#include "engine/masks/mask_files.h"

#include <cstddef>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

using Warn = std::function<void(const std::string&)>;

/// Folders of the photographs, or the folders above these, that have a camera file.
std::set<fs::path> cameraFoldersOf(const std::vector<MaskFile>& files) {
    std::set<fs::path> folders;
    for (const MaskFile& file : files)
        if (const fs::path folder = cameraFolderOf(file.photograph);
            !folder.empty() && !cameraFileIn(folder).empty())
            folders.insert(folder);
    return folders;
}

/// Replaces the mask if `contradicting` has a repaired one; else adds the warning to
/// CutoutFile::warning.
void applyContradiction(MaskFile& file, const ContradictingMask& contradicting, const Warn& warn) {
    if (contradicting.repairedMask) {
        replaceMaskFile(file, *contradicting.repairedMask);
        file.isRepaired = true;
        file.error.clear();
        warn(fmt::format(
            "{}: {}. {}; look at {}.{}", file.photograph.string(), contradicting.reason,
            contradicting.isFromHull
                ? "Its mask is now the projection of the other masks' visual hull"
                : "It was cut out again, guided by the other masks",
            file.mask.string(),
            file.keptCopy.empty() ? "" : " The old mask is " + file.keptCopy.string() + '.'));
        return;
    }
    const std::string warning =
        fmt::format("{}: {}. Look at {}.", file.photograph.string(), contradicting.reason,
                    file.mask.empty() ? "it" : file.mask.string());
    warn(warning);
    file.warning += (file.warning.empty() ? "" : " ") + warning;
}

/// Checks the masks of a folder with cameras.
void checkFolder(const fs::path& folder, std::vector<MaskFile>& files, bool repairsMasks,
                 const Warn& warn, const std::stop_token& cancel) {
    std::vector<ContradictingMask> contradictions;
    try {
        const Sample sample = findSample(folder);
        contradictions = repairsMasks ? repairContradictingMasks(sample, cancel)
                                      : findContradictingMasks(sample, cancel);
    } catch (const Error& error) {  // wrong cameras, or masks that do not show one object
        warn(error.what());
    }
    for (const ContradictingMask& contradicting : contradictions)
        for (MaskFile& file : files) {
            std::error_code unreadable;
            if (fs::equivalent(file.photograph, contradicting.photograph, unreadable))
                applyContradiction(file, contradicting, warn);
        }
}

/// Fraction of white pixels.
double fractionOf(const Image& mask) {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < mask.rgba.size(); i += 4) inside += mask.rgba[i] != 0 ? 1 : 0;
    return static_cast<double>(4 * inside) / double(mask.rgba.size());
}

}  // namespace

fs::path cameraFolderOf(const fs::path& photograph) {
    const fs::path folder = absolutePath(photograph).parent_path();
    for (const fs::path& each : {folder, folder.parent_path()})
        if (!cameraFileIn(each).empty() || isFile(metadataFileIn(each))) return each;
    return {};
}

void replaceMaskFile(MaskFile& file, const Image& mask) {
    const fs::path own = ownMaskFile(file.photograph);
    if (isFile(own)) {
        const fs::path keptCopy = own.parent_path() / "replaced" / own.filename();
        std::error_code unreadable;
        if (fs::is_symlink(keptCopy.parent_path(), unreadable))
            throw IoError({keptCopy.parent_path().string(), "",
                           "is a symbolic link; masks are not written through links",
                           "Put a folder of its own there."});
        if (!isFile(keptCopy)) {
            makeFolder(keptCopy.parent_path());
            writeFileAtomically(keptCopy, readFile(own));
        }
        file.keptCopy = keptCopy;
    }
    file.mask = writeOwnMask(file.photograph, mask);
}

bool checkAndRepairMaskFiles(std::vector<MaskFile>& files, bool repairsMasks, const Warn& warn,
                             const std::stop_token& cancel) {
    const std::set<fs::path> folders = cameraFoldersOf(files);
    for (const fs::path& folder : folders) checkFolder(folder, files, repairsMasks, warn, cancel);
    return !folders.empty();
}

std::vector<MaskFile> writePropagatedMasks(const fs::path& location, const ObjectHint& hint,
                                           const std::function<void(const MaskFile&)>& onDone,
                                           const std::stop_token& cancel,
                                           const WorkProgress& onProgress) {
    std::vector<MaskFile> files;
    for (const PropagatedMask& propagated : propagateObject(location, hint, cancel, onProgress)) {
        MaskFile& file = files.emplace_back();
        file.photograph = propagated.photograph;
        if (propagated.mask) {
            file.fraction = fractionOf(*propagated.mask);
            replaceMaskFile(file, *propagated.mask);
        } else {
            file.error = fmt::format("{}: {}", propagated.photograph.string(), propagated.problem);
        }
        if (onDone) onDone(file);
    }
    return files;
}

}  // namespace threefold
