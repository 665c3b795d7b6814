#include "cuda/backend/plugin_entries.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "cuda/backend/cuda_device.h"
#include "cuda/backend/device.h"
#include "cuda/backend/device_mesh_operations.h"
#include "cuda/backend/device_model.h"
#include "cuda/backend/lanes.h"
#include "cuda/backend/mesh_graph.h"
#include "cuda/backend/network.h"
#include "cuda/backend/network_looks.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/graph_cache.h"
#include "cuda/runtime/memory_pool.h"
#include "cuda/runtime/plan.h"
#include "cuda/runtime/shrinking_batch.h"
#include "engine/error.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/pooling.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/sample.h"
#include "engine/units.h"

namespace threefold::cuda {
namespace {

// Fraction of free memory to use; the rest is for the libraries and other programs.
constexpr double kUsableFraction = 0.9;
// A query to the driver is too slow to make before every batch.
constexpr std::size_t kBatchesBetweenReadings = 64;

/// Input of warm-up runs: the published number of views, of the published image size.
NetworkInput blankInput() {
    constexpr int kSide = 137;
    NetworkInput input;
    for (const double azimuth : {0.0, 120.0, 240.0}) {
        Image image{kSide, kSide, {}};
        image.rgba.assign(std::size_t{4} * kSide * kSide, UINT8_MAX);
        input.images.push_back(std::move(image));
        input.cameras.push_back(Camera::fromRow({azimuth, 30.0, 0.0, 1.5, 25.0}));
    }
    return input;
}

/// Bytes of the current device that are in use, by all processes.
std::size_t usedBytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return total - free;
}

/// Unseals two pools in a scope: new shapes and services may allocate after warm-up, only replays
/// must not.
class UnsealScope {
  public:
    UnsealScope(MemoryPool& first, MemoryPool& second)
        : pools_{&first, &second}, sealed_{first.sealed(), second.sealed()} {
        for (MemoryPool* pool : pools_) pool->seal(false);
    }
    ~UnsealScope() {
        for (std::size_t i = 0; i < std::size(pools_); ++i) pools_[i]->seal(sealed_[i]);
    }
    UnsealScope(const UnsealScope&) = delete;
    UnsealScope& operator=(const UnsealScope&) = delete;

  private:
    MemoryPool* pools_[2];
    bool sealed_[2];
};

/// Returns `model`. Throws DeviceError unless it has the published number of hypothesis blocks,
/// which the device's buffers, graph and calibration assume.
std::shared_ptr<const Model> withPublishedBlocks(std::shared_ptr<const Model> model) {
    if (model->hypothesisBlocks() == kPublishedHypothesisBlocks) return model;
    throw DeviceError({model->source.string(), "stage 2",
                       fmt::format("has {} hypothesis blocks, a GPU computes models with {}",
                                   model->hypothesisBlocks(), kPublishedHypothesisBlocks),
                       "Use the processor (`backend=cpu`)."});
}

class CudaBackend final : public Backend {
  public:
    CudaBackend(std::shared_ptr<const Model> model, const CudaOptions& options)
        : model_(withPublishedBlocks(std::move(model))),
          options_(options),
          device_(chooseDevice(options.device, options.precision)),
          initialBytes_(usedBytes()),
          api_(device_, options.memoryBytes, options.pinned),
          deviceMemory_(api_, MemoryKind::device, options.log),
          pinnedMemory_(api_, MemoryKind::pinned, options.log),
          monitor_(api_, [this](const MemoryReading& reading) { warnOfFullMemory(reading); }),
          store_(options.planFolder.empty() ? defaultPlanFolder() : options.planFolder,
                 options.log),
          lanes_(streams_, deviceMemory_, options.streams),
          choice_(KernelChoice::on(device_.limits, options.precision,
                                   static_cast<int>(model_->mesh.hypotheses.size()),
                                   options.libraryKernels)),
          weights_(model_, device_.limits, options.precision, choice_, rangesForPrecision(),
                   deviceMemory_, lanes_.main),
          cache_(options.graphBytes),
          batches_(
              kMaxUsefulBatch, [this] { makeRoom(); }, options.log) {
        monitor_.watch(deviceMemory_);
        for (const TemplateLevel& level : model_->mesh.levels) faces_->push_back(level.faces);
        logChoice();
        warmUp();
    }

    ~CudaBackend() override {
        // Handles must be destroyed on their own device, whatever thread this is.
        static_cast<void>(cudaSetDevice(device_.index));
        for (PendingBatch& batch : pending_)
            if (batch.graph) batch.graph->drop(batch.slot);
    }

    std::string description() const override {
        return fmt::format("GPU · {} · {} · {}", device_.description.name,
                           precisionName(options_.precision),
                           options_.libraryKernels ? "library kernels" : "fused kernels");
    }
    Precision precision() const override { return options_.precision; }
    const Model& model() const override { return *model_; }

    void begin(std::span<const NetworkInput> inputs, const RunOptions& options) override {
        for (const NetworkInput& input : inputs) checkInput(input);
        makeCurrent(device_);
        if (options.cancel.stop_requested()) throw Cancelled();
        if (pending_.size() >= kMaxPendingBatches)
            throw InputError({"batch", "", fmt::format("{} are begun already", pending_.size()),
                              "Finish one of them first."});
        PendingBatch batch{inputs, options};
        const bool batchable = !inputs.empty() && inputs.size() <= batches_.size() &&
                               std::ranges::all_of(inputs, [&](const NetworkInput& input) {
                                   return input.images.size() == inputs.front().images.size();
                               });
        if (batchable && !options.probe) {
            if (options.progress) options.progress({RunStep::preprocess, 0.0F});
            try {
                const std::shared_ptr<MeshGraph>& graph = graphFor(inputs, options.wantTimings);
                batch.slot = graph->begin(inputs, options.wantTimings);
                batch.graph = graph;
            } catch (const OutOfDeviceMemory&) {
                // finish() makes room and retries with smaller batches.
            }
        }
        pending_.push_back(std::move(batch));
    }

    std::vector<Reconstruction> finish() override {
        if (pending_.empty()) throw noBatchBegunError();
        PendingBatch batch = std::move(pending_.front());
        pending_.pop_front();
        makeCurrent(device_);
        settle(batch);
        if (batch.failure) std::rethrow_exception(batch.failure);
        if (batch.meshes.empty()) return runSplit(batch.inputs, batch.options);
        batches_.ran(batch.meshes.size());
        countBatch();
        complete(batch.meshes, batch.inputs, batch.options);
        return std::move(batch.meshes);
    }

    std::size_t maxPending() const override { return kMaxPendingBatches; }
    std::size_t maxBatch() const override { return std::min(batches_.size(), estimatedBatch_); }

    std::string bus() const override {
        char text[32] = {};
        CUDA_CHECK(cudaDeviceGetPCIBusId(text, sizeof text, device_.index));
        return text;
    }

    std::optional<DeviceMemoryUse> memoryUse() const override {
        const PoolCounters device = deviceMemory_.counters();
        const PoolCounters pinned = pinnedMemory_.counters();
        return DeviceMemoryUse{initialBytes_,
                               std::max(monitor_.peakUsed(), initialBytes_) - initialBytes_,
                               device.peakHeld,
                               {device.hits + pinned.hits, device.frees + pinned.frees,
                                device.lateAllocations + pinned.lateAllocations}};
    }

    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Camera& meshCamera,
                  std::span<const MaskedView> views, const FitOptions& options) override {
        makeCurrent(device_);
        const UnsealScope unsealed(deviceMemory_, pinnedMemory_);
        try {
            const auto steps =
                makeCudaFitSolver(device_.limits, deviceMemory_, lanes_.main, options.cancel);
            return fitMesh(start, levels, meshCamera, views, options, *steps);
        } catch (const OutOfDeviceMemory& error) {
            log(LogLevel::warning,
                fmt::format("the processor fits the mesh: {}", error.report().problem));
            return MeshOperations::fit(start, levels, meshCamera, views, options);
        }
    }

    NearestBatch nearest(std::span<const CloudPair> pairs) override {
        makeCurrent(device_);
        const UnsealScope unsealed(deviceMemory_, pinnedMemory_);
        return nearestOnDevice(device_.limits, deviceMemory_, lanes_.main, pairs);
    }

    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override {
        makeCurrent(device_);
        const UnsealScope unsealed(deviceMemory_, pinnedMemory_);
        return matchOnDevice(deviceMemory_, lanes_.main, pairs, schedule);
    }

    void timeSteps(std::span<const NetworkInput> inputs, int replays,
                   const std::function<void(const GpuStep&)>& report,
                   const std::stop_token& cancel) {
        for (const NetworkInput& input : inputs) checkInput(input);
        const std::unique_ptr<Network> network =
            makeNetwork({inputs.size(), inputs.front().images.size(), slotPixels(inputs), false});
        cuda::timeSteps(*network, lanes_, inputs, replays, report, cancel);
    }

  private:
    /// Batch between begin() and finish(): in a slot of a graph, or left for finish() to compute.
    struct PendingBatch {
        std::span<const NetworkInput> inputs;
        RunOptions options;
        std::shared_ptr<MeshGraph> graph = nullptr;  ///< null: not in a graph, or settled
        std::size_t slot = 0;
        std::vector<Reconstruction> meshes = {};
        std::exception_ptr failure = nullptr;
    };

    /// Waits for the batch's meshes and releases its graph.
    static void settle(PendingBatch& batch) noexcept {
        if (!batch.graph) return;
        try {
            batch.meshes = batch.graph->finish(batch.slot);
        } catch (...) {
            batch.failure = std::current_exception();
        }
        batch.graph.reset();
    }

    /// Runs inputs that do not fit one graph.
    std::vector<Reconstruction> runSplit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) {
        std::vector<Reconstruction> results;
        results.reserve(inputs.size());
        // A graph has a fixed number of views, so consecutive inputs with equal numbers run
        // together. A smaller last batch gets a graph of its own: padding would cost every time, a
        // capture only once.
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

    void log(LogLevel level, const std::string& line) const {
        if (options_.log) options_.log(level, line);
    }

    void logChoice() const {
        if (isEightBit(options_.precision) && !choice_.fusedHypotheses)
            log(LogLevel::warning,
                fmt::format("only the fused kernels run in {}: the library kernels use float16",
                            precisionName(options_.precision)));
        if (options_.libraryKernels) return;
        const auto logFallback = [this](bool fused, const char* part) {
            if (fused) return;
            log(LogLevel::info, fmt::format("{} runs {} by libraries: it cannot run the fused "
                                            "kernel",
                                            device_.description.name, part));
        };
        logFallback(choice_.fusedGraph, "stage 1's graph blocks");
        logFallback(choice_.fusedHypotheses, "the hypothesis blocks");
    }

    void warnOfFullMemory(const MemoryReading& reading) const {
        log(LogLevel::warning,
            fmt::format(
                "GPU memory is {:.0f} % full: {:.1f} of {:.1f} GiB, {:.0f} MiB by Threefold",
                100.0 * reading.fraction(), static_cast<double>(reading.used) / kGibibyte,
                static_cast<double>(reading.total) / kGibibyte,
                static_cast<double>(reading.poolHeld) / kMebibyte));
    }

    PlanKey planKey(std::size_t batch, std::size_t views, Precision precision) const {
        return {.gpu = device_.description.name,
                .computeCapability = device_.description.computeCapability,
                .driver = device_.description.driver,
                .cuda = device_.versions.cuda,
                .cublasLt = device_.versions.cublasLt,
                .cudnn = device_.versions.cudnn,
                .modelHash = model_->hash,
                .precision = precision,
                .batch = static_cast<int>(batch),
                .views = static_cast<int>(views),
                .version = cudaPluginVersion()};
    }

    /// Calls `make` with the algorithms that an earlier process stored for this shape, and stores
    /// newly chosen ones. 8 bit shares the algorithms of float16.
    template <class Make>
    auto withStoredAlgorithms(const NetworkShape& shape, const Make& make) {
        const PlanKey key = planKey(shape.batch, shape.views, widePrecision(options_.precision));
        Plan plan = store_.load(key).value_or(Plan{});
        lanes_.algorithms = plan.algorithms;
        auto result = make();
        if (lanes_.algorithms != plan.algorithms) {
            plan.algorithms = lanes_.algorithms;
            store_.save(key, plan);
            // Free the memory that timing used.
            deviceMemory_.trim();
            api_.trim();
        }
        return result;
    }

    /// 8-bit ranges: measured on the given samples, else from a stored plan, else measured on the
    /// bundled samples. Stored in the plan of batch 1 with the published views.
    CalibratedRanges rangesForPrecision() {
        if (!isEightBit(options_.precision) || !choice_.fusedHypotheses) return {};
        const PlanKey key = planKey(1, kPublishedViews.size(), options_.precision);
        Plan plan = store_.load(key).value_or(Plan{});
        if (options_.calibration.empty())
            if (const auto stored = storedRanges(plan)) return *stored;
        const std::vector<NetworkInput> samples =
            options_.calibration.empty() ? bundledCalibration() : options_.calibration;
        log(LogLevel::info, fmt::format("measuring {} scales on {} samples",
                                        precisionName(options_.precision), samples.size()));
        const CalibratedRanges ranges = withStoredAlgorithms({1, kPublishedViews.size()}, [&] {
            return calibrate(model_, device_.limits, lanes_, deviceMemory_, pinnedMemory_, samples);
        });
        storeRanges(ranges, plan);
        store_.save(key, plan);
        return ranges;
    }

    /// Runs blank inputs, then seals the pools: later runs should not allocate.
    void warmUp() {
        if (options_.warmUpRuns <= 0) return;
        const NetworkInput input = blankInput();
        const Stopwatch watch;
        for (int run = 0; run < options_.warmUpRuns; ++run) runOnGraph({&input, 1}, true);
        monitor_.read();
        deviceMemory_.seal();
        pinnedMemory_.seal();
        log(LogLevel::debug, fmt::format("{} runs to warm up took {:.0f} ms", options_.warmUpRuns,
                                         watch.milliseconds()));
    }

    /// Runs inputs with equal numbers of views.
    void runSameViews(std::span<const NetworkInput> inputs, const RunOptions& options,
                      std::vector<Reconstruction>& results) {
        if (options.probe) {
            for (const NetworkInput& input : inputs) results.push_back(runProbed(input, options));
            return;
        }
        batches_.run(inputs.size(), [&](std::size_t first, std::size_t count) {
            if (options.cancel.stop_requested()) throw Cancelled();
            if (options.progress) options.progress({RunStep::preprocess, 0.0F});
            const auto chunk = inputs.subspan(first, count);
            std::vector<Reconstruction> meshes = runOnGraph(chunk, options.wantTimings);
            countBatch();
            complete(meshes, chunk, options);
            std::ranges::move(meshes, std::back_inserter(results));
        });
    }

    void countBatch() {
        if (++batchesSinceReading_ >= kBatchesBetweenReadings) readMemory();
    }

    /// Reads memory use; also estimates the largest batch that fits in free memory.
    MemoryReading readMemory() {
        batchesSinceReading_ = 0;
        const PoolCounters pool = deviceMemory_.counters();
        const std::size_t free = api_.freeBytes() + pool.bytesHeld - pool.bytesInUse;
        const auto usable = static_cast<std::size_t>(kUsableFraction * static_cast<double>(free));
        if (capturedBatch_ > 0)
            estimatedBatch_ = std::max(capturedBatch_, usable / (capturedBytes_ / capturedBatch_));
        return monitor_.read();
    }

    void complete(std::span<Reconstruction> meshes, std::span<const NetworkInput> inputs,
                  const RunOptions& options) const {
        // A replay is one launch of about a millisecond: stages are reported after its end.
        if (options.progress) {
            const StepTimings& timings = meshes.front().timings;
            for (const StepTiming& timing : timings) options.progress({timing.step, 1.0F});
            if (timings.empty()) options.progress({RunStep::block2, 1.0F});
        }
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            meshes[i].levelFaces = faces_;
            meshes[i].templateMesh = {model_, &model_->mesh};
            toFirstView(meshes[i], inputs[i].depthOffset);
        }
    }

    /// Graph for this shape, made current; captured if new. `wantTimings`: see RunOptions.
    const std::shared_ptr<MeshGraph>& graphFor(std::span<const NetworkInput> inputs,
                                               bool wantTimings) {
        // Slots only ever grow, so that images of changing sizes share a graph.
        largestSlot_ = std::max(largestSlot_, slotPixels(inputs));
        const NetworkShape shape{inputs.size(),      inputs.front().images.size(),
                                 largestSlot_,       false,
                                 kMaxPendingBatches, options_.entropy && inputs.size() == 1};
        if (!current_ || current_->shape() != shape) {
            std::shared_ptr<MeshGraph> graph = cache_.find(shape);
            if (!graph) graph = capture(shape, inputs, wantTimings);
            current_ = std::move(graph);
        }
        return current_;
    }

    std::vector<Reconstruction> runOnGraph(std::span<const NetworkInput> inputs, bool wantTimings) {
        const std::shared_ptr<MeshGraph>& graph = graphFor(inputs, wantTimings);
        return graph->finish(graph->begin(inputs, wantTimings));
    }

    std::shared_ptr<MeshGraph> capture(const NetworkShape& shape,
                                       std::span<const NetworkInput> inputs, bool wantTimings) {
        // A graph too large for the cache lives only as long as it is current.
        current_.reset();
        const UnsealScope unsealed(deviceMemory_, pinnedMemory_);
        const Stopwatch watch;
        auto graph = std::make_shared<MeshGraph>(makeNetwork(shape), lanes_, inputs,
                                                 options_.stageTimes, wantTimings, options_.graphs);
        cache_.insert(shape, graph, graph->bytes());
        capturedBatch_ = inputs.size();
        capturedBytes_ = graph->bytes();
        const MemoryReading memory = readMemory();
        log(LogLevel::debug,
            fmt::format("graph of {} nodes for batch {}, {} views: {:.0f} ms, {:.0f} MiB; GPU "
                        "memory {:.0f} MiB here, {:.0f} MiB in all",
                        graph->nodes(), shape.batch, shape.views, watch.milliseconds(),
                        static_cast<double>(graph->bytes()) / kMebibyte,
                        static_cast<double>(memory.poolHeld) / kMebibyte,
                        static_cast<double>(memory.used) / kMebibyte));
        return graph;
    }

    std::unique_ptr<Network> makeNetwork(const NetworkShape& shape) {
        return withStoredAlgorithms(shape, [&] {
            return std::make_unique<Network>(weights_, device_.limits, options_.precision, choice_,
                                             shape, lanes_, deviceMemory_, pinnedMemory_);
        });
    }

    void makeRoom() {
        for (PendingBatch& batch : pending_) settle(batch);
        current_.reset();
        cache_.clear();
        deviceMemory_.trim();
        pinnedMemory_.trim();
        api_.trim();
    }

    /// Runs without a graph and passes each tensor to the probe as soon as it is computed.
    Reconstruction runProbed(const NetworkInput& input, const RunOptions& options) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        const NetworkShape shape{1, input.images.size(), slotPixels({&input, 1}), true};
        const UnsealScope unsealed(deviceMemory_, pinnedMemory_);
        const std::unique_ptr<Network> network = makeNetwork(shape);

        StageClock clock;
        NetworkHooks hooks;
        hooks.mark = [&](Mark mark, cudaStream_t stream) {
            CUDA_CHECK(cudaEventRecord(clock.event(mark), stream));
        };
        hooks.tensor = [&](const DeviceTensor& tensor) {
            if (options.cancel.stop_requested()) throw Cancelled();
            options.probe(tensor.name, copyToHost(tensor, lanes_.main), tensor.shape);
        };
        Reconstruction mesh = std::move(network->run({&input, 1}, hooks).front());
        mesh.timings = clock.timings();
        mesh.wallMilliseconds = watch.milliseconds();
        complete({&mesh, 1}, {&input, 1}, options);
        return mesh;
    }

    std::shared_ptr<const Model> model_;
    CudaOptions options_;
    ChosenDevice device_;
    std::size_t initialBytes_;  ///< bytes in use on the device before the first allocation
    CudaDevice api_;
    Streams streams_;
    MemoryPool deviceMemory_;
    MemoryPool pinnedMemory_;
    MemoryMonitor monitor_;
    PlanStore store_;
    Lanes lanes_;
    KernelChoice choice_;
    DeviceModel weights_;
    GraphCache<NetworkShape, MeshGraph> cache_;
    std::shared_ptr<MeshGraph> current_;
    std::size_t largestSlot_ = 0;
    std::size_t capturedBatch_ = 0;  ///< batch size of the last captured graph
    std::size_t capturedBytes_ = 0;
    std::size_t estimatedBatch_ =
        kMaxUsefulBatch;  ///< batch size that would fit, by the last memory reading
    std::size_t batchesSinceReading_ = 0;
    std::deque<PendingBatch> pending_;  ///< oldest first
    ShrinkingBatch batches_;
    std::shared_ptr<std::vector<Faces>> faces_ = std::make_shared<std::vector<Faces>>();
};

}  // namespace

std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> model,
                                         const CudaOptions& options) {
    return std::make_unique<CudaBackend>(std::move(model), options);
}

void timeSteps(const std::shared_ptr<const Model>& model, const CudaOptions& options,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const GpuStep&)>& report, const std::stop_token& cancel) {
    CudaOptions bareOptions = options;
    bareOptions.warmUpRuns = 0;
    CudaBackend(model, bareOptions).timeSteps(inputs, replays, report, cancel);
}

}  // namespace threefold::cuda
