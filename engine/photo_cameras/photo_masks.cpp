#include "engine/photo_cameras/photo_masks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/compute/parallel.h"
#include "engine/cutout/cutout.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

/// The mask at most kMaskSide pixels a side.
Mask reduced(const Mask& mask) {
    constexpr int kMaskSide = 640;
    const double scale =
        std::min(1.0, static_cast<double>(kMaskSide) / std::max(mask.width, mask.height));
    const auto scaled = [&](int pixels) {
        return std::max(1, static_cast<int>(std::lround(pixels * scale)));
    };
    return resized(mask, scaled(mask.width), scaled(mask.height));
}

}  // namespace

std::vector<PhotographMask> cutOutMasks(std::span<const std::filesystem::path> photographs,
                                        const board::SheetLayout* sheet,
                                        const PhotoReports& reports,
                                        const std::stop_token& cancel) {
    std::size_t done = 0;
    const auto onDone = [&](const CutoutFile&) {
        reports.report("cutting out", ++done, photographs.size());
    };
    std::vector<PhotographMask> masks;
    for (const CutoutFile& file :
         cutOutFiles(photographs, {.sheet = sheet, .onDone = onDone}, cancel))
        masks.push_back({.mask = {}, .doubt = file.doubt, .error = file.error});
    return masks;
}

void readMasks(std::span<const std::filesystem::path> photographs, std::span<PhotographMask> masks,
               const std::stop_token& cancel) {
    parallelFor(usableThreads(0), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        try {
            if (const std::optional<Mask> mask = foregroundOf(readPhotograph(photographs[i])))
                masks[i].mask = reduced(*mask);
        } catch (const Error& error) {
            if (masks[i].error.empty()) masks[i].error = error.what();
        }
    });
}

}  // namespace threefold
