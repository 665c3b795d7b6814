#include "engine/evaluation/run/output_files.h"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/shown_lists.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void removeFile(const fs::path& file) {
    std::error_code gone;
    fs::remove(file, gone);
}

/// Whether a name, from a file that may have been edited, is safe as a file name.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.find('/') == std::string_view::npos;
}

}  // namespace

std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name) {
    std::string file(name);
    std::ranges::replace_if(
        file, [](char c) { return c == '/' || c == '\0'; }, '_');
    if (file.starts_with('.')) file.front() = '_';
    return folder / kThumbnailFolder / (file + ".png");
}

void removeRunFiles(const fs::path& folder, const std::vector<SampleRecord>& records,
                    RunFiles files) {
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        // A failed sample has no meshes of this run: such files belong to another program.
        if (files == RunFiles::all && record.succeeded())
            for (const fs::path& file : meshFilesOf(folder, record)) removeFile(file);
        removeFile(thumbnailFile(folder, record.name));
    }
    for (const char* name : kReportNames) removeFile(folder / name);
    removeFile(folder / kThumbnailFolder);  // only if empty
}

void removeUnshownThumbnails(const fs::path& folder, const std::vector<SampleRecord>& records) {
    std::set<fs::path> shown;
    for (const std::size_t i : shownRecords(records))
        shown.insert(thumbnailFile(folder, records[i].name));
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        const fs::path file = thumbnailFile(folder, record.name);
        if (!shown.contains(file)) removeFile(file);
    }
}

}  // namespace threefold
