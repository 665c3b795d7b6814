#include "engine/masks/mask_files.h"

#include <cstddef>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Applies the contradiction to the mask of its photograph; returns a sentence that says so.
std::string applyToFile(MaskFile& file, const ContradictingMask& contradicting) {
    const std::string photograph = file.cutout.photograph.string();
    if (contradicting.repairedMask) {
        replaceMaskFile(file, *contradicting.repairedMask);
        file.isRepaired = true;
        file.cutout.error.clear();
        return fmt::format(
            "{}: {}. {}; look at {}.{}", photograph, contradicting.reason,
            contradicting.isFromHull
                ? "Its mask is now the projection of the other masks' visual hull"
                : "It was cut out again, guided by the other masks",
            file.cutout.mask.string(),
            file.keptCopy.empty() ? "" : " The old mask is " + file.keptCopy.string() + '.');
    }
    std::string warning = fmt::format("{}: {}. Look at {}.", photograph, contradicting.reason,
                                      file.cutout.mask.empty() ? "it" : file.cutout.mask.string());
    file.cutout.warning += (file.cutout.warning.empty() ? "" : " ") + warning;
    return warning;
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
    const fs::path own = ownMaskFile(file.cutout.photograph);
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
    file.cutout.mask = writeOwnMask(file.cutout.photograph, mask);
}

std::set<fs::path> cameraFoldersOf(std::span<const fs::path> photographs) {
    std::set<fs::path> folders;
    for (const fs::path& photograph : photographs)
        if (const fs::path folder = cameraFolderOf(photograph);
            !folder.empty() && !cameraFileIn(folder).empty())
            folders.insert(folder);
    return folders;
}

MaskCheck checkMasks(const fs::path& folder, bool repairsMasks, const std::stop_token& cancel) {
    MaskCheck check;
    try {
        const Sample sample = findSample(folder);
        check.contradictions = repairsMasks ? repairContradictingMasks(sample, cancel)
                                            : findContradictingMasks(sample, cancel);
    } catch (const Error& error) {  // wrong cameras, or masks that do not show one object
        check.problem = error.what();
    }
    return check;
}

std::vector<std::string> applyContradiction(std::vector<MaskFile>& files,
                                            const ContradictingMask& contradicting) {
    std::vector<std::string> sentences;
    for (MaskFile& file : files) {
        std::error_code unreadable;
        if (fs::equivalent(file.cutout.photograph, contradicting.photograph, unreadable))
            sentences.push_back(applyToFile(file, contradicting));
    }
    return sentences;
}

std::vector<MaskFile> writePropagatedMasks(const fs::path& location, const ObjectHint& hint,
                                           const std::function<void(const MaskFile&)>& onDone,
                                           const std::stop_token& cancel,
                                           const WorkProgress& onProgress) {
    std::vector<MaskFile> files;
    for (const PropagatedMask& propagated : propagateObject(location, hint, cancel, onProgress)) {
        MaskFile& file = files.emplace_back();
        file.cutout.photograph = propagated.photograph;
        if (propagated.mask) {
            file.cutout.fraction = fractionOf(*propagated.mask);
            replaceMaskFile(file, *propagated.mask);
        } else {
            file.cutout.error =
                fmt::format("{}: {}", propagated.photograph.string(), propagated.problem);
        }
        if (onDone) onDone(file);
    }
    return files;
}

}  // namespace threefold
