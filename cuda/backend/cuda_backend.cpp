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
#include "cuda/backend/lanes.h"
#include "cuda/backend/mesh_graph.h"
#include "cuda/backend/network.h"
#include "cuda/backend/network_looks.h"
#include "cuda/backend/services.h"
#include "cuda/backend/weights.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/graph_cache.h"
#include "cuda/runtime/memory_pool.h"
#include "cuda/runtime/plan.h"
#include "cuda/runtime/shrinking_batch.h"
#include "engine/error.h"
#include "engine/network/pooling.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/sample.h"

namespace threefold::cuda {
namespace {

// A larger batch is no faster, and the first try would only run out of memory.
constexpr std::size_t kMostBatch = 256;
// Of the memory that is free now: the rest is for the libraries and for other programs.
constexpr double kUsableShare = 0.9;
// Asking the driver takes longer than it may before each batch.
constexpr std::size_t kBatchesBetweenLooks = 64;
constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kGibibyte = 1024.0 * kMebibyte;

/// What warm-up runs on: the published number of views, of the usual size.
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

/// New shapes and services may take memory after warm-up, too: only replays must not.
class Unsealed {
  public:
    Unsealed(MemoryPool& first, MemoryPool& second)
        : pools_{&first, &second}, sealed_{first.sealed(), second.sealed()} {
        for (MemoryPool* pool : pools_) pool->seal(false);
    }
    ~Unsealed() {
        for (std::size_t i = 0; i < std::size(pools_); ++i) pools_[i]->seal(sealed_[i]);
    }
    Unsealed(const Unsealed&) = delete;
    Unsealed& operator=(const Unsealed&) = delete;

  private:
    MemoryPool* pools_[2];
    bool sealed_[2];
};

/// The model itself. The device's buffers, graph and calibration are made for the published number
/// of blocks: throws DeviceError for models with another.
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
          bareBytes_(usedBytes()),
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
              kMostBatch, [this] { makeRoom(); }, options.log) {
        monitor_.watch(deviceMemory_);
        for (const TemplateLevel& level : model_->mesh.levels) faces_->push_back(level.faces);
        tellChoice();
        warmUp();
    }

    ~CudaBackend() override {
        // Handles must be destroyed on their own device, whatever thread this is.
        static_cast<void>(cudaSetDevice(device_.index));
        for (Begun& batch : begun_)
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
        if (begun_.size() >= kMostPendingBatches)
            throw InputError({"batch", "", fmt::format("{} are begun already", begun_.size()),
                              "Finish one of them first."});
        Begun batch{inputs, options};
        const bool together = !inputs.empty() && inputs.size() <= batches_.size() &&
                              std::ranges::all_of(inputs, [&](const NetworkInput& input) {
                                  return input.images.size() == inputs.front().images.size();
                              });
        if (together && !options.probe) {
            if (options.progress) options.progress({Stage::preprocess, 0.0F});
            try {
                const std::shared_ptr<MeshGraph>& graph = graphFor(inputs, options.stages);
                batch.slot = graph->begin(inputs, options.stages);
                batch.graph = graph;
            } catch (const OutOfDeviceMemory&) {
                // finish() makes room, and tries smaller ones.
            }
        }
        begun_.push_back(std::move(batch));
    }

    std::vector<Reconstruction> finish() override {
        Begun batch = std::move(begun_.front());
        begun_.pop_front();
        makeCurrent(device_);
        settle(batch);
        if (batch.failure) std::rethrow_exception(batch.failure);
        if (batch.meshes.empty()) return runInParts(batch.inputs, batch.options);
        batches_.ran(batch.meshes.size());
        countBatch();
        complete(batch.meshes, batch.inputs, batch.options);
        return std::move(batch.meshes);
    }

    std::size_t mostPending() const override { return kMostPendingBatches; }
    std::size_t largestBatch() const override { return std::min(batches_.size(), fitting_); }

    std::string bus() const override {
        char text[32] = {};
        CUDA_CHECK(cudaDeviceGetPCIBusId(text, sizeof text, device_.index));
        return text;
    }

    std::optional<DeviceMemoryUse> memoryUse() const override {
        const PoolCounters device = deviceMemory_.counters();
        const PoolCounters pinned = pinnedMemory_.counters();
        return DeviceMemoryUse{bareBytes_,
                               std::max(monitor_.peakUsed(), bareBytes_) - bareBytes_,
                               device.peakHeld,
                               {device.hits + pinned.hits, device.frees + pinned.frees,
                                device.lateAllocations + pinned.lateAllocations}};
    }

    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const MaskedView> views, const FitOptions& options) override {
        makeCurrent(device_);
        const Unsealed unsealed(deviceMemory_, pinnedMemory_);
        try {
            const auto steps =
                makeDeviceFitSteps(device_.limits, deviceMemory_, lanes_.main, options.cancel);
            return fitMesh(start, levels, space, views, options, *steps);
        } catch (const OutOfDeviceMemory& error) {
            log(LogLevel::warning,
                fmt::format("the processor fits the mesh: {}", error.report().problem));
            return MeshOperations::fit(start, levels, space, views, options);
        }
    }

    NearestBatch nearest(std::span<const CloudPair> pairs) override {
        makeCurrent(device_);
        const Unsealed unsealed(deviceMemory_, pinnedMemory_);
        return nearestOnDevice(device_.limits, deviceMemory_, lanes_.main, pairs);
    }

    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override {
        makeCurrent(device_);
        const Unsealed unsealed(deviceMemory_, pinnedMemory_);
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
    /// A batch in a slot of a graph, or one that finish() computes.
    struct Begun {
        std::span<const NetworkInput> inputs;
        RunOptions options;
        std::shared_ptr<MeshGraph> graph = nullptr;  ///< null: not in one, or settled
        std::size_t slot = 0;
        std::vector<Reconstruction> meshes = {};
        std::exception_ptr failure = nullptr;
    };

    /// Waits for the meshes: the graph is not needed any more.
    static void settle(Begun& batch) noexcept {
        if (!batch.graph) return;
        try {
            batch.meshes = batch.graph->finish(batch.slot);
        } catch (...) {
            batch.failure = std::current_exception();
        }
        batch.graph.reset();
    }

    /// What does not fit one graph.
    std::vector<Reconstruction> runInParts(std::span<const NetworkInput> inputs,
                                           const RunOptions& options) {
        std::vector<Reconstruction> results;
        results.reserve(inputs.size());
        // A graph has one number of views: neighbours that share it go together. The last batch
        // may be smaller and then has a graph of its own; filling it up would compute for nothing
        // each time, while a capture is paid once.
        for (std::size_t begin = 0; begin < inputs.size();) {
            std::size_t end = begin + 1;
            while (end < inputs.size() &&
                   inputs[end].images.size() == inputs[begin].images.size()) {
                ++end;
            }
            runAlike(inputs.subspan(begin, end - begin), options, results);
            begin = end;
        }
        return results;
    }

    void log(LogLevel level, const std::string& line) const {
        if (options_.log) options_.log(level, line);
    }

    void tellChoice() const {
        if (isEightBit(options_.precision) && !choice_.fusedHypotheses)
            log(LogLevel::warning,
                fmt::format("only the fused kernels run in {}: the library kernels use float16",
                            precisionName(options_.precision)));
        if (options_.libraryKernels) return;
        const auto tellOf = [this](bool fused, const char* part) {
            if (fused) return;
            log(LogLevel::info, fmt::format("{} runs {} by libraries: it cannot run the fused "
                                            "kernel",
                                            device_.description.name, part));
        };
        tellOf(choice_.fusedGraph, "stage 1's graph blocks");
        tellOf(choice_.fusedHypotheses, "the hypothesis blocks");
    }

    void warnOfFullMemory(const MemoryReading& reading) const {
        log(LogLevel::warning,
            fmt::format(
                "GPU memory is {:.0f} % full: {:.1f} of {:.1f} GiB, {:.0f} MiB by Threefold",
                100.0 * reading.share(), static_cast<double>(reading.used) / kGibibyte,
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

    /// What `make` makes with the algorithms that an earlier process chose for such a shape; those
    /// that are chosen now are kept for the next one. 8 bit shares float16's.
    template <class Make>
    auto withKeptAlgorithms(const NetworkShape& shape, const Make& make) {
        const PlanKey key = planKey(shape.batch, shape.views, widePrecision(options_.precision));
        Plan plan = store_.load(key).value_or(Plan{});
        lanes_.algorithms = plan.algorithms;
        auto made = make();
        if (lanes_.algorithms != plan.algorithms) {
            plan.algorithms = lanes_.algorithms;
            store_.save(key, plan);
            // Timing took memory that nothing needs any more.
            deviceMemory_.trim();
            api_.trim();
        }
        return made;
    }

    /// 8-bit scales: measured on the samples given, else those of an earlier plan, else measured on
    /// the bundled samples. They are kept with the plan of one mesh of the published views.
    CalibratedRanges rangesForPrecision() {
        if (!isEightBit(options_.precision) || !choice_.fusedHypotheses) return {};
        const PlanKey key = planKey(1, kPublishedViews.size(), options_.precision);
        Plan plan = store_.load(key).value_or(Plan{});
        if (options_.calibration.empty())
            if (const auto kept = keptRanges(plan)) return *kept;
        const std::vector<NetworkInput> samples =
            options_.calibration.empty() ? bundledCalibration() : options_.calibration;
        log(LogLevel::info, fmt::format("measuring {} scales on {} samples",
                                        precisionName(options_.precision), samples.size()));
        const CalibratedRanges ranges = withKeptAlgorithms({1, kPublishedViews.size()}, [&] {
            return calibrate(model_, device_.limits, lanes_, deviceMemory_, pinnedMemory_, samples);
        });
        keepRanges(ranges, plan);
        store_.save(key, plan);
        return ranges;
    }

    /// After these runs the pools should not need the device any more.
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

    /// Inputs of the same number of views.
    void runAlike(std::span<const NetworkInput> inputs, const RunOptions& options,
                  std::vector<Reconstruction>& results) {
        if (options.probe) {
            for (const NetworkInput& input : inputs) results.push_back(runProbed(input, options));
            return;
        }
        batches_.run(inputs.size(), [&](std::size_t first, std::size_t count) {
            if (options.cancel.stop_requested()) throw Cancelled();
            if (options.progress) options.progress({Stage::preprocess, 0.0F});
            const auto part = inputs.subspan(first, count);
            std::vector<Reconstruction> meshes = runOnGraph(part, options.stages);
            countBatch();
            complete(meshes, part, options);
            std::ranges::move(meshes, std::back_inserter(results));
        });
    }

    void countBatch() {
        if (++batchesSinceLook_ >= kBatchesBetweenLooks) lookAtMemory();
    }

    /// Also finds how large a batch would fit beside the graph that was captured last.
    MemoryReading lookAtMemory() {
        batchesSinceLook_ = 0;
        const PoolCounters pool = deviceMemory_.counters();
        const std::size_t free = api_.freeBytes() + pool.bytesHeld - pool.bytesInUse;
        const auto usable = static_cast<std::size_t>(kUsableShare * static_cast<double>(free));
        if (captured_ > 0) fitting_ = std::max(captured_, usable / (capturedBytes_ / captured_));
        return monitor_.read();
    }

    void complete(std::span<Reconstruction> meshes, std::span<const NetworkInput> inputs,
                  const RunOptions& options) const {
        // A replay is one launch of about a millisecond: its stages are reported when it has ended.
        if (options.progress) {
            const StageTimings& timings = meshes.front().timings;
            for (const StageTiming& timing : timings) options.progress({timing.stage, 1.0F});
            if (timings.empty()) options.progress({Stage::block2, 1.0F});
        }
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            meshes[i].levelFaces = faces_;
            meshes[i].templateMesh = {model_, &model_->mesh};
            toFirstView(meshes[i], inputs[i].ahead);
        }
    }

    /// The graph for such a batch, now the current one. `stages`: as RunOptions says.
    const std::shared_ptr<MeshGraph>& graphFor(std::span<const NetworkInput> inputs, bool stages) {
        // Slots only ever grow, so that images of changing sizes share a graph.
        largestSlot_ = std::max(largestSlot_, slotPixels(inputs));
        const NetworkShape shape{inputs.size(),       inputs.front().images.size(),
                                 largestSlot_,        false,
                                 kMostPendingBatches, options_.entropy && inputs.size() == 1};
        if (!current_ || current_->shape() != shape) {
            std::shared_ptr<MeshGraph> found = cache_.find(shape);
            if (!found) found = capture(shape, inputs, stages);
            current_ = std::move(found);
        }
        return current_;
    }

    std::vector<Reconstruction> runOnGraph(std::span<const NetworkInput> inputs, bool stages) {
        const std::shared_ptr<MeshGraph>& graph = graphFor(inputs, stages);
        return graph->finish(graph->begin(inputs, stages));
    }

    std::shared_ptr<MeshGraph> capture(const NetworkShape& shape,
                                       std::span<const NetworkInput> inputs, bool stages) {
        // What is too big for the cache lives as long as it is the current one.
        current_.reset();
        const Unsealed unsealed(deviceMemory_, pinnedMemory_);
        const Stopwatch watch;
        auto graph = std::make_shared<MeshGraph>(makeNetwork(shape), lanes_, inputs,
                                                 options_.stageTimes, stages, options_.graphs);
        cache_.insert(shape, graph, graph->bytes());
        captured_ = inputs.size();
        capturedBytes_ = graph->bytes();
        const MemoryReading memory = lookAtMemory();
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
        return withKeptAlgorithms(shape, [&] {
            return std::make_unique<Network>(weights_, device_.limits, options_.precision, choice_,
                                             shape, lanes_, deviceMemory_, pinnedMemory_);
        });
    }

    void makeRoom() {
        for (Begun& batch : begun_) settle(batch);
        current_.reset();
        cache_.clear();
        deviceMemory_.trim();
        pinnedMemory_.trim();
        api_.trim();
    }

    /// Step by step, each tensor copied out as soon as it is there.
    Reconstruction runProbed(const NetworkInput& input, const RunOptions& options) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        const NetworkShape shape{1, input.images.size(), slotPixels({&input, 1}), true};
        const Unsealed unsealed(deviceMemory_, pinnedMemory_);
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
    std::size_t bareBytes_;  ///< in use on the device before the first allocation
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
    std::size_t captured_ = 0;  ///< batch of the graph that was captured last
    std::size_t capturedBytes_ = 0;
    std::size_t fitting_ = kMostBatch;  ///< batch that the memory would hold at the last look
    std::size_t batchesSinceLook_ = 0;
    std::deque<Begun> begun_;  ///< the oldest first
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
    CudaOptions withoutGraph = options;
    withoutGraph.warmUpRuns = 0;
    CudaBackend(model, withoutGraph).timeSteps(inputs, replays, report, cancel);
}

}  // namespace threefold::cuda
