#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "app/eval/script_flags.h"
#include "app/options/model_options.h"
#include "app/options/targets.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"
#include "engine/evaluation/record.h"
#include "engine/evaluation/result_files.h"
#include "engine/devices/gpu_monitor.h"

namespace threefold {

/// Batches whose run steps a GPU times.
enum class TimedBatches { none, sampled, all };

/// The options of `threefold eval`.
struct EvalRequest {
    ModelOptions model;
    ScriptFlags script;
    std::filesystem::path list;
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    std::filesystem::path output;
    RunChoices choices;  ///< without shard
    std::string shard = "1/1";
    std::optional<MeasuredOn> measureOn;  ///< nullopt: where the network runs
    TimedBatches timedBatches = TimedBatches::sampled;
    PipelineOptions pipeline;  ///< threads, batches, memory
    std::size_t vertices = 0;  ///< of fitted meshes; 0: FitRequest::vertices
    std::filesystem::path trace;
    std::filesystem::path nvml = kNvmlLibrary;
    Targets targets;
    bool resume = false;
    bool overwrite = false;
    bool meshes = false;
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;
    bool json = false;

    JournalStart start() const {
        if (overwrite) return JournalStart::overwrite;
        return resume ? JournalStart::resume : JournalStart::fresh;
    }
};

/// Throws UsageError or InputError for what is wrong with the whole list, once rather than for each
/// sample: a root that is no folder, and names without a root to find their images in.
void requireRoots(const EvalRequest& request);
void requireImages(const EvaluationList& list, const std::filesystem::path& imageRoot);

/// Resolves a default fit equally for all samples; a mixture of photographs and renderings counts
/// as renderings. The start surface of a fit stays each sample's default. Throws UsageError: no
/// mesh has this number of vertices.
void resolveFit(EvalRequest& request, const EvaluationList& list);

/// Chooses the device that compares clouds. `onGpu`: the network runs on a GPU. Throws UsageError
/// if a GPU is requested and none is available.
void chooseMeasureDevice(EvalRequest& request, bool onGpu);

/// Options of the list's run, without callbacks, cancellation and spans.
ListRunOptions runOptions(const EvalRequest& request, bool onGpu);

}  // namespace threefold
