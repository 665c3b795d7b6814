#include <mutex>

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

void cutOutFile(CutoutFile& file, bool again) try {
    const Stopwatch time;
    file.mask = maskFileOf(file.photograph);
    file.wasCutOut = !file.mask.empty();
    if (file.wasCutOut && !again) return;
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
