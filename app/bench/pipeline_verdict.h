#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/bench/pipeline_runs.h"

namespace threefold {

/// Verdict on a mode: whether its gain in throughput is worth its cost.
struct ModeVerdict {
    std::string name;
    std::string baseline;   ///< fastest simpler mode that is worth it; empty: none
    double gain = 0;        ///< relative gain in throughput; 0.5: 50 % more
    bool isWorthIt = true;  ///< gains more than kMinGain, or has no baseline
};

/// Minimum relative gain in throughput at which a mode is worth it.
inline constexpr double kMinGain = 0.02;

/// Verdict for each mode among the runs, which are ordered from the simplest mode.
std::vector<ModeVerdict> verdictsOf(std::span<const PipelineRun> runs);
/// Last mode that is worth it; empty without modes.
std::string recommendedMode(std::span<const ModeVerdict> verdicts);

/// ThroughputBound::step where the cores are the bound.
inline constexpr const char* kCoresBound = "cores";

/// Upper bound of throughput (the slowest single step, or all steps on the shared cores) and how
/// near the fastest mode comes to this bound.
struct ThroughputBound {
    std::string step;             ///< name of a single step, or kCoresBound
    double samplesPerSecond = 0;  ///< throughput of that bound
    std::string mode;             ///< fastest mode
    double reached = 0;           ///< throughput of `mode` as a fraction of the bound
};

/// Bound of the runs; nullopt without single-step runs or without modes.
std::optional<ThroughputBound> throughputBound(std::span<const PipelineRun> runs);

}  // namespace threefold
