#include "engine/evaluation/report/measures_csv.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/measures/measure_table.h"
#include "engine/sample_steps/fit_source.h"
#include "engine/text.h"

namespace threefold {
namespace {

/// A line of the CSV file. The same calls write either the column names or a record's cells.
class CsvLine {
  public:
    CsvLine(std::string& out, bool names) : out_(out), names_(names) {}
    CsvLine(const CsvLine&) = delete;
    ~CsvLine() { out_ += '\n'; }

    void add(std::string_view name, std::string_view text) {
        if (!first_) out_ += ',';
        first_ = false;
        out_ += csvField(names_ ? name : text);
    }

    void add(std::string_view name, std::size_t number) { add(name, fmt::format("{}", number)); }

    /// Writes the shortest decimal that reads back as the same number.
    void add(std::string_view name, std::optional<double> number) {
        add(name, number ? fmt::format("{}", *number) : "");
    }

    void add(std::string_view name, bool flag) { add(name, std::string_view(flag ? "1" : "0")); }

    /// Writes value(*source), or an empty cell if `source` is null.
    void add(std::string_view name, const auto& source, const auto& value) {
        if (source)
            add(name, value(*source));
        else
            add(name, std::string_view());
    }

  private:
    std::string& out_;
    const bool names_;
    bool first_ = true;
};

/// Writes the columns that the scripts before Threefold wrote: results of the published protocol
/// only.
void addPublishedColumns(CsvLine& line, const SampleRecord& record) {
    for (const auto& [name, key] :
         {std::pair{"CD", "chamfer"}, {"F1@τ", "f_tau"}, {"F1@2τ", "f_2tau"}})
        line.add(name, record.scoresUnder(Protocol::published),
                 [measured = key](const SampleScores& scores) {
                     return truthMeasure(measured).value(scores.result());
                 });
}

std::string_view statusOf(const SampleRecord& record) {
    if (!record.succeeded()) return "failed";
    return record.withoutTruth() ? "without truth" : "done";
}

void addTimes(CsvLine& line, const SampleRecord& record, std::span<const RunStep> steps) {
    const SampleTimes& times = record.times;
    for (const auto& [name, milliseconds] :
         {std::pair{"load_ms", times.load}, std::pair{"preprocess_ms", times.preprocess},
          std::pair{"metrics_ms", times.measure}, std::pair{"write_ms", times.write}})
        line.add(name, record.succeeded() ? std::optional(milliseconds) : std::nullopt);
    for (const RunStep step : steps) {
        if (!isNetworkStep(step)) continue;
        std::optional<double> milliseconds;
        for (const StepTiming& timing : times.steps)
            if (timing.step == step) milliseconds = timing.milliseconds;
        line.add(fmt::format("{}_ms", runStepName(step)), milliseconds);
    }
}

/// Columns of a file.
struct CsvColumns {
    const RunIdentity* run;
    std::vector<std::string> meshes;  ///< measuredMeshes() without kFittedMesh
    std::span<const RunStep> steps;   ///< run steps with times
    bool distances = false;           ///< whether any record has SampleRecord::distances
};

CsvColumns columnsOf(const EvaluationRun& run) {
    CsvColumns columns{&run.description.identity, networkMeshes(measuredMeshes(run.records)),
                       runStepsOf(kPublishedHypothesisBlocks)};
    for (const SampleRecord& record : run.records) {
        if (const auto timed = runStepsOf(record.times.steps); timed.size() > columns.steps.size())
            columns.steps = timed;
        columns.distances = columns.distances || !record.distances.empty();
    }
    return columns;
}

/// Writes each measure of each mesh; `values` may be null.
void addMeasures(CsvLine& line, std::string_view name, const std::vector<std::string>& meshes,
                 const auto* values, const auto& measures) {
    for (const std::string& mesh : meshes) {
        const auto* const value = values != nullptr ? values->find(mesh) : nullptr;
        for (const auto& measure : measures)
            line.add(
                fmt::format("{}_{}_{}", name, mesh, measure.key),
                value != nullptr ? std::optional<double>(measure.value(*value)) : std::nullopt);
    }
}

/// Writes the columns of the third stage, for runs that fit meshes.
void addFitted(CsvLine& line, const SampleRecord& record, const CsvColumns& columns) {
    const RunIdentity& run = *columns.run;
    line.add("fit_views", std::string_view(*run.fit));
    line.add("fit_ms", record.times.fit);
    line.add("fit_note", std::string_view(record.fitNote.value_or("")));
    for (const Protocol protocol : run.measures.protocols) {
        const SampleScores* const scores = record.scoresUnder(protocol);
        const Scores* const fitted = scores != nullptr ? scores->fitted() : nullptr;
        for (const TruthMeasure& measure : truthMeasures())
            line.add(fmt::format("{}_fitted_{}", protocolName(protocol), measure.key),
                     fitted != nullptr ? measure.value(*fitted) : std::nullopt);
    }
    const auto means = meansOf(record.silhouettes, kFittedMesh);
    for (const SilhouetteMeasure& measure : silhouetteMeasures())
        line.add(fmt::format("silhouette_fitted_{}", measure.key),
                 means ? measure.value(*means) : std::nullopt);
    if (columns.distances)
        addMeasures(line, "distance", {std::string(kFittedMesh)}, &record.distances,
                    surfaceMeasures());
    const FitRecord fit = record.fit.value_or(FitRecord{});
    line.add("fit_surface", fitSourceName(fit.source));
    line.add("depth_sure", fit.sureFraction);
    line.add("depth_ms", fit.depthMilliseconds);
}

void addLine(std::string& out, const SampleRecord& record, const CsvColumns& columns, bool names) {
    const RunIdentity& run = *columns.run;
    const std::vector<Protocol>& protocols = run.measures.protocols;
    CsvLine line(out, names);
    line.add("sample_id", std::string_view(displayName(record)));
    line.add("time_ms", record.succeeded() ? std::optional(record.times.network) : std::nullopt);
    addPublishedColumns(line, record);
    line.add("position", record.position);
    line.add("category", std::string_view(record.category));
    line.add("status", statusOf(record));
    line.add("error", std::string_view(record.error));
    line.add("truth", std::string_view(record.truth));
    addTimes(line, record, columns.steps);
    for (const Protocol protocol : protocols) {
        const std::string_view name = protocolName(protocol);
        const SampleScores* const scores = record.scoresUnder(protocol);
        line.add(fmt::format("{}_prediction_points", name), scores,
                 [](const SampleScores& of) { return of.result().predictionPoints; });
        line.add(fmt::format("{}_truth_points", name), scores,
                 [](const SampleScores& of) { return of.result().truthPoints; });
        line.add(fmt::format("{}_regressed", name), scores,
                 [](const SampleScores& of) { return of.regressed(); });
        addMeasures(line, name, columns.meshes, scores, truthMeasures());
    }
    const MeansByMesh found = meansOf(record.silhouettes);
    const MeansByMesh* const means = found.empty() ? nullptr : &found;
    line.add("silhouette_views", means, [](const auto& of) { return of.result().viewCount; });
    line.add("silhouette_regressed", means, [](const auto& of) { return of.regressed(); });
    addMeasures(line, "silhouette", columns.meshes, means, silhouetteMeasures());
    if (columns.distances)
        addMeasures(line, "distance", columns.meshes, &record.distances, surfaceMeasures());
    if (run.fit) addFitted(line, record, columns);
}

}  // namespace

std::string measuresCsv(const EvaluationRun& run) {
    std::string out;
    const CsvColumns columns = columnsOf(run);
    addLine(out, {}, columns, true);
    for (const SampleRecord& record : run.records) addLine(out, record, columns, false);
    return out;
}

}  // namespace threefold
