#pragma once

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Names of a run's files: some from the scripts before Threefold (METHOD.md §10), the others
/// Threefold's own.
inline constexpr const char* kMetricsCsvName = "metrics_results.csv";
inline constexpr const char* kMetricsSummaryName = "metrics_summary.txt";
inline constexpr const char* kTimingsName = "combined_timings.txt";
inline constexpr const char* kReportJsonName = "report.json";
inline constexpr const char* kReportHtmlName = "report.html";
/// Files that writeReports() writes.
inline constexpr std::array kReportNames = {kMetricsCsvName, kMetricsSummaryName, kTimingsName,
                                            kReportJsonName, kReportHtmlName};

/// Folder of the samples' thumbnails.
inline constexpr const char* kThumbnailFolder = "thumbnails";

/// Path of a sample's thumbnail: `folder`/thumbnails/NAME.png. Characters that are unsafe in a file
/// name ('/', NUL, a leading '.') become '_'.
std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name);

/// Files of a run in its folder: all, or all but meshes, which only an evaluation writes.
enum class RunFiles { all, withoutMeshes };

/// Removes a run's thumbnails and reports and, with RunFiles::all, the meshes of samples that are
/// done. Removes nothing else.
void removeRunFiles(const std::filesystem::path& folder, const std::vector<SampleRecord>& records,
                    RunFiles files = RunFiles::all);

/// Removes the thumbnails of samples that report.html does not show.
void removeUnshownThumbnails(const std::filesystem::path& folder,
                             const std::vector<SampleRecord>& records);

}  // namespace threefold
