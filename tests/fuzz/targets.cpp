#include "tests/fuzz/targets.h"

#include <algorithm>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/error.h"
#include "tests/fuzz/allocations.h"

namespace threefold::test {
namespace {

constexpr FuzzTarget kTargets[] = {
    {"png", fuzzPng, kBaseBytesOfPictures},
    {"jpeg", fuzzJpeg, kBaseBytesOfPictures},
    {"webp", fuzzWebp, kBaseBytesOfPictures},
    {"exif", fuzzExif},
    {"heic_boxes", fuzzHeicBoxes},
    {"pickle", fuzzPickle},
    {"truth", fuzzTruth},
    {"template", fuzzTemplate},
    {"npy", fuzzNpy},
    {"npz", fuzzNpz},
    {"safetensors", fuzzSafetensors},
    {"obj", fuzzObj},
    {"ply", fuzzPly},
    {"stl", fuzzStl},
    {"glb", fuzzGlb},
    {"xyz", fuzzXyz},
    {"off", fuzzOff},
    {"mtl", fuzzMtl},
    {"obj_surface", fuzzObjSurface},
    {"textured_glb", fuzzTexturedGlb},
    {"metadata", fuzzMetadata},
    {"list", fuzzTestList},
    {"npy_header", fuzzNpyHeader},
    {"npz_headers", fuzzNpzHeaders},
    {"image_size", fuzzImageSize},
    {"bundle_index", fuzzBundleIndex},
    {"bundle", fuzzBundle},
    {"torch", fuzzTorch},
    {"torch_pickle", fuzzTorchPickle},
    {"cameras", fuzzCameras},
    {"colmap", fuzzColmap},
    {"colmap_binary", fuzzColmapBinary},
    {"camera_arrays", fuzzCameraArrays},
    {"metashape", fuzzMetashape},
    {"mvsnet", fuzzMvsnet},
    {"middlebury", fuzzMiddlebury},
    {"llff", fuzzLlff},
    {"bundler", fuzzBundler},
    {"numbers", fuzzNumbers},
    {"journal", fuzzJournal},
};

/// Processor time of this thread, which other work on the machine does not change.
double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void checkWords(const Error& error) {
    const ErrorReport& report = error.report();
    if (report.subject.empty() || report.problem.empty() || report.remedy.empty())
        throw std::runtime_error(fmt::format("an error that explains nothing: {}", error.what()));
    constexpr std::size_t kMaxErrorBytes = 2000;
    const std::size_t bytes = std::string_view(error.what()).size();
    if (bytes > kMaxErrorBytes)
        throw std::runtime_error(
            fmt::format("an error of {} bytes, more than {}", bytes, kMaxErrorBytes));
}

}  // namespace

std::span<const FuzzTarget> fuzzTargets() {
    return kTargets;
}

const FuzzTarget& fuzzTarget(std::string_view name) {
    const auto* found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                     [&](const FuzzTarget& target) { return target.name == name; });
    if (found == std::end(kTargets)) throw std::logic_error(fmt::format("no target '{}'", name));
    return *found;
}

void runWithinBudget(const FuzzTarget& target, FuzzBytes bytes) {
    const Allocations allocations;
    const double begun = processorSeconds();
    try {
        target.read(bytes);
    } catch (const Error& error) {
        checkWords(error);
    }
    const double taken = processorSeconds() - begun;
    const std::size_t memory = 16 * bytes.size() + target.baseBytes;
    if (allocations.peak() > memory)
        throw std::runtime_error(fmt::format("{}: {} bytes from the heap for an input of {}",
                                             target.name, allocations.peak(), bytes.size()));
    constexpr double kSlack = 10;
    const double time = kSlack * (1 + static_cast<double>(bytes.size()) * 1e-6);
    if (taken > time)
        throw std::runtime_error(
            fmt::format("{}: {:.1f} s for an input of {} bytes", target.name, taken, bytes.size()));
}

}  // namespace threefold::test
