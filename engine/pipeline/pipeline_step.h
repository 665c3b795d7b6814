#pragma once

#include <array>
#include <string_view>

namespace threefold {

/// Steps of the pipeline, in the order in which a sample passes through them. Each step has its own
/// threads, except fit, measure and write, which the same threads do one after another for each
/// sample.
enum class PipelineStep { load, network, fit, measure, write, store };

inline constexpr std::array kPipelineSteps = {PipelineStep::load,  PipelineStep::network,
                                              PipelineStep::fit,   PipelineStep::measure,
                                              PipelineStep::write, PipelineStep::store};

std::string_view pipelineStepName(PipelineStep step);  ///< "load", "network", …

/// Groups of threads that do the same steps.
enum class WorkerGroup { loaders, network, finishers, store };

inline constexpr std::array kWorkerGroups = {WorkerGroup::loaders, WorkerGroup::network,
                                             WorkerGroup::finishers, WorkerGroup::store};

std::string_view workerGroupName(WorkerGroup group);  ///< "loaders", "network", …
WorkerGroup workerGroupOf(PipelineStep step);

}  // namespace threefold
