#include "engine/evaluation/run_files.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <system_error>

#include "engine/evaluation/thumbnail.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::array kReportNames = {kMetricsCsvName, kMetricsSummaryName, kTimingsName,
                                     kReportJsonName, kReportHtmlName};

void removeFile(const fs::path& file) {
    std::error_code gone;
    fs::remove(file, gone);
}

/// Names come from a file that somebody may have changed.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.find('/') == std::string_view::npos;
}

}  // namespace

std::vector<fs::path> meshFilesOf(const fs::path& folder, std::string_view name) {
    const std::string base = std::string(name) + "_predict";
    return {folder / (base + ".obj"), folder / (base + ".xyz")};
}

void removeFilesOf(const fs::path& folder, const std::vector<SampleRecord>& records) {
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        for (const fs::path& file : meshFilesOf(folder, record.name)) removeFile(file);
        removeFile(thumbnailFile(folder, record.name));
    }
    for (const char* name : kReportNames) removeFile(folder / name);
    removeFile(folder / kThumbnailFolder);  // where it is empty
}

void removeUnshownThumbnails(const fs::path& folder, const std::vector<SampleRecord>& records) {
    std::set<fs::path> shown;
    for (const std::size_t i : worstRecords(records)) {
        shown.insert(thumbnailFile(folder, records[i].name));
    }
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        const fs::path file = thumbnailFile(folder, record.name);
        if (!shown.contains(file)) removeFile(file);
    }
}

}  // namespace threefold
