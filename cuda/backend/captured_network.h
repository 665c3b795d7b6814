#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cuda/backend/network.h"
#include "cuda/runtime/handles.h"
#include "engine/profile/stopwatch.h"

namespace threefold::cuda {

/// Times of run steps from device events at the marks of a sequence.
class RunStepClock {
  public:
    RunStepClock();

    cudaEvent_t event(Mark mark) const { return events_[static_cast<std::size_t>(mark)].get(); }

    /// Timings of the last finished run, in the order of the steps; `all` false: preprocessing
    /// only.
    StepTimings timings(bool all = true) const;

  private:
    std::array<OwnedEvent, kMarks> events_;
};

/// Network captured into a CUDA graph that runs between the copies of a batch's inputs and results;
/// batches with and without step times use separate graphs. Without `cudaGraphs`, launches the
/// kernels one by one. One thread at a time.
class CapturedNetwork {
  public:
    /// Runs `first` once uncaptured (so that nothing is loaded or chosen while capturing), then
    /// captures the graph for begin(…, wantTimings). `timed`: records events, see begin(). Throws
    /// OutOfDeviceMemory, DeviceError.
    CapturedNetwork(std::unique_ptr<Network> network, StreamContexts& contexts,
                    std::span<const NetworkInput> first, bool timed, bool wantTimings = true,
                    bool cudaGraphs = true);

    /// Starts a batch; number of inputs and views as in the network's shape. Returns its slot, held
    /// until finish() or drop(). `wantTimings`: if timed, records events between all steps, else
    /// only after preprocessing. Throws InputError if no slot is free, DeviceLost, DeviceError.
    std::size_t begin(std::span<const NetworkInput> inputs, bool wantTimings = true);
    /// Waits for the batch. The results have no faces; each timing is the batch's divided by its
    /// size. Throws DeviceLost, DeviceError.
    std::vector<Reconstruction> finish(std::size_t slot);
    void drop(std::size_t slot) noexcept { network_->drop(slot); }

    const NetworkShape& shape() const { return network_->shape(); }
    /// Device and pinned memory held, as CaptureCache counts it.
    std::size_t bytes() const { return network_->bytes() + graphBytes_; }
    std::size_t nodes() const { return nodes_; }  ///< nodes of the last captured graph

  private:
    struct Captured {
        OwnedGraph graph;  ///< keeps the nodes' handles valid
        OwnedGraphExec exec;
        std::vector<std::pair<Mark, cudaGraphNode_t>> markNodes = {};
        std::size_t clockInUse = 0;
    };

    /// Graph with or without events between the steps; captured on first use.
    Captured& captured(bool wantTimings);
    Captured capture(bool wantTimings);

    /// Hooks that record the slot's clock if timed: at all marks, or only after preprocessing.
    NetworkHooks markHooks(std::size_t slot, bool all);

    /// Makes the graph record the events of the slot's clock.
    void useClock(Captured& captured, std::size_t slot);

    std::unique_ptr<Network> network_;
    StreamContexts* contexts_;
    bool cudaGraphs_;
    std::vector<RunStepClock> clocks_;    ///< per slot; empty: not timed
    std::vector<Stopwatch> stopwatches_;  ///< of each slot
    std::vector<bool> hasStepTimings_;    ///< per slot
    std::map<bool, Captured> captured_;
    std::size_t nodes_ = 0;
    std::size_t graphBytes_ = 0;
};

}  // namespace threefold::cuda
