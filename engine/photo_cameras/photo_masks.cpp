#include "engine/photo_cameras/photo_masks.h"

#include <algorithm>
#include <cmath>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"

namespace threefold {

namespace fs = std::filesystem;

SmallMasks smallMasks(std::span<const fs::path> photographs, const std::stop_token& cancel) {
    constexpr int kSide = 640;
    SmallMasks result;
    result.masks.resize(photographs.size());
    result.errors.resize(photographs.size());
    parallelFor(usableThreads(0), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        try {
            const std::optional<Mask> mask = foregroundOf(readPhotograph(photographs[i]));
            if (!mask) return;
            const double scale =
                std::min(1.0, static_cast<double>(kSide) / std::max(mask->width, mask->height));
            const auto scaled = [&](int pixels) {
                return std::max(1, static_cast<int>(std::lround(pixels * scale)));
            };
            result.masks[i] = resized(*mask, scaled(mask->width), scaled(mask->height));
        } catch (const Error& error) {
            result.errors[i] = error.what();
        }
    });
    return result;
}

std::function<void(const CutoutFile&)> cutOutProgress(const PhotoReports& reports,
                                                      std::size_t count) {
    return [&reports, count, done = std::size_t{0}](const CutoutFile&) mutable {
        reports.report("cutting out", ++done, count);
    };
}

}  // namespace threefold
