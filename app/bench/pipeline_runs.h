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
#include "engine/pipeline/pipeline.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// One size of batch.
struct ThroughputRow {
    int batch = 0;
    int runs = 0;          ///< counted batches; 0: it could not be run
    double medianMs = 0;   ///< of a batch
    double perSecond = 0;  ///< meshes, over the whole counted time
    std::string problem;   ///< why it could not be run; empty: it was
};

struct ThroughputResult {
    std::vector<ThroughputRow> rows;
    /// The size with the most meshes a second; null where none could be run.
    const ThroughputRow* best() const;
};

struct ThroughputOptions {
    std::vector<int> batches;  ///< sizes to try, in this order
    double seconds = 2;        ///< counted time of each size, at least
    int warmup = 1;            ///< uncounted batches before that
    /// Batches given before the first is taken; 0: as many as the network takes.
    std::size_t pending = 0;
};

/// The batch sizes worth measuring: on a device up to 64, else 1 and 2.
std::vector<int> defaultBatches(bool device);

/// Meshes a second from decoded views to meshes in main memory. Takes the inputs in turn until a
/// batch is full. A size for which the device has too little memory ends the sweep with a row that
/// notes it. `measured` gets each row as it is measured. Throws as Ticket::collect() does.
ThroughputResult measureThroughput(NetworkService& network, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel,
                                   const std::function<void(const ThroughputRow&)>& measured);

/// One run of `bench pipeline`.
struct PipelineRun {
    std::string name;    ///< of the mode, or "load alone", "network alone", "finish alone"
    bool alone = false;  ///< a part of the mode `full`
    PipelineReport report;
    double settledMemory = 0;  ///< ListParts::settledMemory()
    double mostMemory = 0;
    double onCores = 0;  ///< milliseconds on the processor's cores, of all threads of the process
    std::size_t cores = 1;  ///< available

    double samplesPerSecond() const { return perSecond(report.samples, report.wall); }
    double coresOccupancy() const;        ///< 0…1
    double latency(double share) const {  ///< milliseconds, by the nearest rank
        return nearestRank(report.latencies, share).value_or(0);
    }
};

/// Whether a mode's gain is worth its cost.
struct ModeVerdict {
    std::string name;
    std::string than;  ///< the fastest simpler mode that pays; empty: there is none
    double gain = 0;   ///< of its throughput over that, 0.5: half as much again
    bool pays = true;  ///< gains more than kLeastGain
};

inline constexpr double kLeastGain = 0.02;

/// One for each mode among the runs, which are in their order, the simplest first.
std::vector<ModeVerdict> verdictsOf(std::span<const PipelineRun> runs);
/// The last mode that pays; empty without modes.
std::string recommendedMode(std::span<const ModeVerdict> verdicts);

/// The part that is slowest alone, or all of them on the cores that they share, and how near a mode
/// comes to it.
struct Ceiling {
    std::string part;      ///< "load", or "cores"
    double perSecond = 0;  ///< of that part alone
    std::string mode;      ///< the fastest
    double reached = 0;    ///< its throughput as a share of the part's
};

/// Nothing without parts alone, or without modes.
std::optional<Ceiling> ceilingOf(std::span<const PipelineRun> runs);

/// A run as a row of the table that compares the modes, and as JSON with all that the report holds.
/// `first` is the run that others are compared with.
BenchRow pipelineRow(const PipelineRun& run, const PipelineRun& first);

/// Lines below the table: each mode's parts and queues, what slows it down, which mode pays.
std::string pipelineRemarks(std::span<const PipelineRun> runs);
/// The same for programs: "verdicts", "recommended", "ceiling".
nlohmann::ordered_json pipelineVerdictJson(std::span<const PipelineRun> runs);

/// The picture of --plot, as plotSvg() makes it: throughput over the size of batches (`sweep`,
/// where measured), latencies, occupancy of the groups, queues over time of the last mode.
std::string pipelinePlot(const std::string& title, const std::string& subtitle,
                         std::span<const PipelineRun> runs, const ThroughputResult& sweep);

}  // namespace threefold
