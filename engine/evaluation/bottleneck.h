#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/reports.h"

namespace threefold {

/// How busy one part of the way was.
struct PartShare {
    std::string name;      ///< "network"
    double seconds = 0;    ///< of all samples together
    double ofTheWall = 0;  ///< ÷ the run's seconds; above 1 where several threads share the work
};

/// What held a run up. Parts overlap: their shares need not add up to 1.
struct Bottleneck {
    std::vector<PartShare> parts;  ///< network, load, metrics, write
    /// What the run took beyond the network's own time, ÷ that time; warming up counts as such.
    double overhead = 0;
    std::string verdict;  ///< "The network is the bottleneck: 94 % of the wall. load 3 %, …"
};

/// Of the samples that are done. Without samples or a measured wall: no parts, an empty verdict.
Bottleneck bottleneckOf(const EvaluationRun& run);

}  // namespace threefold
