#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "engine/evaluation/evaluation_run.h"
#include "engine/sample_steps/fitted_reconstruction.h"

namespace threefold {

/// Names of a run's files: of the scripts before Threefold (METHOD.md §10), and our own.
inline constexpr const char* kMetricsCsvName = "metrics_results.csv";
inline constexpr const char* kMetricsSummaryName = "metrics_summary.txt";
inline constexpr const char* kTimingsName = "combined_timings.txt";
inline constexpr const char* kReportJsonName = "report.json";
inline constexpr const char* kReportHtmlName = "report.html";
/// Files that writeReports() writes.
inline constexpr std::array kReportNames = {kMetricsCsvName, kMetricsSummaryName, kTimingsName,
                                            kReportJsonName, kReportHtmlName};

/// Folder of the samples' thumbnails: makeThumbnail().
inline constexpr const char* kThumbnailFolder = "thumbnails";

/// Schema version of report.json: increased when a field changes its meaning or is removed.
inline constexpr int kReportSchemaVersion = 2;

/// Keys whose values may differ between runs with equal results (times, machine, dates), at any
/// depth of report.json and of the JSON block `id="data"` of report.html. Also volatile: columns of
/// metrics_results.csv with names that end in "_ms", and all of combined_timings.txt; nothing of
/// metrics_summary.txt.
inline constexpr std::string_view kVolatileKeys[] = {"begun",  "seconds", "machines",
                                                     "timing", "times",   "backend_description"};
inline constexpr std::string_view kVolatileColumnEnding = "_ms";

/// Samples whose meshes report.html holds.
enum class EmbeddedMeshes {
    shown,  ///< those of shownLists()
    all,    ///< at most kMaxEmbedded: those of shownLists(), then by position
};
inline constexpr std::size_t kMaxEmbedded = 1000;

struct ReportOptions {
    std::filesystem::path imageRoot = {};  ///< as in ListRunOptions
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;
    /// Folder of each record's meshes; empty: the report's.
    std::span<const std::filesystem::path> meshFolders = {};
};

/// Writes the five files into `folder`, each atomically. Except for times, machine and dates
/// (kVolatileKeys), the bytes depend only on the records, and report.html on the meshes that it
/// shows. Reads thumbnails of shownRecords() from thumbnailFile(); missing ones are left out.
/// Throws IoError.
///
/// - metrics_results.csv: a line per record; METHOD.md §10 lists the columns.
/// - metrics_summary.txt: readable tables with units and protocols.
/// - combined_timings.txt: times of the network, of other steps and of stages; machines.
/// - report.json: all results (METHOD.md §10).
/// - report.html: one self-contained page. Turns the meshes of the `embedded` samples, as far as
///   they are in the mesh folders, beside the truths and photographs that the list's lines, with
///   `imageRoot`, lead to. An evaluation writes no coarse meshes: only the pictures show them.
void writeReports(const EvaluationRun& run, const std::filesystem::path& folder,
                  const ReportOptions& options = {});

/// Text between a sample's name and the extension in the name of a mesh's file (METHOD.md §10).
inline constexpr const char* kPredictionSuffix = "_predict";
inline constexpr const char* kFittedSuffix = "_fitted";

/// Paths of all meshes that a run can write for a sample: `folder`/{name}_predict.obj and .xyz, and
/// {name}_fitted.obj.
std::vector<std::filesystem::path> possibleMeshFiles(const std::filesystem::path& folder,
                                                     const std::string& name);

/// Paths of a sample's meshes: possibleMeshFiles(), the last only for a fitted and measured sample.
std::vector<std::filesystem::path> meshFilesOf(const std::filesystem::path& folder,
                                               const SampleRecord& record);

/// Whether each of meshFilesOf() is there, with the content that the record holds of it. Reads the
/// files. False for a record of a run that wrote no meshes, and for a file that cannot be read.
bool hasItsMeshes(const std::filesystem::path& folder, const SampleRecord& record);

/// Those of meshFilesOf() that are there, but with other content than the record holds of them:
/// files of another program, or changed since. Reads the files.
std::vector<std::filesystem::path> otherMeshesOf(const std::filesystem::path& folder,
                                                 const SampleRecord& record);

/// Writes a sample's result, and its fitted mesh, if any. Returns the content of the files, for
/// SampleRecord::meshes. Throws as writeMesh() does.
std::vector<WrittenFile> writeMeshes(const std::filesystem::path& folder, const std::string& name,
                                     const FittedReconstruction& reconstruction);

/// Files of a run in its folder: all, or all but meshes, which only an evaluation writes.
enum class RunFiles { all, withoutMeshes };

/// Removes a run's meshes (of finished samples), thumbnails and reports, and nothing else.
void removeFilesOf(const std::filesystem::path& folder, const std::vector<SampleRecord>& records,
                   RunFiles files = RunFiles::all);

/// Removes the thumbnails that the run's page does not show.
void removeUnshownThumbnails(const std::filesystem::path& folder,
                             const std::vector<SampleRecord>& records);

}  // namespace threefold
