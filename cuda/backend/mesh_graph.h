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

/// Times between the marks of a sequence, by events of the device.
class StageClock {
  public:
    StageClock();

    cudaEvent_t event(Mark mark) const { return events_[static_cast<std::size_t>(mark)].get(); }

    /// Of the last run, once it has ended; in the order of the stages. Not `all`: of preprocessing.
    StageTimings timings(bool all = true) const;

  private:
    std::array<OwnedEvent, kMarks> events_;
};

/// The network captured into a CUDA graph, between the copies of a batch's inputs and results; into
/// a second one where some batches' stages are timed and others' are not. Or, without `graphs`, the
/// network whose kernels are launched one by one. One thread at a time.
class MeshGraph {
  public:
    /// Runs `first` once as it is (so that nothing is loaded or chosen while capturing), then
    /// captures for batches that begin with `stages`. `timed`: with events, see begin(). Throws
    /// OutOfDeviceMemory, DeviceError.
    MeshGraph(std::unique_ptr<Network> network, Lanes& lanes, std::span<const NetworkInput> first,
              bool timed, bool stages = true, bool graphs = true);

    /// As many inputs, of as many views, as the network's shape says. The batch has the slot that
    /// is returned until it is finished or dropped. Throws InputError where no slot is free,
    /// DeviceLost, DeviceError.
    /// `stages`: with events between all stages, where it is timed; else one after preprocessing.
    std::size_t begin(std::span<const NetworkInput> inputs, bool stages = true);
    /// Waits. The results have no faces; timings are each its share of the batch's. Throws
    /// DeviceLost, DeviceError.
    std::vector<Reconstruction> finish(std::size_t slot);
    void drop(std::size_t slot) noexcept { network_->drop(slot); }

    const NetworkShape& shape() const { return network_->shape(); }
    /// Memory that it keeps: what the graph cache counts.
    std::size_t bytes() const { return network_->bytes() + graphBytes_; }
    std::size_t nodes() const { return nodes_; }  ///< of the graph that was captured last

  private:
    struct Captured {
        OwnedGraph graph;  ///< keeps the nodes' handles valid
        OwnedGraphExec exec;
        std::vector<std::pair<Mark, cudaGraphNode_t>> markNodes = {};
        std::size_t clockInUse = 0;
    };

    /// The graph with events between the stages, or the other one; captured now where it is new.
    Captured& captured(bool stages);
    Captured capture(bool stages);

    /// Marks of the slot's clock, where it is timed: all, or the one after preprocessing.
    NetworkHooks marksOf(std::size_t slot, bool all);

    /// The graph's events become those of the slot's clock.
    void useClock(Captured& captured, std::size_t slot);

    std::unique_ptr<Network> network_;
    Lanes* lanes_;
    bool graphs_;
    std::vector<StageClock> clocks_;  ///< of each slot; none: not timed
    std::vector<Stopwatch> watches_;  ///< of each slot
    std::vector<bool> staged_;        ///< of each slot: whether its stages are timed
    std::map<bool, Captured> captured_;
    std::size_t nodes_ = 0;
    std::size_t graphBytes_ = 0;
};

}  // namespace threefold::cuda
