#include "engine/sample_rendering/sample_paths.h"

#include <fstream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& root, const SourceMesh& mesh) {
    return root / mesh.category / mesh.id;
}

fs::path truthOf(const fs::path& root, const SourceMesh& mesh, const char* extension) {
    return root / "gt" / fmt::format("{}_{}_00{}", mesh.category, mesh.id, extension);
}

}  // namespace

bool isRendered(const fs::path& root, const SourceMesh& mesh) {
    const fs::path folder = folderOf(root, mesh) / kRenderingFolder;
    const fs::path truth = truthOf(root, mesh, ".dat");
    if (!pathExists(folder / kMetadataName) || !pathExists(truth)) return false;
    const auto requireContent = [](const fs::path& file) {
        std::error_code missing;
        if (fs::file_size(file, missing) > 0 && !missing) return;
        throw InputError({file.string(), "",
                          missing ? "is missing, so that the sample is not whole"
                                  : "is empty, so that the sample is not whole",
                          "Make the sample again (`overwrite`)."});
    };
    requireContent(folder / kMetadataName);
    requireContent(truth);
    std::ifstream list(folder / kRenderingListName);
    for (std::string name; std::getline(list, name);) {
        if (name.ends_with('\r')) name.pop_back();
        if (!name.empty()) requireContent(folder / name);
    }
    return true;
}

bool isNewerThanSample(const fs::path& root, const SourceMesh& mesh) {
    std::error_code error;
    const auto changed = fs::last_write_time(mesh.file, error);
    if (error) return false;
    const auto written = fs::last_write_time(truthOf(root, mesh, ".dat"), error);
    return !error && changed > written;
}

SamplePaths samplePathsFor(const SourceMesh& mesh, const fs::path& root,
                           const RenderOptions& options) {
    SamplePaths sample{folderOf(root, mesh), truthOf(root, mesh, ".dat")};
    if (!pathExists(sample.folder)) return sample;
    if (!options.overwrite)
        throw InputError({sample.folder.string(), "", "exists already",
                          "Choose another folder (`output`), or replace it (`overwrite`)."});
    // The whole folder is deleted: it must not be the one with the meshes.
    if (!isFolder(sample.folder))
        throw InputError(
            {sample.folder.string(), "", "is not a folder", "Choose another folder (`output`)."});
    for (const fs::path& entry :
         listFolder(sample.folder, "Choose another folder (`output`), one that you may read.")) {
        if (entry.filename() == kRenderingFolder) continue;
        throw InputError(
            {sample.folder.string(), "",
             fmt::format("holds '{}', which does not belong to a sample and would be deleted",
                         entry.filename().string()),
             "Choose another folder (`output`), or move it away."});
    }
    return sample;
}

}  // namespace threefold
