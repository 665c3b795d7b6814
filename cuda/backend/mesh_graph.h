#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "cuda/backend/network.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// Times between the marks of a sequence, by events of the device. They may be nodes of a graph:
/// each replay records them anew.
class StageClock {
  public:
    StageClock();

    /// Records the event of a mark; `captured`: as a node of the graph that is being captured.
    void record(Mark mark, cudaStream_t stream, bool captured);

    /// Of the last run, once it has ended; in the order of the stages.
    StageTimings timings() const;

  private:
    std::array<OwnedEvent, kMarks> events_;
};

/// The network captured into one CUDA graph: a mesh, or a batch of them, is a copy into page-locked
/// memory, one launch, and a wait. One thread at a time.
class MeshGraph {
  public:
    /// Runs `first` once as it is (so that nothing is loaded or chosen while capturing), then
    /// captures. `timed`: with the events between the stages. Throws OutOfDeviceMemory,
    /// DeviceError.
    MeshGraph(std::unique_ptr<Network> network, Lanes& lanes, std::span<const NetworkInput> first,
              bool timed);

    /// As many inputs, of as many views, as the network's shape says. The results have no faces;
    /// timings are each its share of the batch's. Throws DeviceLost, DeviceError.
    std::vector<Reconstruction> run(std::span<const NetworkInput> inputs);

    const NetworkShape& shape() const { return network_->shape(); }
    /// Memory that it keeps: what the graph cache counts.
    std::size_t bytes() const { return network_->bytes() + graphBytes_; }
    std::size_t nodes() const { return nodes_; }

  private:
    void capture(bool timed);

    std::unique_ptr<Network> network_;
    Lanes* lanes_;
    StageClock clock_;
    bool timed_;
    OwnedGraph graph_;  ///< keeps the node's handle valid
    OwnedGraphExec exec_;
    cudaGraphNode_t upload_ = nullptr;
    std::size_t uploadBytes_ = 0;  ///< that the graph's copy node takes
    std::size_t nodes_ = 0;
    std::size_t graphBytes_ = 0;
};

}  // namespace threefold::cuda
