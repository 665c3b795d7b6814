#include "engine/sample_rendering/sample_paths.h"

#include <algorithm>
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

/// Whether a file of a rendering folder is one that a sample has: camera rows, the list of images,
/// or an image NN.png.
bool isFileOfRendering(const fs::path& entry) {
    if (entry.filename() == kMetadataName || entry.filename() == kRenderingListName) return true;
    const std::string stem = entry.stem().string();
    return entry.extension() == ".png" && !stem.empty() &&
           std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
}

/// Throws InputError if `folder` is no folder, or holds an entry that is not one of a sample.
void requireNothingElse(const fs::path& folder, bool (*isOfSample)(const fs::path& entry)) {
    if (!isFolder(folder))
        throw InputError(
            {folder.string(), "", "is not a folder", "Choose another folder (`output`)."});
    for (const fs::path& entry :
         listFolder(folder, "Choose another folder (`output`), one that you may read.")) {
        if (isOfSample(entry)) continue;
        throw InputError(
            {folder.string(), "",
             fmt::format("holds '{}', which does not belong to a sample and would be deleted",
                         entry.filename().string()),
             "Choose another folder (`output`), or move it away."});
    }
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
    if (!options.overwrite) {
        for (const fs::path& path : {sample.folder, sample.truth, truthOf(root, mesh, ".ply")})
            if (pathExists(path))
                throw InputError(
                    {path.string(), "", "exists already",
                     "Choose another folder (`output`), or replace it (`overwrite`)."});
        return sample;
    }
    if (!pathExists(sample.folder)) return sample;
    // The whole folder is deleted: it must not be the one with the meshes.
    requireNothingElse(sample.folder,
                       [](const fs::path& entry) { return entry.filename() == kRenderingFolder; });
    const fs::path rendering = sample.folder / kRenderingFolder;
    if (pathExists(rendering)) requireNothingElse(rendering, isFileOfRendering);
    return sample;
}

}  // namespace threefold
