#include "engine/photo_cameras/photo_masks.h"

#include <cstddef>
#include <filesystem>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/cutout/cutout_files.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

/// Maximum side of a mask that readObjectMasks() returns, in pixels.
constexpr int kMaskSide = 640;

}  // namespace

void cutOutMissingMasks(std::span<CameraPhoto* const> photographs, const board::SheetLayout* sheet,
                        const ProgressCallbacks& callbacks, const std::stop_token& cancel) {
    std::size_t done = 0;
    const auto onDone = [&](const CutoutFile&) {
        callbacks.report("cutting out", ++done, photographs.size());
    };
    std::vector<std::filesystem::path> files;
    for (const CameraPhoto* photograph : photographs) files.push_back(photograph->file);
    std::vector<CutoutFile> cutouts =
        cutOutFiles(files, {.sheet = sheet, .onDone = onDone}, cancel);
    for (std::size_t i = 0; i < cutouts.size(); ++i) {
        photographs[i]->maskWarning = std::move(cutouts[i].warning);
        photographs[i]->maskError = std::move(cutouts[i].error);
    }
}

std::vector<std::optional<Mask>> readObjectMasks(std::span<CameraPhoto* const> photographs,
                                                 const std::stop_token& cancel) {
    std::vector<std::optional<Mask>> masks(photographs.size());
    parallelFor(resolveThreadCount(0), photographs.size(), cancel, [&](std::size_t i, std::size_t) {
        CameraPhoto& photograph = *photographs[i];
        try {
            if (const std::optional<Mask> mask = foregroundOf(readPhotograph(photograph.file)))
                masks[i] = withMaxSide(*mask, kMaskSide);
        } catch (const Error& error) {
            if (photograph.maskError.empty()) photograph.maskError = error.what();
        }
    });
    return masks;
}

std::vector<std::optional<Mask>> makeAndReadMasks(std::span<CameraPhoto* const> photographs,
                                                  bool makesMasks, const board::SheetLayout* sheet,
                                                  const ProgressCallbacks& callbacks,
                                                  const std::stop_token& cancel) {
    if (makesMasks) cutOutMissingMasks(photographs, sheet, callbacks, cancel);
    callbacks.report("finding the object", 0, 0);
    return readObjectMasks(photographs, cancel);
}

}  // namespace threefold
