#include "app/describe/describers.h"

#include <array>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

using Describer = Description (*)(const std::filesystem::path&, const InspectOptions&);

/// For files, a folder being a sample. Those whose files are known by a name or a signature come
/// before those that have to try.
constexpr std::array<Describer, 10> kDescribers = {
    describeTestList, describeCameras, describeMetadata,    describeImage, describeMesh,
    describeNpz,      describeNpy,     describeSafetensors, describeTorch, describePickle};

}  // namespace

Description describeFile(const std::filesystem::path& file, const InspectOptions& options) {
    // Before all others: it may be a folder, or a name that is no file's.
    try {
        return describeTensorBundle(file, options);
    } catch (const NotThisFormat&) {
    }
    std::error_code failure;
    const bool exists = std::filesystem::exists(file, failure);
    if (failure == std::errc::too_many_symbolic_link_levels) {
        throw IoError({file.string(), "", "is a link in a loop of links, there is no file behind",
                       "Name the file itself, or make the link anew."});
    }
    if (!exists) {
        throw IoError({file.string(), "", "there is no such file or folder",
                       "Check the path, or list the folder it should be in."});
    }
    if (std::filesystem::is_directory(file, failure)) return describeSample(file, options);
    for (const Describer describe : kDescribers) {
        try {
            return describe(file, options);
        } catch (const NotThisFormat&) {
            continue;
        }
    }
    throw NotThisFormat(
        {file.string(), "", "none of the formats that Threefold reads",
         "It reads samples, rendering_metadata.txt, transforms.json, cameras.json, PNG, JPEG, OBJ, "
         "PLY, STL, GLB, glTF, XYZ, "
         "npz, npy, safetensors, PyTorch archives, TensorFlow checkpoints, test lists and pickles "
         "of data."});
}

bool wantsRanges(const InspectOptions& options, std::size_t bytes, Description& description) {
    if (options.ranges != Ranges::small) return options.ranges == Ranges::all;
    if (bytes <= kSmallContent) return true;
    constexpr std::size_t kMegabyte = 1'000'000;
    description.facts.emplace_back(
        "ranges", fmt::format("left out, there are {} MB of values; --ranges looks at them all",
                              bytes / kMegabyte));
    return false;
}

}  // namespace threefold
