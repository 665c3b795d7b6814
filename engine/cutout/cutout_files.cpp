#include "engine/cutout/cutout_files.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/compute/shared_budget.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Throws InputError unless the mask belongs to this photograph alone and shows an object.
void checkMask(const fs::path& photograph, const fs::path& maskFile) {
    constexpr const char* kRemedy = "Remove it, or have it made anew.";
    const fs::path namesake = namesakeOf(photograph);
    const bool isAmbiguous = !namesake.empty() && maskFile.stem() == photograph.stem();
    if (isAmbiguous)
        throw InputError(
            {photograph.string(), "",
             fmt::format("shares the mask {} with {}: the mask's photograph is ambiguous",
                         maskFile.string(), namesake.filename().string()),
             "Rename one of the photographs, or have masks made anew: one for each."});
    Image mask;
    try {
        mask = readImage(maskFile);
    } catch (const Error& error) {
        throw InputError({maskFile.string(), error.report().place,
                          fmt::format("the mask of {} {}", photograph.filename().string(),
                                      error.report().problem),
                          kRemedy});
    }
    const ImageSize size = readImageInfo(photograph).size();
    if (mask.width != size.width || mask.height != size.height)
        throw InputError({maskFile.string(), "",
                          fmt::format("has {} × {} pixels, but its photograph has {} × {}",
                                      mask.width, mask.height, size.width, size.height),
                          kRemedy});
    bool showsObject = false;
    for (std::size_t i = 0; i < mask.rgba.size() && !showsObject; i += 4)
        showsObject = std::max({mask.rgba[i], mask.rgba[i + 1], mask.rgba[i + 2]}) > 0 &&
                      mask.rgba[i + 3] > 0;
    if (!showsObject)
        throw InputError({maskFile.string(), "", "the mask shows no object", kRemedy});
}

/// Canonical path, equal for all paths to one file; `file` itself on failure.
fs::path canonicalPath(const fs::path& file) {
    std::error_code error;
    fs::path canonical = fs::weakly_canonical(file, error);
    return error ? file : canonical;
}

void cutOutFile(CutoutFile& file, const fs::path& cameraFileMask, bool overwrite,
                const board::SheetLayout& sheet) try {
    const Stopwatch time;
    file.mask = maskFileOf(file.photograph, cameraFileMask);
    if (!file.mask.empty() && !overwrite) {
        if (file.mask == cameraFileMask)
            // Throws if mask and photograph do not match.
            readPhotograph(file.photograph, cameraFileMask);
        else
            checkMask(file.photograph, file.mask);
        file.wasCutOutBefore = true;
        return;
    }
    Image photograph = readImage(file.photograph);
    if (!overwrite && foregroundOf(photograph)) {
        file.wasCutOutBefore = true;
        return;
    }
    const Cutout cutout = cutOut(std::move(photograph), sheet, file.photograph);
    file.mask = writeOwnMask(file.photograph, cutout.mask);
    file.fraction = cutout.fraction;
    if (!cutout.warning.empty())
        file.warning = fmt::format("{}: {} Look at {}.", file.photograph.string(), cutout.warning,
                                   file.mask.string());
    file.milliseconds = time.milliseconds();
} catch (const Error& error) {
    file.error = error.what();
    file.mask.clear();
} catch (const std::bad_alloc&) {
    file.error = fmt::format("{}: not enough memory to cut it out", file.photograph.string());
    file.mask.clear();
}

/// Number of pixels of a photograph, by its header. 0 if the header cannot be read: reading the
/// photograph then fails, too.
std::uint64_t pixelsOf(const fs::path& photograph) {
    try {
        const ImageSize size = readImageInfo(photograph).size();
        return static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace

MaskFilesByPhoto masksNamedByCameras(std::span<const fs::path> photographs,
                                     const std::stop_token& cancel) {
    std::set<fs::path> folders;
    for (const fs::path& photograph : photographs) {
        const fs::path folder = canonicalPath(photograph).parent_path();
        folders.insert({folder, folder.parent_path()});
    }
    MaskFilesByPhoto named;
    for (const fs::path& folder : folders) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            const fs::path file = cameraFileIn(folder);
            if (file.empty()) continue;
            for (const Photo& photo : readCameraFile(file).photos)
                if (!photo.image.empty() && !photo.mask.empty())
                    named.emplace(canonicalPath(photo.image), photo.mask);
        } catch (const Error&) {
            continue;
        }
    }
    return named;
}

std::vector<CutoutFile> cutOutFiles(std::span<const fs::path> photographs,
                                    const CutoutFilesOptions& options,
                                    const std::stop_token& cancel) {
    std::vector<CutoutFile> files(photographs.size());
    std::map<fs::path, board::SheetLayout> sheets;
    if (options.sheet == nullptr)
        for (const fs::path& photograph : photographs) {
            const fs::path folder = photograph.parent_path();
            if (sheets.contains(folder)) continue;
            const auto beside = board::readSheetIn(folder);
            sheets.emplace(folder, beside ? *beside : board::printedBoard());
        }
    constexpr std::uint64_t kPixelsPerThread = 32'000'000;
    const int threads = resolveThreadCount(0);
    SharedBudget pixels(kPixelsPerThread * static_cast<std::uint64_t>(threads));
    std::mutex calls;
    parallelFor(threads, files.size(), cancel, [&](std::size_t i, std::size_t) {
        const SharedBudget::Part part = pixels.take(pixelsOf(photographs[i]), cancel);
        if (!part) return;
        files[i].photograph = photographs[i];
        const auto mask = options.cameraFileMasks.find(canonicalPath(photographs[i]));
        cutOutFile(
            files[i], mask == options.cameraFileMasks.end() ? fs::path() : mask->second,
            options.overwrite,
            options.sheet != nullptr ? *options.sheet : sheets.at(photographs[i].parent_path()));
        const std::scoped_lock lock(calls);
        if (options.onDone) options.onDone(files[i]);
    });
    return files;
}

}  // namespace threefold
