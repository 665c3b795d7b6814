#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/evaluation/result_files.h"
#include "engine/evaluation/statistics.h"
#include "engine/mesh.h"
#include "engine/metrics/measure_table.h"

/// Two runs over the same samples, side by side: what `threefold compare` prints. Statistics are
/// over the samples that both have done, paired by name; of meshes that were fitted where there are
/// such, else of the refined ones.
namespace threefold {

/// A run, whoever made it: a folder that `eval` wrote, one that runs now, another program's meshes.
struct ComparedRun {
    std::string name;   ///< as given: "out/last", "cpu:bfloat16"
    EvaluationRun run;  ///< of another program's meshes, one mesh a sample; no times
    /// The mesh of a sample; without vertices where there is none. May be empty. Any thread.
    std::function<Mesh(const SampleRecord& record)> mesh;
};

/// A sample's mesh in a folder: NAME_fitted.*, NAME_predict.* or NAME.*, in any format that is
/// read; without vertices where there is none. Throws as readMesh().
Mesh meshOf(const std::filesystem::path& folder, const std::string& name);

/// A run that `eval` wrote, named as its folder is; its meshes are read when they are asked for.
/// Throws what readJournal() throws.
ComparedRun readRun(const std::filesystem::path& folder);

/// One number of every sample in both runs.
struct PairedColumn {
    Statistics first;
    Statistics second;
    Statistics difference;  ///< second − first, sample by sample
    /// Pearson's; none where one of them is the same for all samples, unless both are equal: 1.
    std::optional<double> correlation;
    std::size_t within = 0;  ///< samples whose numbers differ by at most 1 % of the first's
};

struct ComparedMeasure {
    const Measure* measure = nullptr;
    PairedColumn column;
};

/// How many times as fast the second run is: the geometric mean of the samples' ratios, with the
/// 95 % interval of statisticsOf().
struct SpeedUp {
    std::string key;    ///< "network", "cnn1"
    std::string title;  ///< a few words
    Statistics first;   ///< milliseconds
    Statistics second;
    double ratio = 1;
    double low = 1;
    double high = 1;
};

/// Times of one run's compared samples, in milliseconds; none unless every one of them was timed.
struct RunTimes {
    std::optional<Statistics> network;  ///< both stages alone, RecordTimes::network
    std::optional<Statistics> total;    ///< preprocessing and network: from pixels to mesh
};

/// Distances between the meshes of the two runs, over all vertices of all samples, in
/// object units: vertex by vertex where a sample's meshes have as many, else from each vertex of
/// either to the nearest of the other.
struct MeshDistances {
    std::size_t samples = 0;
    std::size_t vertexByVertex = 0;  ///< of these samples
    double mean = 0;
    double p995 = 0;  ///< 99.5 % are at most as far apart (nearest rank)
    double largest = 0;
};

/// A sample in both runs.
struct SamplePair {
    std::size_t first = 0;  ///< index of its record
    std::size_t second = 0;
    std::optional<std::pair<double, double>> f = {};  ///< F(τ) in both, %
    std::optional<double> distance = {};              ///< largest between its two meshes

    double change() const { return f ? f->second - f->first : 0; }
};

struct ComparedGroup {
    std::string category;  ///< empty: all
    std::string name;      ///< "airplane"; "all"
    std::size_t samples = 0;
    std::vector<ComparedMeasure> measures;  ///< in the order of the table

    /// Null where it was not measured in both.
    const PairedColumn* column(std::string_view key) const;
};

struct Comparison {
    Protocol protocol = Protocol::published;
    std::size_t missing = 0;        ///< samples that only the first has done
    std::vector<SamplePair> pairs;  ///< those that differ most first: by F(τ), then the distance
    ComparedGroup all;
    std::vector<ComparedGroup> categories;
    std::vector<SpeedUp> times;  ///< of the network, then its stages; none without times of both
    RunTimes firstTimes;         ///< of the first run alone
    RunTimes secondTimes;
    std::optional<MeshDistances> meshes;
    /// In what else the runs differ, a sentence each: identities, truths, machines, samples.
    std::vector<std::string> remarks;

    /// Least correlation of Chamfer distance and F(τ), in percent.
    std::optional<double> agreement() const;
};

/// Throws InputError without scores under the protocol or common samples; what `mesh` throws.
Comparison compareRuns(const ComparedRun& first, const ComparedRun& second,
                       Protocol protocol = Protocol::published);

/// A table of a comparison as text and page show it; the first row names the columns.
struct ComparisonTable {
    std::string title;    ///< may be empty
    std::string columns;  ///< as Table has them
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes;  ///< sentences below it
};

/// Summary; times by component, where there are such; measures; agreement; categories, where there
/// are several; samples that differ most.
std::vector<ComparisonTable> comparisonTables(const ComparedRun& first, const Comparison& made);

/// What comparisonTables() shows, with all digits and all samples, by these names: `a` and `b`
/// (with their own `network_ms` and `total_ms`), `times`, `all`, `categories`, `meshes`, `samples`;
/// statistics as in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& made);

/// Writes compare.html into `folder`, made if missing: one file with tables, scatter and histogram
/// of F(τ), and pictures of the samples that differ most; `made` are the comparisons of each
/// further run with the first. With `figures` > 0 also figures/NAME.png of as many samples, and
/// figures/sheet.svg of all of them with captions. Photographs and truths are shown where the
/// list's lines, with `imageRoot`, still lead to them. Returns the page. Throws IoError.
std::filesystem::path writeComparison(const std::filesystem::path& folder,
                                      const std::vector<ComparedRun>& runs,
                                      const std::vector<Comparison>& made, std::size_t figures,
                                      const std::filesystem::path& imageRoot);

}  // namespace threefold
