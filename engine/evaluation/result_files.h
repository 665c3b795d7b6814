#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/evaluation/record.h"

namespace threefold {

/// A run and its finished samples.
struct EvaluationRun {
    RunDescription about;
    std::vector<SampleRecord> records;  ///< sorted by position; all that the shards cover
};

/// Names of a run's files: those of the scripts before Threefold (METHOD.md §10), and ours.
inline constexpr const char* kMetricsCsvName = "metrics_results.csv";
inline constexpr const char* kMetricsSummaryName = "metrics_summary.txt";
inline constexpr const char* kTimingsName = "combined_timings.txt";
inline constexpr const char* kReportJsonName = "report.json";
inline constexpr const char* kReportHtmlName = "report.html";

/// The folder of samples' pictures: input, coarse and refined side by side.
inline constexpr const char* kThumbnailFolder = "thumbnails";

/// Number of samples that the report shows with pictures: those with the largest refined Chamfer
/// distance under the first protocol, then those without a truth whose refined silhouettes overlap
/// least. Ties: earlier positions first.
inline constexpr std::size_t kWorstShown = 10;

/// Indices into `records`, worst first.
std::vector<std::size_t> worstRecords(const std::vector<SampleRecord>& records,
                                      std::size_t count = kWorstShown);

/// Schema version of report.json: raised when a field changes its meaning or is removed.
inline constexpr int kReportSchemaVersion = 1;

/// All that may differ between two runs of the same records: times, machine, dates. In report.json,
/// and in the JSON block `id="data"` of report.html, the values of these keys at any depth; in
/// metrics_results.csv the columns whose names end in "_ms"; all of combined_timings.txt; nothing
/// of metrics_summary.txt.
inline constexpr std::string_view kTimeKeys[] = {"begun",  "seconds", "machines",
                                                 "timing", "times",   "backend_description"};
inline constexpr std::string_view kTimeColumnEnd = "_ms";

/// Writes the five files into `folder`, each whole or not at all. Everything but times, machine and
/// dates (kTimeKeys) depends on the records alone: the same records give the same bytes. Thumbnails
/// are read from thumbnailFile() of each of worstRecords(), by its name; one that is missing leaves
/// its place empty. Throws IoError.
///
/// - metrics_results.csv: a line for each record. First the older scripts' columns, `sample_id`,
/// `time_ms`
///   (the network alone), `CD`, `F1@τ`, `F1@2τ` (UTF-8, as the seed spells them; it has no other
///   names), which are the refined mesh's under the published protocol, and empty where that was
///   not run. Ours after: `position`, `category`, `status`, `error`, `truth`, times, then for each
///   protocol its points, `published_regressed` and `published_coarse_chamfer`, …, by
///   truthMeasures(); last the silhouettes, which are means over the views that have one (empty
///   where none has): `silhouette_views`, `silhouette_regressed`, `silhouette_coarse_overlap`, …,
///   by silhouetteMeasures(). `status` is done, failed, or "without truth". Quoted as in RFC 4180,
///   lines end in \n, numbers give the same double again.
/// - metrics_summary.txt: tables to read, each with its unit and protocol.
/// - combined_timings.txt: the network's time alone, the other parts, stages, machines.
/// - report.json: all of it. `schema` "threefold-report", `schema_version`, `run`, `measures` and
///   `silhouette_measures` (keys and units), `all` and `categories` (statistics), `failures`,
///   `timing`, `worst`, `samples`, each with its `silhouettes` as silhouettesJson() has them.
/// - report.html: one page that needs nothing else, not even a network.
void writeReports(const EvaluationRun& run, const std::filesystem::path& folder);

/// Where the meshes of a sample go (METHOD.md §10): `folder`/{name}_predict.obj, .xyz, and where it
/// was fitted and measured {name}_fitted.obj.
std::vector<std::filesystem::path> meshFilesOf(const std::filesystem::path& folder,
                                               const SampleRecord& record);

/// Writes a sample's meshes, the fitted one if there is one. Throws as writeMesh().
void writeMeshes(const std::filesystem::path& folder, const std::string& name,
                 const Reconstruction& made);

/// Makes a folder and its missing parents. Throws IoError.
void makeFolder(const std::filesystem::path& folder);

/// Removes the meshes, thumbnails and reports of a run, and nothing else.
void removeFilesOf(const std::filesystem::path& folder, const std::vector<SampleRecord>& records);

/// Removes the thumbnails that the run's page does not show.
void removeUnshownThumbnails(const std::filesystem::path& folder,
                             const std::vector<SampleRecord>& records);

}  // namespace threefold
