#include "cuda/backend/cuda_backend.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cuda/backend/captured_network_cache.h"
#include "cuda/backend/clouds_on_device.h"
#include "cuda/backend/cuda_fit_solver.h"
#include "cuda/backend/device_resources.h"
#include "cuda/backend/device_tensor.h"
#include "cuda/backend/network_factory.h"
#include "cuda/runtime/adaptive_batch_runner.h"
#include "cuda/runtime/check.h"
#include "engine/error.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/reconstruction.h"
#include "engine/profile/stopwatch.h"

namespace threefold::cuda {
namespace {

/// MeshOperations on the resources of a network's device. Call on the back end's thread.
class CudaMeshOperations final : public MeshOperations {
  public:
    explicit CudaMeshOperations(DeviceResources& resources) : resources_(resources) {}

    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Pose& meshPose,
                  std::span<const MaskedView> views, const FitOptions& options) override {
        makeCurrent(resources_.device);
        const UnsealScope unsealed(resources_);
        try {
            const auto steps = makeCudaFitSolver(resources_.device.limits, resources_.deviceMemory,
                                                 resources_.contexts.main, options.cancel);
            return fitMesh(start, levels, meshPose, views, options, *steps);
        } catch (const OutOfDeviceMemory& error) {
            resources_.log(LogLevel::warning, fmt::format("{}; so the processor fits the mesh",
                                                          error.report().problem));
            return MeshOperations::fit(start, levels, meshPose, views, options);
        }
    }

    NeighbourResults nearestNeighbours(std::span<const CloudPair> pairs) override {
        makeCurrent(resources_.device);
        const UnsealScope unsealed(resources_);
        return nearestOnDevice(resources_.device.limits, resources_.deviceMemory,
                               resources_.contexts.main, pairs);
    }

    TransportResults earthMoversDistances(std::span<const CloudPair> pairs,
                                          const SinkhornSchedule& schedule) override {
        makeCurrent(resources_.device);
        const UnsealScope unsealed(resources_);
        return matchOnDevice(resources_.deviceMemory, resources_.contexts.main, pairs, schedule);
    }

  private:
    DeviceResources& resources_;
};

class CudaBackend final : public Backend {
  public:
    CudaBackend(std::shared_ptr<const Model> model, const CudaOptions& options)
        : resources_(std::move(model), options),
          networks_(resources_),
          networkCache_(resources_, networks_),
          batchRunner_(
              kMaxUsefulBatchSize, [this] { makeRoom(); }, options.log) {
        for (const TemplateLevel& level : resources_.model->templateMesh.levels)
            faces_->push_back(level.faces);
        resources_.logChoice();
        networkCache_.warmUp(options.tuning.warmUpRuns);
    }

    ~CudaBackend() override {
        // Handles must be destroyed while their device is current, and the destructor may run on
        // any thread.
        static_cast<void>(cudaSetDevice(resources_.device.index));
        for (PendingBatch& batch : pending_)
            if (const InSlot* place = std::get_if<InSlot>(&batch.state))
                place->network->drop(place->slot);
    }

    std::string description() const override {
        return fmt::format("GPU · {} · {} · {}", resources_.device.description.name,
                           precisionName(resources_.options.precision), resources_.choice.text());
    }
    Precision precision() const override { return resources_.options.precision; }
    std::shared_ptr<const Model> model() const override { return resources_.model; }

    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override {
        for (const NetworkInput& input : inputs) requireValidInput(input);
        makeCurrent(resources_.device);
        if (options.cancel.stop_requested()) throw Cancelled();
        if (pending_.size() >= kMaxUnfinishedBatches) throw tooManyUnfinishedBatchesError();
        PendingBatch batch{inputs, options};
        const bool batchable = !inputs.empty() && inputs.size() <= batchRunner_.size() &&
                               std::ranges::all_of(inputs, [&](const NetworkInput& input) {
                                   return input.images.size() == inputs.front().images.size();
                               });
        if (batchable && !options.probe) {
            if (options.progress) options.progress({RunStep::preprocess, 0.0F});
            try {
                const TimedSteps steps = timedSteps(options);
                const std::shared_ptr<CapturedNetwork>& network =
                    networkCache_.networkFor(inputs, steps);
                batch.state = InSlot{network, network->begin(inputs, steps)};
            } catch (const OutOfDeviceMemory&) {
                // finish() makes room and retries with smaller batches.
            }
        }
        pending_.push_back(std::move(batch));
    }

    std::vector<Reconstruction> finish() override {
        if (pending_.empty()) throw noUnfinishedBatchError();
        PendingBatch batch = std::move(pending_.front());
        pending_.pop_front();
        makeCurrent(resources_.device);
        settle(batch);
        if (const auto* failure = std::get_if<std::exception_ptr>(&batch.state))
            std::rethrow_exception(*failure);
        auto* reconstructions = std::get_if<std::vector<Reconstruction>>(&batch.state);
        if (reconstructions == nullptr) return runSplit(batch.inputs, batch.options);
        batchRunner_.recordSuccess(reconstructions->size());
        networkCache_.countBatch();
        complete(*reconstructions, batch.inputs, batch.options);
        return std::move(*reconstructions);
    }

    std::size_t maxUnfinishedBatches() const override { return kMaxUnfinishedBatches; }
    std::size_t maxBatchSize() const override {
        return std::min(batchRunner_.size(), networkCache_.estimatedBatch());
    }

    std::string pciBusId() const override {
        char text[32] = {};
        CUDA_CHECK(cudaDeviceGetPCIBusId(text, sizeof text, resources_.device.index));
        return text;
    }

    std::optional<DeviceMemoryUse> memoryUse() const override {
        const PoolCounters device = resources_.deviceMemory.counters();
        const PoolCounters pinned = resources_.pinnedMemory.counters();
        return DeviceMemoryUse{
            resources_.initialBytes,
            std::max(resources_.monitor.peakUsed(), resources_.initialBytes) -
                resources_.initialBytes,
            device.peakHeld,
            {device.reusedCount + pinned.reusedCount, device.freedCount + pinned.freedCount,
             device.lateAllocationCount + pinned.lateAllocationCount}};
    }

    MeshOperations& meshOperations() override { return meshOperations_; }

  private:
    static TimedSteps timedSteps(const BatchOptions& options) {
        return options.wantTimings ? TimedSteps::all : TimedSteps::preprocessing;
    }

    /// State of a batch that begin() did not start: finish() computes the whole batch.
    struct NotBegun {};
    /// State of a batch in flight: the slot that it holds, and the slot's network.
    struct InSlot {
        std::shared_ptr<CapturedNetwork> network;
        std::size_t slot;
    };
    /// Batch between begin() and finish(). settle() replaces InSlot by the meshes or the failure.
    struct PendingBatch {
        std::span<const NetworkInput> inputs;
        BatchOptions options;
        std::variant<NotBegun, InSlot, std::vector<Reconstruction>, std::exception_ptr> state = {};
    };

    /// Waits for the meshes of a batch in flight and releases its network.
    static void settle(PendingBatch& batch) noexcept {
        const auto* place = std::get_if<InSlot>(&batch.state);
        if (place == nullptr) return;
        const InSlot held = *place;
        try {
            batch.state = held.network->finish(held.slot);
        } catch (...) {
            batch.state = std::current_exception();
        }
    }

    /// Runs the inputs of a batch that begin() did not start.
    std::vector<Reconstruction> runSplit(std::span<const NetworkInput> inputs,
                                         const BatchOptions& options) {
        std::vector<Reconstruction> results;
        results.reserve(inputs.size());
        // A captured network has a fixed number of views, so consecutive inputs with equal numbers
        // run together. A smaller last batch gets a captured network of its own: padding would cost
        // time in each batch, a capture only once.
        for (std::size_t begin = 0; begin < inputs.size();) {
            std::size_t end = begin + 1;
            while (end < inputs.size() &&
                   inputs[end].images.size() == inputs[begin].images.size()) {
                ++end;
            }
            runSameViews(inputs.subspan(begin, end - begin), options, results);
            begin = end;
        }
        return results;
    }

    /// Runs inputs with equal numbers of views.
    void runSameViews(std::span<const NetworkInput> inputs, const BatchOptions& options,
                      std::vector<Reconstruction>& results) {
        if (options.probe) {
            for (const NetworkInput& input : inputs) results.push_back(runProbed(input, options));
            return;
        }
        batchRunner_.run(inputs.size(), [&](std::size_t first, std::size_t count) {
            if (options.cancel.stop_requested()) throw Cancelled();
            if (options.progress) options.progress({RunStep::preprocess, 0.0F});
            const auto chunk = inputs.subspan(first, count);
            std::vector<Reconstruction> reconstructions =
                networkCache_.run(chunk, timedSteps(options));
            networkCache_.countBatch();
            complete(reconstructions, chunk, options);
            std::ranges::move(reconstructions, std::back_inserter(results));
        });
    }

    void complete(std::span<Reconstruction> reconstructions, std::span<const NetworkInput> inputs,
                  const BatchOptions& options) const {
        // The captured graph is one launch of about a millisecond, so all steps are reported after
        // its end.
        if (options.progress) {
            const StepTimings& timings = reconstructions.front().timings;
            for (const StepTiming& timing : timings) options.progress({timing.step, 1.0F});
            if (timings.empty()) options.progress({RunStep::block2, 1.0F});
        }
        for (std::size_t i = 0; i < reconstructions.size(); ++i) {
            reconstructions[i].levelFaces = faces_;
            reconstructions[i].templateMesh = {resources_.model, &resources_.model->templateMesh};
            subtractDepthOffset(reconstructions[i], inputs[i].depthOffset);
        }
    }

    void makeRoom() {
        for (PendingBatch& batch : pending_) settle(batch);
        networkCache_.clear();
        resources_.trim();
    }

    /// Runs without a graph and passes each tensor to the probe as soon as it is computed.
    Reconstruction runProbed(const NetworkInput& input, const BatchOptions& options) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        const NetworkShape shape{.batch = 1,
                                 .views = input.images.size(),
                                 .maxImagePixels = slotPixels({&input, 1}),
                                 .extraTensors = ExtraTensors::probes};
        const UnsealScope unsealed(resources_);
        const std::unique_ptr<DeviceNetwork> network = networks_.make(shape);

        RunStepEvents events;
        NetworkHooks hooks;
        hooks.onMark = [&](Mark mark, cudaStream_t stream) {
            CUDA_CHECK(cudaEventRecord(events.event(mark), stream));
        };
        hooks.onTensor = [&](const DeviceTensor& tensor) {
            if (options.cancel.stop_requested()) throw Cancelled();
            options.probe(tensor.name, copyToHost(tensor, resources_.contexts.main), tensor.shape);
        };
        Reconstruction reconstruction = std::move(network->run({&input, 1}, hooks).front());
        reconstruction.timings = events.timings(TimedSteps::all);
        reconstruction.wallMilliseconds = watch.milliseconds();
        complete({&reconstruction, 1}, {&input, 1}, options);
        return reconstruction;
    }

    DeviceResources resources_;
    CudaMeshOperations meshOperations_{resources_};
    NetworkFactory networks_;
    CapturedNetworkCache networkCache_;
    std::deque<PendingBatch> pending_;  ///< oldest first
    AdaptiveBatchRunner batchRunner_;
    std::shared_ptr<std::vector<Faces>> faces_ = std::make_shared<std::vector<Faces>>();
};

}  // namespace

std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> model,
                                         const CudaOptions& options) {
    return std::make_unique<CudaBackend>(std::move(model), options);
}

}  // namespace threefold::cuda
