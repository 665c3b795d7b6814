#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "app/eval/script_flags.h"
#include "app/options/model_options.h"
#include "app/options/targets.h"
#include "engine/devices/gpu_monitor.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/run_description.h"

namespace threefold {

/// Batches in which a GPU measures the time of each run step.
enum class TimedBatches { none, sampled, all };

/// The samples of `threefold eval`, and where they are found.
struct EvalSources {
    std::filesystem::path list;  ///< test list, data set or sample; kStandardInput: standard input
    std::filesystem::path imageRoot;  ///< --images; empty: the list's own
    std::filesystem::path truthRoot;  ///< --gt; empty: the list's own
};

/// Output of `threefold eval`.
struct EvalOutput {
    std::filesystem::path folder;                     ///< for reports and meshes
    bool resume = false;                              ///< continue the run in `folder`
    bool overwrite = false;                           ///< replace the run in `folder`
    bool meshes = false;                              ///< also write the meshes
    EmbeddedMeshes embedded = EmbeddedMeshes::shown;  ///< meshes in report.html
    bool json = false;                                ///< print report.json
    std::filesystem::path trace;  ///< file for a Chrome trace of the run; empty: none

    ExistingRun existingRun() const {
        if (overwrite) return ExistingRun::overwrite;
        return resume ? ExistingRun::resume : ExistingRun::refuse;
    }
};

/// The options of `threefold eval`.
struct EvalRequest {
    ModelOptions model;
    ScriptFlags script;
    EvalSources sources;
    RunChoices choices;
    /// Value of --vertices; `choices.fit` has the same number. Kept to refuse --vertices without a
    /// fit.
    std::optional<std::size_t> vertices;
    std::optional<MeasuringDevice> measureOn;  ///< nullopt: where the network runs
    TimedBatches timedBatches = TimedBatches::sampled;
    PipelineOptions pipeline;  ///< threads, batches, memory
    /// NVML, which reports the GPU's utilisation and memory.
    std::filesystem::path nvml = kNvmlLibrary;
    Targets targets;
    EvalOutput output;
};

/// Throws InputError if --images or --gt names no folder: once, rather than for each sample.
void requireRoots(const EvalSources& sources);
/// Throws UsageError if the list holds names alone and no root is given to find their images in.
void requireImages(const EvaluationList& list, const std::filesystem::path& imageRoot);

/// Resolves the requested fit once for all samples. If no option names the views and every sample
/// has enough photographs, the fit gets the defaults for photographs, else those for renderings. A
/// start mesh that no option names stays each sample's default. Throws UsageError if --vertices is
/// given but no mesh is fitted.
void resolveFit(EvalRequest& request, const EvaluationList& list);

/// Chooses the device that measures the meshes' points against the truth's. `onGpu`: the network
/// runs on a GPU. Throws UsageError if a GPU is requested and none is available.
void chooseMeasureDevice(EvalRequest& request, bool onGpu);

/// Options of the list's run, without callbacks, cancellation and spans.
ListRunOptions runOptions(const EvalRequest& request, bool onGpu);

}  // namespace threefold
