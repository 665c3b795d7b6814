#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold {

/// Keys whose values may differ between runs with equal results (times, machine, dates), at any
/// depth of report.json and of the JSON block `id="data"` of report.html. Also volatile: columns of
/// metrics_results.csv with names that end in "_ms", and all of combined_timings.txt; nothing of
/// metrics_summary.txt.
inline constexpr std::string_view kVolatileKeys[] = {"begun",  "seconds", "machines",
                                                     "timing", "times",   "backend_description"};
inline constexpr std::string_view kVolatileColumnEnding = "_ms";

/// Samples whose meshes report.html holds.
enum class EmbeddedMeshes {
    shown,  ///< the samples of shownLists()
    all,    ///< the samples of shownLists(), then others by position; at most kMaxEmbedded
};
inline constexpr std::size_t kMaxEmbedded = 1000;

/// Options of writeReports().
struct ReportOptions {
    std::filesystem::path imageRoot = {};  ///< see sampleOfRecord()
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;
    /// Folder of each record's meshes; empty: the report's.
    std::span<const std::filesystem::path> meshFolders = {};
};

/// Writes the five files into `folder`, each atomically. Except for times, machine and dates
/// (kVolatileKeys), the bytes depend only on the records; report.html also depends on the meshes
/// and pictures that it shows. Reads thumbnails of shownRecords() from thumbnailFile(); missing
/// ones are left out. Throws IoError.
///
/// - metrics_results.csv: a line per record; METHOD.md §10 lists the columns.
/// - metrics_summary.txt: readable tables with units and protocols.
/// - combined_timings.txt: times of the network, of other steps and of stages; machines.
/// - report.json: all results (METHOD.md §10).
/// - report.html: one self-contained page. Its user can turn the meshes of the `embedded` samples
///   that are in the mesh folders, beside their truths and photographs, which are found by the
///   list's lines and `imageRoot`. An evaluation writes no coarse meshes, so only the thumbnails
///   show coarse meshes.
void writeReports(const EvaluationRun& run, const std::filesystem::path& folder,
                  const ReportOptions& options = {});

}  // namespace threefold
