#include "app/inspect/describers.h"

#include <array>
#include <system_error>

#include "engine/error.h"

namespace threefold {
namespace {

using Describer = Description (*)(const std::filesystem::path&, const InspectOptions&);

/// For files, a folder being a sample. Those whose files are known by a name or a signature come
/// before those that have to try.
constexpr std::array<Describer, 7> kDescribers = {
    describeMetadata, describeImage,       describeMesh,  describeNpz,
    describeNpy,      describeSafetensors, describePickle};

}  // namespace

Description describeFile(const std::filesystem::path& file, const InspectOptions& options) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) {
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
         "It reads samples, rendering_metadata.txt, PNG, JPEG, OBJ, PLY, STL, GLB, XYZ, "
         "npz, npy, safetensors and pickles of data."});
}

}  // namespace threefold
