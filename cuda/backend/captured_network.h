#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cuda/backend/device_network.h"
#include "cuda/runtime/handles.h"
#include "engine/network/cuda_options.h"
#include "engine/profile/stopwatch.h"

namespace threefold::cuda {

/// Steps of a batch whose times are measured.
enum class TimedSteps {
    preprocessing,  ///< only preprocessing: events between the other steps would leave gaps
    all,
};

/// Device events at the marks of a sequence of launches. The events give the times of run steps.
class RunStepEvents {
  public:
    RunStepEvents();

    cudaEvent_t event(Mark mark) const {
        return events_[static_cast<std::size_t>(mark.step)][static_cast<std::size_t>(mark.edge)]
            .get();
    }

    /// Timings of the last finished run, in the order of the steps.
    StepTimings timings(TimedSteps steps) const;

  private:
    static constexpr std::size_t kStepCount = kStepsBeforeBlocks + kPublishedHypothesisBlocks;

    std::array<std::array<OwnedEvent, 2>, kStepCount> events_;  ///< by step and edge
};

/// Network whose launches are captured into a CUDA graph, which runs between the copies of a
/// batch's inputs and results. Each TimedSteps has a graph of its own. Without
/// CudaTuning::cudaGraphs, launches the kernels one by one; without CudaTuning::stepTimes, records
/// no events. One thread at a time.
class CapturedNetwork {
  public:
    /// Runs `first` once uncaptured (so that nothing is loaded or chosen while capturing), then
    /// captures the graph for begin(…, steps). Throws OutOfDeviceMemory, DeviceError.
    CapturedNetwork(std::unique_ptr<DeviceNetwork> network, std::span<const NetworkInput> first,
                    const CudaTuning& tuning, TimedSteps steps);

    /// Captures the graph for begin(…, steps), unless it is captured already. A capture increases
    /// bytes(). Throws OutOfDeviceMemory, DeviceError.
    void prepare(TimedSteps steps);

    /// Starts a batch with as many inputs and views as the network's shape has. Returns the batch's
    /// slot, which is held until finish() or drop(). Throws std::logic_error if no slot is free,
    /// DeviceLost, DeviceError.
    std::size_t begin(std::span<const NetworkInput> inputs, TimedSteps steps);
    /// Waits for the batch. The results have no faces; each timing is the time of the batch divided
    /// by the batch's size. Throws DeviceLost, DeviceError.
    std::vector<Reconstruction> finish(std::size_t slot);
    void drop(std::size_t slot) noexcept { network_->drop(slot); }

    const NetworkShape& shape() const { return network_->shape(); }
    /// Device and pinned memory held now; grows with each graph captured.
    std::size_t bytes() const { return network_->bytes() + graphBytes_; }
    std::size_t nodes() const { return nodes_; }  ///< nodes of the last captured graph

  private:
    struct CapturedGraph {
        OwnedGraph graph;  ///< keeps the nodes' handles valid
        OwnedGraphExec exec;
        std::vector<std::pair<Mark, cudaGraphNode_t>> markNodes = {};
        std::size_t recordedSlot = 0;
    };

    /// Graph that times these steps; captured on first use.
    CapturedGraph& graphFor(TimedSteps steps);
    CapturedGraph capture(TimedSteps steps);

    /// Hooks that record the slot's events, if times are measured.
    NetworkHooks markHooks(std::size_t slot, TimedSteps steps);

    /// Makes the graph record the slot's events.
    void recordSlot(CapturedGraph& captured, std::size_t slot);

    std::unique_ptr<DeviceNetwork> network_;
    bool cudaGraphs_;
    std::vector<RunStepEvents> events_;                   ///< one for each slot; empty: not timed
    std::vector<Stopwatch> stopwatches_;                  ///< one for each slot
    std::vector<TimedSteps> timedSteps_;                  ///< one for each slot
    std::array<std::optional<CapturedGraph>, 2> graphs_;  ///< one for each of TimedSteps
    std::size_t nodes_ = 0;
    std::size_t graphBytes_ = 0;
};

}  // namespace threefold::cuda
