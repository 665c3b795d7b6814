#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <omp.h>

#include "engine/compute/parallel.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Throws unless the mask is one of this photograph, and shows something.
void checkMask(const fs::path& photograph, const fs::path& maskFile) {
    constexpr const char* kRemedy = "Remove it, or have it made anew.";
    const fs::path other = namesakeOf(photograph);
    const bool isOfBoth = !other.empty() && maskFile.stem() == photograph.stem();
    if (isOfBoth)
        throw InputError({photograph.string(), "",
                          fmt::format("has the mask {}, and so has {}: whose it is cannot be told",
                                      maskFile.string(), other.filename().string()),
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
    const ImageSize size = readImageHead(photograph).size();
    if (mask.width != size.width || mask.height != size.height)
        throw InputError({maskFile.string(), "",
                          fmt::format("is {} × {} pixels, its photograph {} × {}", mask.width,
                                      mask.height, size.width, size.height),
                          kRemedy});
    bool shows = false;
    for (std::size_t i = 0; i < mask.rgba.size() && !shows; i += 4)
        shows = std::max({mask.rgba[i], mask.rgba[i + 1], mask.rgba[i + 2]}) > 0 &&
                mask.rgba[i + 3] > 0;
    if (!shows) throw InputError({maskFile.string(), "", "the mask shows no object", kRemedy});
}

/// The same for two paths of one file; as given where that cannot be told.
fs::path canonicalPath(const fs::path& file) {
    std::error_code unknown;
    fs::path made = fs::weakly_canonical(file, unknown);
    return unknown ? file : made;
}

void cutOutFile(CutoutFile& file, const fs::path& named, bool again) try {
    const Stopwatch time;
    file.mask = maskFileOf(file.photograph, named);
    if (!file.mask.empty() && !again) {
        if (file.mask == named)
            readPhotograph(file.photograph, named);  // throws where they do not match
        else
            checkMask(file.photograph, file.mask);
        file.wasCutOut = true;
        return;
    }
    const Image photograph = readImage(file.photograph);
    if (!again && foregroundOf(photograph)) {
        file.wasCutOut = true;
        return;
    }
    const Cutout cutout = cutOut(photograph);
    file.mask = writeOwnMask(file.photograph, cutout.mask);
    file.wasCutOut = false;
    file.share = cutout.share;
    if (!cutout.doubt.empty())
        file.doubt = fmt::format("{}: {} Look at {}.", file.photograph.string(), cutout.doubt,
                                 file.mask.string());
    file.milliseconds = time.milliseconds();
} catch (const Error& error) {
    ErrorReport report = error.report();
    if (report.subject == "photograph") report.subject = file.photograph.string();
    file.error = Error(report).what();
    file.mask.clear();
} catch (const std::bad_alloc&) {
    file.error = fmt::format("{}: not enough memory to cut it out", file.photograph.string());
    file.mask.clear();
}

}  // namespace

NamedMasks masksNamedByCameras(std::span<const fs::path> photographs,
                               const std::stop_token& cancel) {
    std::set<fs::path> folders;
    for (const fs::path& photograph : photographs) {
        const fs::path folder = canonicalPath(photograph).parent_path();
        folders.insert({folder, folder.parent_path()});
    }
    NamedMasks named;
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

std::vector<CutoutFile> cutOutFiles(std::span<const fs::path> photographs, bool again,
                                    const std::stop_token& cancel,
                                    const std::function<void(const CutoutFile&)>& done,
                                    const NamedMasks& named) {
    std::vector<CutoutFile> files(photographs.size());
    std::mutex calls;
    parallelFor(omp_get_max_threads(), files.size(), cancel, [&](std::size_t i, std::size_t) {
        files[i].photograph = photographs[i];
        const auto mask = named.find(canonicalPath(photographs[i]));
        cutOutFile(files[i], mask == named.end() ? fs::path() : mask->second, again);
        const std::scoped_lock lock(calls);
        if (done) done(files[i]);
    });
    return files;
}

}  // namespace threefold
