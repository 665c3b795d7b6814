#pragma once

#include <array>
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

    /// Of the last run, once it has ended; in the order of the stages.
    StageTimings timings() const;

  private:
    std::array<OwnedEvent, kMarks> events_;
};

/// The network captured into one CUDA graph, between the copies of a batch's inputs and results.
/// One thread at a time.
class MeshGraph {
  public:
    /// Runs `first` once as it is (so that nothing is loaded or chosen while capturing), then
    /// captures. `timed`: with events between the stages. Throws OutOfDeviceMemory, DeviceError.
    MeshGraph(std::unique_ptr<Network> network, Lanes& lanes, std::span<const NetworkInput> first,
              bool timed);

    /// As many inputs, of as many views, as the network's shape says. The batch has the slot that
    /// is returned until it is finished or dropped. Throws InputError where no slot is free,
    /// DeviceLost, DeviceError.
    std::size_t begin(std::span<const NetworkInput> inputs);
    /// Waits. The results have no faces; timings are each its share of the batch's. Throws
    /// DeviceLost, DeviceError.
    std::vector<Reconstruction> finish(std::size_t slot);
    void drop(std::size_t slot) noexcept { network_->drop(slot); }

    const NetworkShape& shape() const { return network_->shape(); }
    /// Memory that it keeps: what the graph cache counts.
    std::size_t bytes() const { return network_->bytes() + graphBytes_; }
    std::size_t nodes() const { return nodes_; }

  private:
    void capture();

    /// The graph's events become those of the slot's clock.
    void useClock(std::size_t slot);

    std::unique_ptr<Network> network_;
    Lanes* lanes_;
    std::vector<StageClock> clocks_;  ///< of each slot; none: not timed
    std::size_t clockInUse_ = 0;
    std::vector<Stopwatch> watches_;  ///< of each slot
    OwnedGraph graph_;                ///< keeps the nodes' handles valid
    OwnedGraphExec exec_;
    std::vector<std::pair<Mark, cudaGraphNode_t>> markNodes_;
    std::size_t nodes_ = 0;
    std::size_t graphBytes_ = 0;
};

}  // namespace threefold::cuda
