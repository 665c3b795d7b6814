#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

namespace threefold {

/// Performance targets of the network.
struct Targets {
    double milliseconds = 0;      ///< maximum per sample; 0: no target
    double samplesPerSecond = 0;  ///< minimum; 0: no target
};

/// Adds --target-ms and --target-rate.
void addTargets(CLI::App& command, Targets& targets);

/// Line for each target: "target 500 ms a sample: met with 483.5". Empty without targets.
std::string targetsText(const Targets& targets, double milliseconds, double samplesPerSecond);

/// JSON object with an entry for each target; null without targets.
nlohmann::ordered_json targetsJson(const Targets& targets, double milliseconds,
                                   double samplesPerSecond);

}  // namespace threefold
