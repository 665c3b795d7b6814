#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/bench/bench.h"
#include "engine/network/service/network_service.h"
#include "engine/order_statistics.h"
#include "engine/pipeline/pipeline.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// Measurement of one batch size.
struct ThroughputRow {
    int batch = 0;
    int runs = 0;                   ///< counted batches; 0: could not be run
    double medianMilliseconds = 0;  ///< of a batch
    double meshesPerSecond = 0;     ///< over the whole counted time
    std::string problem;            ///< why it could not be run; empty: no problem
};

struct ThroughputResult {
    std::vector<ThroughputRow> rows;
    /// Row with the most meshes a second; null if none could be run.
    const ThroughputRow* best() const;
};

struct ThroughputOptions {
    std::vector<int> batches;  ///< sizes to try, in this order
    double seconds = 2;        ///< counted time of each size, at least
    int warmup = 1;            ///< uncounted batches before that
    /// Batches begun before the first is collected; 0: the network's maximum.
    std::size_t pending = 0;
};

/// Batch sizes to measure: up to 64 on a device, else 1 and 2.
std::vector<int> defaultBatches(bool device);

/// Measures meshes a second from decoded views to meshes in main memory. Fills batches from the
/// inputs in turn. If the device runs out of memory, the sweep ends with a row that says so. Calls
/// `measured` with each row. Throws as Ticket::collect().
ThroughputResult measureThroughput(NetworkService& network, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel,
                                   const std::function<void(const ThroughputRow&)>& measured);

/// One run of `bench pipeline`.
struct PipelineRun {
    std::string name;           ///< of the mode, or "load alone", "network alone", "finish alone"
    bool isSingleStep = false;  ///< a single step of the mode `full`
    PipelineReport report;
    double settledMemoryMb = 0;  ///< ListRun::settledMemoryMb()
    double peakMemoryMb = 0;
    double processorMilliseconds = 0;  ///< of all threads of the process
    std::size_t cores = 1;             ///< available

    double samplesPerSecond() const { return perSecond(report.samples, report.wall); }
    double coresOccupancy() const;           ///< occupancy of the available cores, 0…1
    double latency(double fraction) const {  ///< milliseconds, by the nearest rank
        return percentile(report.latencies, fraction).value_or(0);
    }
};

/// Whether a mode's gain is worth its cost.
struct ModeVerdict {
    std::string name;
    std::string baseline;  ///< fastest simpler mode that pays; empty: none
    double gain = 0;       ///< relative gain in throughput; 0.5: 50 % more
    bool pays = true;      ///< gains more than kMinGain
};

inline constexpr double kMinGain = 0.02;

/// Verdict for each mode among the runs, which are ordered from the simplest mode.
std::vector<ModeVerdict> verdictsOf(std::span<const PipelineRun> runs);
/// Last mode that pays; empty without modes.
std::string recommendedMode(std::span<const ModeVerdict> verdicts);

/// Upper bound of throughput (the slowest single step, or all steps on the shared cores) and how
/// near a mode comes to it.
struct ThroughputBound {
    std::string step;             ///< name of a single step, or "cores"
    double samplesPerSecond = 0;  ///< throughput of that bound
    std::string mode;             ///< fastest mode
    double reached = 0;           ///< throughput of `mode` as a fraction of the bound
};

/// Bound of the runs; nullopt without single-step runs or without modes.
std::optional<ThroughputBound> throughputBound(std::span<const PipelineRun> runs);

/// A run as a row of the table that compares the modes, and as JSON with all that the report holds.
/// `first`: baseline run.
BenchRow pipelineRow(const PipelineRun& run, const PipelineRun& first);

/// Lines below the table: each mode's steps and queues, what slows it down, which mode pays.
std::string pipelineRemarks(std::span<const PipelineRun> runs);
/// Conclusions as JSON: "verdicts", "recommended", "throughputBound".
nlohmann::ordered_json pipelineVerdictJson(std::span<const PipelineRun> runs);

/// SVG picture of --plot (plotSvg()): throughput over the size of batches (`sweep`, where
/// measured), latencies, occupancy of the groups, queues over time of the last mode.
std::string pipelinePlot(const std::string& title, const std::string& subtitle,
                         std::span<const PipelineRun> runs, const ThroughputResult& sweep);

}  // namespace threefold
