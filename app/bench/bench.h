#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/console/exit_code.h"
#include "app/options/model_options.h"
#include "engine/text_table.h"

namespace threefold {

/// The value below which `share` (0…1) of the values lie, interpolated between neighbours.
/// `values` must not be empty.
double quantile(std::vector<double> values, double share);

double median(const std::vector<double>& values);
double percentile95(const std::vector<double>& values);

/// One line of a benchmark's table, and one object of its JSON document.
// NOLINTNEXTLINE(bugprone-exception-escape): the JSON type declares its move noexcept itself
struct BenchRow {
    struct Cell {
        std::string header;  ///< of the column; the first row names them all
        std::string text;
        Table::Align align;
    };

    void label(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), Table::Align::left});
    }
    void number(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), Table::Align::right});
    }

    std::vector<Cell> cells;
    nlohmann::ordered_json json;
};

/// Everything that a benchmark prints.
// NOLINTNEXTLINE(bugprone-exception-escape): as above
struct BenchReport {
    std::string heading;                 ///< lines above the table
    std::string remarks;                 ///< lines below it
    nlohmann::ordered_json before = {};  ///< entries of the document before the rows
    nlohmann::ordered_json after = {};   ///< entries behind them
    std::string rowsKey;                 ///< what the document calls the rows
    std::string totalKey = {};           ///< not empty: the last row stands apart under this key
    std::vector<BenchRow> rows = {};     ///< all with the same columns
    ExitCode exitCode = ExitCode::done;
};

/// Called by a benchmark that adds its rows one by one, after each of them, with the report so far:
/// it is printed at once, so that a time limit loses nothing. Heading and `before` are complete.
using BenchProgress = std::function<void(const BenchReport&)>;

/// One benchmark: `threefold bench NAME`. A new one is a file that defines it and a line in
/// benches.inl.
struct Bench {
    using Run = std::function<BenchReport(const std::stop_token&, const BenchProgress&)>;

    const char* name;
    const char* help;
    const char* examples;
    bool usesModel;  ///< takes --model, --backend, …
    /// Adds the benchmark's own options. The result is called after parsing; `model` outlives it.
    Run (*prepare)(CLI::App& command, const ModelOptions& model);
};

/// --runs and --warmup, whose defaults are the values given.
void addRunOptions(CLI::App& command, int& runs, int& warmup);

/// As a table, or as one JSON document. Throws as printText().
void print(const BenchReport& report, bool json);

/// A report's text piece by piece: as a table under its heading, or as lines of JSON (`before`,
/// each row, and at the end `after`).
class BenchText {
  public:
    explicit BenchText(bool jsonLines) : jsonLines_(jsonLines) {}

    /// What was added since the last call. `complete`: and what follows the rows.
    std::string next(const BenchReport& report, bool complete);

  private:
    bool jsonLines_;
    bool begun_ = false;
    std::size_t rows_ = 0;  ///< that were given
};

}  // namespace threefold
