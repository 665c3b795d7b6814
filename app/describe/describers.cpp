#include "app/describe/describers.h"

#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

#define THREEFOLD_DESCRIBER(describe) describe,
constexpr decltype(&describeSample) kDescribers[] = {
#include "app/describe/describers.inl"
};
#undef THREEFOLD_DESCRIBER

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
        throw IoError({file.string(), "", "is a link in a loop of links",
                       "Name the file itself, or create the link again."});
    }
    if (!exists) {
        throw IoError({file.string(), "", "there is no such file or folder",
                       "Check the path, or list the folder it should be in."});
    }
    if (std::filesystem::is_directory(file, failure)) return describeSample(file, options);
    for (const auto describe : kDescribers) {
        try {
            return describe(file, options);
        } catch (const NotThisFormat&) {
            continue;
        }
    }
    throw NotThisFormat(
        {file.string(), "", "none of the formats that Threefold reads",
         fmt::format(
             "It reads samples, rendering_metadata.txt, transforms.json, cameras.json, PNG, "
             "JPEG, {}, npz, npy, safetensors, PyTorch archives, TensorFlow checkpoints, "
             "test lists and pickles of data.",
             meshFormatNames(", ", mesh_formats::notArrays))});
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
