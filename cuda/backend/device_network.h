#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cuda/backend/batch_slots.h"
#include "cuda/backend/device_model.h"
#include "cuda/backend/device_tensor.h"
#include "cuda/backend/input_staging.h"
#include "cuda/backend/network_memory.h"
#include "cuda/backend/network_resources.h"
#include "cuda/backend/stream_contexts.h"
#include "cuda/kernels/element.h"
#include "cuda/kernels/pooling.h"
#include "cuda/library/cnn.h"
#include "cuda/library/graph_block.h"
#include "cuda/library/hypothesis_block.h"
#include "engine/model/run_step.h"
#include "engine/network/reconstruction.h"

namespace threefold::cuda {

/// Outputs of a sequence of launches besides the meshes.
enum class ExtraTensors {
    none,
    scores,  ///< the hypotheses' scores; adds kEntropyChannel to the refined stages
    probes,  ///< scores and some features, for probes; batch 1 only
};

/// Parameters that a sequence of launches is built for. Any difference needs another sequence.
struct NetworkShape {
    std::size_t batch = 1;
    std::size_t views = 3;
    std::size_t maxImagePixels = 0;  ///< maximum pixels of an image (slotPixels())
    ExtraTensors extraTensors = ExtraTensors::none;
    std::size_t batchSlots = 1;  ///< batches that may be in flight at once

    bool keepsScores() const { return extraTensors != ExtraTensors::none; }

    bool operator==(const NetworkShape&) const = default;
};

/// Point of the sequence where a run step begins or ends. The sequence has these: begin and end of
/// preprocess, the graph steps and the first hypothesis block; the end alone of cnn1, of cnn2 (in
/// the side stream) and of later hypothesis blocks.
struct Mark {
    enum class Edge { begin, end };

    RunStep step;
    Edge edge;

    bool operator==(const Mark&) const = default;
};
constexpr Mark beginOf(RunStep step) {
    return {step, Mark::Edge::begin};
}
constexpr Mark endOf(RunStep step) {
    return {step, Mark::Edge::end};
}

/// Callbacks while the sequence is enqueued; all may be empty.
struct NetworkHooks {
    std::function<void(Mark, cudaStream_t)> onMark;
    /// Called in place of each step; must call `work`, which enqueues the step into `stream`, at
    /// least once (see library::OperationHook). `runStep`: name as in timings; "download" for the
    /// copy of the results.
    std::function<void(std::string_view runStep, const library::Operation& step,
                       cudaStream_t stream, const std::function<void()>& work)>
        onStep;
    /// Called after the step that computes the tensor, in the order of the main stream; stage 2's
    /// maps follow the begin of RunStep::block1. Needs ExtraTensors::probes.
    std::function<void(const DeviceTensor&)> onTensor;
    /// Six values in device memory for each hypothesis block (HypothesisArguments::ranges), or
    /// null. Fused blocks only.
    std::array<float*, kPublishedHypothesisBlocks> quantisationRanges{};
};

/// The whole method as a sequence of launches over fixed memory (METHOD.md §3 to §7), from inputs
/// to meshes in page-locked memory. One thread at a time.
class DeviceNetwork {
  public:
    /// Allocates all memory of a run, lets the libraries choose their algorithms (see
    /// library::Context) and waits until constants are copied. Throws OutOfDeviceMemory,
    /// DeviceError. `model` must outlive the network.
    DeviceNetwork(const DeviceModel& model, const NetworkShape& shape,
                  const NetworkResources& resources);

    /// Enqueues the computation from inputs to meshes, both on the device. May be captured; begins
    /// and ends in the main stream.
    void enqueue(const NetworkHooks& hooks);

    /// Writes inputs of this shape into page-locked memory. Returns the batch's slot, held until
    /// finish() or drop(). Throws std::logic_error if no slot is free.
    std::size_t fillSlot(std::span<const NetworkInput> inputs) { return slots_.fillSlot(inputs); }
    /// Enqueues a staged batch's upload, `compute` (enqueue() or a captured graph) and download.
    /// After an exception the device is idle and the batch dropped.
    void begin(std::size_t slot, const NetworkHooks& hooks, const std::function<void()>& compute);
    /// Waits for a batch and returns its meshes, without faces and timings.
    std::vector<Reconstruction> finish(std::size_t slot);
    /// Waits for a batch and discards its meshes.
    void drop(std::size_t slot) noexcept;

    /// Runs one batch from inputs to meshes without a captured graph.
    std::vector<Reconstruction> run(std::span<const NetworkInput> inputs,
                                    const NetworkHooks& hooks);

    const NetworkShape& shape() const { return shape_; }
    const StreamContexts& contexts() const { return *contexts_; }
    std::size_t bytes() const { return memory_.bytes() + slots_.bytes(); }

  private:
    const DeviceLimits& limits() const { return model_->configuration().limits; }
    Precision precision() const { return model_->configuration().precision; }
    const KernelChoice& choice() const { return model_->configuration().choice; }
    std::size_t maxGraphWorkspace() const;  ///< bytes, the maximum over all levels
    NetworkMemorySizes memorySizes() const;
    void copyConstants();
    void preprocessImages(const NetworkHooks& hooks);
    void convolve(RunStep step, cudaStream_t stream, const library::Cnn& cnn,
                  const std::byte* weights, std::byte* workspace, const NetworkHooks& hooks);
    void graphBlock(std::size_t level, const NetworkHooks& hooks);
    void unpool(std::size_t level, const NetworkHooks& hooks);
    void hypothesisBlock(std::size_t block, const NetworkHooks& hooks);
    double minimumFlop(RunStep step) const;  ///< of the whole batch
    /// Pooling of `count` points of each mesh in the maps of `cnn`, which lie in `workspace`.
    PoolingArguments pooling(const float* points, int count, const library::Cnn& cnn,
                             const std::byte* workspace) const;
    void reportFeatures(std::size_t block, const float* points, const NetworkHooks& hooks);

    const DeviceModel* model_;
    ElementType element_;
    NetworkShape shape_;
    StreamContexts* contexts_;
    InputLayout layout_;
    OwnedEvent forkEvent_;
    OwnedEvent joinEvent_;

    library::Cnn cnn1_;
    library::Cnn cnn2_;
    std::vector<library::GraphBlock> libraryGraph_;  ///< empty if the graph blocks are fused
    std::optional<library::HypothesisBlock> libraryBlock_;

    NetworkMemory memory_;
    BatchSlots slots_;
};

}  // namespace threefold::cuda
