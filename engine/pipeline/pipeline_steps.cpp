#include "engine/pipeline/pipeline_steps.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

double preprocessMilliseconds(const StepTimings& timings) {
    double sum = 0;
    for (const StepTiming& timing : timings)
        if (timing.step == RunStep::preprocess) sum += timing.milliseconds;
    return sum;
}

/// Sets a sample's times. `network`, `compare`: the sample's part of its batch's milliseconds;
/// `network` includes preprocessing, which is stored apart.
void setTimes(SampleTimes& times, const StepTimings& timings, double network, double compare) {
    times.preprocess = preprocessMilliseconds(timings);
    times.network = std::max(0.0, network - times.preprocess);
    times.measure = compare;
}

PipelineSteps::Computed toComputed(PipelineSteps::Loaded loaded, Reconstruction reconstruction,
                                   double submittedAt) {
    PipelineSteps::Computed computed;
    computed.value = {.position = loaded.sample.position,
                      .reconstructed = {std::move(loaded.value), std::move(reconstruction)},
                      .submittedAt = submittedAt};
    computed.sample = std::move(loaded.sample);
    return computed;
}

/// Runs `work`. On a Failure or std::bad_alloc, stores the message in the record and returns false.
template <class Failure, class Work>
bool runOrFail(SampleRecord& record, const Work& work) {
    std::string problem;
    try {
        work();
        return true;
    } catch (const Failure& error) {
        problem = error.what();
    } catch (const std::bad_alloc&) {
        problem = Error({record.listedName, "", "not enough memory",
                         "Use fewer views, or a smaller batch."})
                      .what();
    }
    record.fail(std::move(problem));
    return false;
}

}  // namespace

std::size_t bytesOf(const LoadedSample& loaded) {
    const GroundTruth& truth = loaded.truth;
    std::size_t bytes =
        (truth.points.size() + truth.normals.size() + truth.surface.vertices.size()) *
            sizeof(glm::vec3) +
        truth.surface.faces.size() * sizeof(glm::u32vec3);
    for (const Image& image : loaded.input.images) bytes += image.rgba.size();
    return bytes;
}

PipelineSteps::PipelineSteps(NetworkService& network, const PipelineCallbacks& callbacks,
                             const PipelineOptions& options, PipelineReport* report)
    : network_(network),
      callbacks_(callbacks),
      options_(options),
      meter_(options.spans, options.clock),
      report_(report) {
    batchOptions_.cancel = options.cancel;
}

PipelineSteps::~PipelineSteps() {
    if (report_ != nullptr) *report_ = meter_.takeReport();
}

PipelineSteps::Loaded PipelineSteps::load(std::size_t position, PipelineStepTimer& timer) const {
    Loaded loaded;
    loaded.sample.position = position;
    loaded.sample.loadStartedAt = meter_.now();
    SampleRecord& record = loaded.sample.record;
    timer.setPosition(position);
    const auto step = timer.step(PipelineStep::load);
    runOrFail<Error>(record, [&] { loaded.value = callbacks_.load(position, record); });
    record.times.load = step.milliseconds();
    return loaded;
}

void PipelineSteps::warmUp(std::span<const Loaded> samples) {
    if (options_.warmUpRuns == 0 || !warmSizes_.insert(samples.size()).second) return;
    std::vector<NetworkInput> inputs;
    for (const Loaded& each : samples) inputs.push_back(each.value.input);
    const Stopwatch watch;
    try {
        // A back end prepares batches with and without step timings separately.
        const bool bothKinds = options_.timedBatchInterval > 1;
        const int runs = bothKinds ? std::max(2, options_.warmUpRuns) : options_.warmUpRuns;
        for (int i = 0; i < runs; ++i) {
            BatchOptions run = batchOptions_;
            run.wantTimings = bothKinds ? i == 0 : options_.timedBatchInterval == 1;
            network_.submit(inputs, Urgency::list, run).collect();
        }
    } catch (const InputError&) {
        warmSizes_.erase(samples.size());
    } catch (const std::bad_alloc&) {
        warmSizes_.erase(samples.size());
    }
    if (callbacks_.onWarmUp) callbacks_.onWarmUp(watch.milliseconds());
}

PipelineSteps::SubmittedBatch PipelineSteps::submit(std::vector<Loaded> samples) {
    SubmittedBatch batch;
    batch.samples = std::move(samples);
    batch.inputs.reserve(batch.samples.size());
    std::vector<const GroundTruth*> truths;
    for (Loaded& each : batch.samples) {
        batch.inputs.push_back(std::move(each.value.input));
        truths.push_back(&each.value.truth);
    }
    batch.submittedAt = meter_.now();
    BatchOptions timed = batchOptions_;
    timed.wantTimings =
        options_.timedBatchInterval > 0 && submittedBatches_++ % options_.timedBatchInterval == 0;
    BatchComputedFunction onComputed;
    if (callbacks_.compare)
        onComputed = [this, truths = std::move(truths), comparisons = batch.comparisons](
                         MeshOperations& device, std::span<const Reconstruction> meshes,
                         const std::stop_token& cancel) {
            const Stopwatch watch;
            comparisons->samples = callbacks_.compare(device, truths, meshes, cancel);
            comparisons->milliseconds = watch.milliseconds();
        };
    batch.future.emplace(
        network_.submit(batch.inputs, Urgency::list, timed, std::move(onComputed)));
    return batch;
}

std::vector<PipelineSteps::Computed> PipelineSteps::collect(SubmittedBatch& batch) {
    NetworkResult result = batch.future->collect();
    const auto size = static_cast<double>(batch.samples.size());
    returnInputs(batch);
    // All memory is allocated before the first sample moves: after a std::bad_alloc the batch keeps
    // its samples, and collectOrRetry() computes them again.
    std::vector<Computed> computed;
    computed.reserve(batch.samples.size());
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        meter_.addStepTimings(result.reconstructions[i].timings);
        setTimes(batch.samples[i].sample.record.times, result.reconstructions[i].timings,
                 result.milliseconds / size, batch.comparisons->milliseconds / size);
    }
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        computed.push_back(toComputed(std::move(batch.samples[i]),
                                      std::move(result.reconstructions[i]), batch.submittedAt));
        if (!batch.comparisons->samples.empty())
            computed.back().value.comparisons = std::move(batch.comparisons->samples[i]);
    }
    return computed;
}

PipelineSteps::ComputedBatch PipelineSteps::collectOrRetry(SubmittedBatch batch) {
    const std::size_t size = batch.samples.size();
    ComputedBatch computed;
    SampleRecord failure = batch.samples.front().sample.record;
    computed.succeeded = runOrFail<InputError>(failure, [&] { computed.samples = collect(batch); });
    if (computed.succeeded) {
        if (callbacks_.onBatchCollected) callbacks_.onBatchCollected();
        return computed;
    }
    returnInputs(batch);
    if (size == 1) batch.samples.front().sample.record = std::move(failure);
    for (Loaded& each : batch.samples)
        computed.samples.push_back(size > 1 ? computeSingle(std::move(each))
                                            : Computed{std::move(each.sample)});
    return computed;
}

void PipelineSteps::returnInputs(SubmittedBatch& batch) {
    for (std::size_t i = 0; i < batch.inputs.size(); ++i)
        batch.samples[i].value.input = std::move(batch.inputs[i]);
    batch.inputs.clear();
}

PipelineSteps::Computed PipelineSteps::computeSingle(Loaded loaded) {
    Computed computed;
    computed.sample = loaded.sample;
    const bool succeeded = runOrFail<InputError>(computed.sample.record, [&] {
        std::vector<Loaded> one;
        one.push_back(std::move(loaded));
        SubmittedBatch batch = submit(std::move(one));
        computed = std::move(collect(batch).front());
    });
    if (succeeded && callbacks_.onBatchCollected) callbacks_.onBatchCollected();
    return computed;
}

void PipelineSteps::finish(Computed& computed, PipelineStepTimer& timer) const {
    timer.setPosition(computed.sample.position);
    SampleRecord& record = computed.sample.record;
    runOrFail<InputError>(record,
                          [&] { callbacks_.finish(std::move(computed.value), record, timer); });
}

void PipelineSteps::store(std::span<const FinishedSample> samples, PipelineStepTimer& timer) {
    {
        timer.setPosition(samples.front().position);
        const auto step = timer.step(PipelineStep::store, samples.size());
        callbacks_.store(samples);
    }
    for (const FinishedSample& each : samples)
        meter_.addStored(meter_.now() - each.loadStartedAt, !each.record.succeeded());
}

}  // namespace threefold
