#include "engine/evaluation/unrelated_files.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

bool holdsResults(const fs::path& folder, const ListRunOptions& options) {
    if (options.writeThumbnails && !tryListFolder(folder / kThumbnailFolder).empty()) return true;
    const std::vector<fs::path> endings = possibleMeshFiles({}, "");
    return options.writeMeshes &&
           std::ranges::any_of(tryListFolder(folder), [&](const fs::path& file) {
               const std::string name = file.filename().string();
               return std::ranges::any_of(endings, [&](const fs::path& ending) {
                   return name.ends_with(ending.string());
               });
           });
}

/// Name that the sample's files begin with. Empty for an entry without a sample: the run writes no
/// file for such an entry.
std::string nameOf(const ListEntry& entry, const fs::path& imageRoot) {
    if (!entry.problem.empty()) return {};
    try {
        return afterRoundTrip(
            findSample({.location = entry.location, .imageRoot = imageRoot}).name());
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void refuseUnrelatedFiles(const EvaluationList& list, const Shard& shard, const fs::path& folder,
                          const ListRunOptions& options) {
    if (holdsJournal(folder) || !holdsResults(folder, options)) return;
    const fs::path& imageRoot = options.imageRoot.empty() ? list.imageRoot : options.imageRoot;
    for (const ListEntry& entry : entriesOf(list, shard)) {
        if (options.pipeline.cancel.stop_requested()) throw Cancelled();
        const std::string name = nameOf(entry, imageRoot);
        if (name.empty()) continue;
        std::vector<fs::path> files;
        if (options.writeThumbnails) files.push_back(thumbnailFile(folder, name));
        if (options.writeMeshes)
            std::ranges::copy(possibleMeshFiles(folder, name), std::back_inserter(files));
        for (const fs::path& file : files)
            if (pathExists(file))
                throw InputError({file.string(), "",
                                  "already exists and belongs to no run in this folder",
                                  "Choose another output folder (`output`), or replace the file "
                                  "(`overwrite`)."});
    }
}

}  // namespace threefold
