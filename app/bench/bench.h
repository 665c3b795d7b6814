#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/console/output.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "engine/network/gpu_bench.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Row of a benchmark's table, and object of its JSON document.
// NOLINTNEXTLINE(bugprone-exception-escape): the JSON type declares its move noexcept itself
struct BenchRow {
    struct Cell {
        std::string header;  ///< header of the column; the first row names all columns
        std::string text;
        char align;  ///< 'l' or 'r'
    };

    void addLabel(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), 'l'});
    }
    void addNumber(std::string header, std::string text) {
        cells.push_back({std::move(header), std::move(text), 'r'});
    }

    std::vector<Cell> cells;
    nlohmann::ordered_json json;
};

/// Output of a benchmark, as text and as JSON.
// NOLINTNEXTLINE(bugprone-exception-escape): as above
struct BenchReport {
    std::string heading;                 ///< lines above the table
    std::string remarks;                 ///< lines below it
    nlohmann::ordered_json before = {};  ///< JSON entries before the rows
    nlohmann::ordered_json after = {};   ///< JSON entries after the rows
    std::string rowsKey;                 ///< JSON key of the rows
    std::string totalKey = {};           ///< if not empty, the last row goes under this key instead
    std::vector<BenchRow> rows = {};     ///< all with the same columns
    ExitCode exitCode = ExitCode::done;
};

/// Called after each added row with the report so far, which is printed at once, so that a time
/// limit loses nothing. Heading and `before` are complete.
using BenchProgress = std::function<void(const BenchReport&)>;

/// One benchmark, `threefold bench NAME`: a file that defines it and a line in benches.inl.
struct Bench {
    using Run = std::function<BenchReport(const std::stop_token&, const BenchProgress&)>;

    const char* name;
    const char* help;
    const char* examples;
    bool usesModel;  ///< takes --model, --backend, …
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

/// Prints the report as a table or as one JSON document. Throws as printText().
void print(const BenchReport& report, bool json);

/// Incremental text of a report: a table under its heading, or JSON lines (`before`, each row, at
/// the end `after`).
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

/// Finds the named sample; an empty name means the first bundled sample. Throws InputError,
/// IoError.
Sample chosenSample(const std::string& name);

/// Adds a benchmark's option --samples.
void addSamplesOption(CLI::App& command, std::filesystem::path& folder);
/// Samples of `folder`; an empty path means the bundled samples. Throws InputError if there are
/// none, and as bundledSamples() and listSamples().
std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& folder,
                                                const char* remedy = "Name a data set's folder.");

/// A report that begins with release, backend, precision, model and device; on a GPU also with the
/// driver and NVIDIA's libraries.
BenchReport reportOn(const OpenedNetwork& opened, std::string rowsKey);

/// A GPU's entry of a benchmark's JSON; a line with its driver and NVIDIA's libraries.
nlohmann::ordered_json gpuJson(const GpuDescription& gpu);
std::string gpuText(const GpuDescription& gpu);

/// Measures the device's peak rates; nullopt on the processor. Throws DeviceError.
std::optional<GpuCeilings> measurePeakRates(const OpenedNetwork& opened,
                                            const ModelOptions& options, Precision precision);

/// Appends "TFLOP/s" and "GB/s", each followed by its fraction of the ceiling; empty for a rate of
/// 0.
void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuCeilings& ceilings, int digits);

/// Appends peak rates, as "ceilings", to a benchmark's JSON if known.
void addPeakRates(nlohmann::ordered_json& json, const std::optional<GpuCeilings>& ceilings);

/// "70 %"
std::string percentText(double fraction);

/// Rates in 10^12 operations and 10^9 bytes a second; 0 where no time was measured.
double teraflops(double flop, double milliseconds);
double gigabytesPerSecond(double bytes, double milliseconds);

}  // namespace threefold
