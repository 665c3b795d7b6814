#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/bench/bench.h"
#include "app/bench/throughput_sweep.h"
#include "engine/order_statistics.h"
#include "engine/pipeline/pipeline.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// One run of `bench pipeline`.
struct PipelineRun {
    std::string name;           ///< of the mode, or "load alone", "network alone", "finish alone"
    bool isSingleStep = false;  ///< a single step of the mode `full`
    PipelineReport report;
    double settledMemoryMb = 0;  ///< BenchedList::settledMemoryMb()
    double peakMemoryMb = 0;
    double processorMilliseconds = 0;  ///< of all threads of the process
    std::size_t cores = 1;             ///< that the process may use

    double samplesPerSecond() const { return perSecond(report.samples, report.wallMilliseconds); }
    double coresOccupancy() const;           ///< occupancy of the available cores, 0…1
    double latency(double fraction) const {  ///< quantile, by the nearest rank; ms
        return quantile(report.latencies, fraction).value_or(0);
    }
};

/// Row of a run in the table that compares the modes. The row's JSON also has the run's steps,
/// workers, queues and bottleneck. `first`: baseline run.
BenchRow pipelineRow(const PipelineRun& run, const PipelineRun& first);

/// Lines below the table: each mode's steps, queues and bottleneck, then which modes are worth
/// their cost, and how near the fastest mode comes to throughputBound().
std::string pipelineRemarks(std::span<const PipelineRun> runs);
/// Conclusions as JSON: "verdicts", "recommended", "throughputBound".
nlohmann::ordered_json pipelineVerdictJson(std::span<const PipelineRun> runs);

/// SVG picture of --plot (plotSvg()): throughput over the size of batches (`sweep`, where
/// measured), latencies, occupancy of the groups, queues over time of the last mode.
std::string pipelinePlot(const std::string& title, const std::string& subtitle,
                         std::span<const PipelineRun> runs, const ThroughputResult& sweep);

}  // namespace threefold
