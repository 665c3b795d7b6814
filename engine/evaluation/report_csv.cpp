#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/evaluation/report_texts.h"
#include "engine/evaluation/score_columns.h"

namespace threefold {
namespace {

/// RFC 4180: quoted where a comma, a quote or a line's end would be taken for the table's own.
class CsvLine {
  public:
    explicit CsvLine(std::string& out) : out_(out) {}
    CsvLine(const CsvLine&) = delete;
    CsvLine& operator=(const CsvLine&) = delete;
    ~CsvLine() { out_ += '\n'; }

    void add(std::string_view text) {
        separate();
        if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
            out_ += text;
            return;
        }
        out_ += '"';
        for (const char c : text) {
            if (c == '"') out_ += '"';
            out_ += c;
        }
        out_ += '"';
    }

    void add(std::size_t number) {
        separate();
        fmt::format_to(std::back_inserter(out_), "{}", number);
    }

    /// As few digits as give the same number again.
    void add(std::optional<double> number) {
        separate();
        if (number) fmt::format_to(std::back_inserter(out_), "{}", *number);
    }

    void add(bool flag) { add(std::string_view(flag ? "1" : "0")); }

    void skip(std::size_t cells) {
        for (std::size_t i = 0; i < cells; ++i) separate();
    }

  private:
    void separate() {
        if (!first_) out_ += ',';
        first_ = false;
    }

    std::string& out_;
    bool first_ = true;
};

constexpr std::string_view kSeedColumns[] = {"sample_id", "time_ms", "CD", "F1@τ", "F1@2τ"};
constexpr std::string_view kOwnColumns[] = {"position",      "category",   "status",
                                            "error",         "truth",      "load_ms",
                                            "preprocess_ms", "metrics_ms", "write_ms"};

constexpr std::string_view kSilhouetteCounts[] = {"silhouette_views", "silhouette_regressed"};

void addHeader(std::string& out, const std::vector<Protocol>& protocols) {
    CsvLine line(out);
    for (const std::string_view column : kSeedColumns) line.add(column);
    for (const std::string_view column : kOwnColumns) line.add(column);
    for (const Stage stage : kAllStages) {
        if (isNetworkStage(stage)) line.add(fmt::format("{}_ms", stageName(stage)));
    }
    for (const Protocol protocol : protocols) {
        const std::string_view name = protocolName(protocol);
        line.add(fmt::format("{}_prediction_points", name));
        line.add(fmt::format("{}_truth_points", name));
        line.add(fmt::format("{}_regressed", name));
        for (const std::string_view mesh : {"coarse", "refined"}) {
            for (const ScoreColumn& column : scoreColumns()) {
                line.add(fmt::format("{}_{}_{}", name, mesh, column.key));
            }
        }
    }
    for (const std::string_view column : kSilhouetteCounts) line.add(column);
    for (const std::string_view mesh : {"coarse", "refined"}) {
        for (const SilhouetteColumn& column : silhouetteColumns()) {
            line.add(fmt::format("silhouette_{}_{}", mesh, column.key));
        }
    }
}

/// The seed's columns are those of the published protocol: others are never put there.
const Scores* publishedScores(const SampleRecord& record, const std::vector<Protocol>& protocols) {
    for (std::size_t p = 0; p < record.scores.size() && p < protocols.size(); ++p) {
        if (protocols[p] == Protocol::published) return &record.scores[p].refined;
    }
    return nullptr;
}

void addScores(CsvLine& line, const ScorePair& pair) {
    line.add(pair.refined.predictionPoints);
    line.add(pair.refined.truthPoints);
    line.add(pair.regressed());
    for (const Scores* scores : {&pair.coarse, &pair.refined}) {
        for (const ScoreColumn& column : scoreColumns()) line.add(column.value(*scores));
    }
}

void addSilhouettes(CsvLine& line, const SampleRecord& record) {
    const std::optional<SilhouettePair> pair = meansOf(record.silhouettes);
    if (!pair) {
        line.skip(std::size(kSilhouetteCounts) + 2 * silhouetteColumns().size());
        return;
    }
    line.add(pair->refined.views);
    line.add(pair->regressed());
    for (const SilhouetteMeans* means : {&pair->coarse, &pair->refined}) {
        for (const SilhouetteColumn& column : silhouetteColumns()) line.add(column.value(*means));
    }
}

std::string_view statusOf(const SampleRecord& record) {
    if (!record.done()) return "failed";
    return record.withoutTruth() ? "without truth" : "done";
}

std::optional<double> stageTime(const RecordTimes& times, Stage stage) {
    for (const StageTiming& timing : times.stages) {
        if (timing.stage == stage) return timing.milliseconds;
    }
    return std::nullopt;
}

void addTimes(CsvLine& line, const SampleRecord& record) {
    const RecordTimes& times = record.times;
    for (const double part : {times.load, times.preprocess, times.metrics, times.write}) {
        line.add(record.done() ? std::optional(part) : std::nullopt);
    }
    for (const Stage stage : kAllStages) {
        if (isNetworkStage(stage)) line.add(stageTime(times, stage));
    }
}

void addRecord(std::string& out, const SampleRecord& record,
               const std::vector<Protocol>& protocols) {
    CsvLine line(out);
    line.add(shownName(record));
    line.add(record.done() ? std::optional(record.times.network) : std::nullopt);
    const Scores* seed = publishedScores(record, protocols);
    if (seed != nullptr && seed->measures.scores.size() == 4) {
        line.add(std::optional(seed->measures.chamfer));
        line.add(std::optional(seed->measures.atTau().f));
        line.add(std::optional(seed->measures.atTwoTau().f));
    } else {
        line.skip(3);
    }
    line.add(record.position);
    line.add(record.category);
    line.add(statusOf(record));
    line.add(record.error);
    line.add(record.truth);
    addTimes(line, record);
    for (std::size_t p = 0; p < protocols.size(); ++p) {
        if (p < record.scores.size()) {
            addScores(line, record.scores[p]);
        } else {
            line.skip(3 + 2 * scoreColumns().size());
        }
    }
    addSilhouettes(line, record);
}

}  // namespace

const std::string& shownName(const SampleRecord& record) {
    return record.name.empty() ? record.given : record.name;
}

std::string metricsCsv(const EvaluationRun& run) {
    std::string out;
    addHeader(out, run.about.identity.protocols);
    for (const SampleRecord& record : run.records) {
        addRecord(out, record, run.about.identity.protocols);
    }
    return out;
}

}  // namespace threefold
