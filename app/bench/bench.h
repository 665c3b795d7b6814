#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/console/exit_code.h"
#include "app/options/model_options.h"

namespace threefold {

/// Row of a benchmark's table, with the JSON object of that row.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann::json's move is declared noexcept
struct BenchRow {
    enum class Align { left, right };

    struct Cell {
        std::string header;  ///< header of the column; the first row names all columns
        std::string text;
        Align align;
    };

    void addLabel(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), Align::left});
    }
    void addNumber(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), Align::right});
    }

    std::vector<Cell> cells;
    nlohmann::ordered_json json;
};

/// Output of a benchmark, as text and as JSON.
// NOLINTNEXTLINE(bugprone-exception-escape): for the reason given at BenchRow
struct BenchReport {
    std::string heading;                     ///< lines above the table
    std::string remarks;                     ///< lines below the table
    nlohmann::ordered_json jsonHeader = {};  ///< JSON entries before the rows
    nlohmann::ordered_json jsonFooter = {};  ///< JSON entries after the rows
    std::string rowsKey;                     ///< JSON key of the rows
    std::string totalKey = {};  ///< JSON key of the last row, a total; empty: all rows are alike
    std::vector<BenchRow> rows = {};  ///< all with the same columns
    ExitCode exitCode = ExitCode::done;
};

/// Called after each added row with the report so far, whose heading and `jsonHeader` are complete.
/// The callee prints the row immediately, since a time limit may end the process.
using BenchProgress = std::function<void(const BenchReport&)>;

/// One benchmark, `threefold bench NAME`. Each has a source file that defines the Bench, and a line
/// in benches.inl.
struct Bench {
    using Run = std::function<BenchReport(const std::stop_token&, const BenchProgress&)>;

    const char* name;
    const char* help;
    const char* examples;
    bool usesModel;  ///< whether it takes --model, --backend, …
    /// Adds the benchmark's own options; returns the function to call after parsing. Use
    /// prepared<>() below. `model` must outlive the result.
    Run (*prepare)(CLI::App& command, const ModelOptions& model);
};

/// Implements Bench::prepare: `add` declares the options, `run` runs the benchmark with their
/// values.
template <class Options, void (*add)(CLI::App&, Options&), auto run>
Bench::Run prepared(CLI::App& command, const ModelOptions& model) {
    const auto options = std::make_shared<Options>();
    add(command, *options);
    return [options, &model](const std::stop_token& cancel, const BenchProgress& progress) {
        return run(*options, model, cancel, progress);
    };
}

/// Adds --runs and --warmup; the current values become the defaults.
void addRunOptions(CLI::App& command, int& runs, int& warmup);

/// Prints the report as a table or as one JSON document. Throws as printText() does.
void print(const BenchReport& report, bool json);

/// Incremental text of a report: a table under its heading, or JSON lines (`jsonHeader`, each row,
/// at the end `jsonFooter`).
class BenchWriter {
  public:
    explicit BenchWriter(bool jsonLines) : jsonLines_(jsonLines) {}

    /// Returns the text of rows added since the last call; `complete`: also the text after the
    /// rows.
    std::string append(const BenchReport& report, bool complete);

  private:
    bool jsonLines_;
    bool begun_ = false;
    std::size_t rows_ = 0;  ///< rows already returned
};

}  // namespace threefold
