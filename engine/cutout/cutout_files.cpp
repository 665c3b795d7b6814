#include <algorithm>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <omp.h>

#include "engine/compute/parallel.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/profile/stopwatch.h"
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

void cutOutFile(CutoutFile& file, bool again) try {
    const Stopwatch time;
    file.mask = maskFileOf(file.photograph);
    if (!file.mask.empty() && !again) {
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

std::vector<CutoutFile> cutOutFiles(std::span<const fs::path> photographs, bool again,
                                    const std::stop_token& cancel,
                                    const std::function<void(const CutoutFile&)>& done) {
    std::vector<CutoutFile> files(photographs.size());
    std::mutex calls;
    parallelFor(omp_get_max_threads(), files.size(), cancel, [&](std::size_t i, std::size_t) {
        files[i].photograph = photographs[i];
        cutOutFile(files[i], again);
        const std::scoped_lock lock(calls);
        if (done) done(files[i]);
    });
    return files;
}

}  // namespace threefold
