#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/run/run_description.h"

namespace threefold {

/// Fields of a RunDescription that decide whether records of two runs may be mixed.
enum class RunField {
    version,
    listSize,
    listHash,
    modelHash,
    sampler,
    backend,
    precision,
    views,
    protocols,
    tau,
    earthMovers,
    truthSpace,
    fit,
    truthPoints,
    shard,
    measuringDevice,
    images,
    truths,
};

/// Field in which two runs differ, with both values as text.
struct RunDifference {
    RunField field = RunField::version;
    std::string stored;
    std::string current;

    bool operator==(const RunDifference&) const = default;
};

/// Differences that forbid to continue the stored run: in identity, shard, and folders that both
/// runs know. A resumed run keeps its `measuringDevice`, which is not compared.
std::vector<RunDifference> differencesToResume(const RunDescription& stored,
                                               const RunDescription& current);
/// Differences that forbid to merge or to compare the records of two runs, of any shards.
std::vector<RunDifference> differencesToMerge(const RunDescription& stored,
                                              const RunDescription& current);

/// The differences in a line: "τ: 0.0001 there, 0.0002 here; …". `storedSide` and `currentSide`
/// follow the values. Empty without differences.
std::string differencesText(const std::vector<RunDifference>& differences,
                            std::string_view storedSide = "there",
                            std::string_view currentSide = "here");

}  // namespace threefold
