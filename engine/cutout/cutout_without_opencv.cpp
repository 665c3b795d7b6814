// Replaces this folder's sources, except cutout_files.cpp, in a build without OpenCV.

#include "engine/cutout/cutout.h"
#include "engine/cutout/seeded_cutout.h"
#include "engine/error.h"

namespace threefold {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& subject) {
    throw InputError({subject.string(), "", "cannot be cut out: this build has no OpenCV",
                      "Give a mask, or build with -DTHREEFOLD_CUTOUT=ON."});
}

}  // namespace

Cutout cutOut(Image, const board::SheetLayout&, const std::filesystem::path& subject) {
    refuse(subject);
}

Mask cutOutWithSeeds(const Image&, const CutoutSeeds&, const std::filesystem::path& subject) {
    refuse(subject);
}

bool canCutOut() {
    return false;
}

}  // namespace threefold
