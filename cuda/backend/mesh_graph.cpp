#include "cuda/backend/mesh_graph.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "cuda/runtime/capture.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/nvtx_range.h"
#include "engine/profile/stopwatch.h"

namespace threefold::cuda {
namespace {

/// The node that was captured last in this stream.
cudaGraphNode_t lastNode(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    std::size_t count = 0;
    CUDA_CHECK(
        cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, nullptr, &count));
    return status == cudaStreamCaptureStatusActive && count == 1 ? nodes[0] : nullptr;
}

struct Span {
    Stage stage;
    Mark from;
    Mark to;
};
constexpr Span kSpans[] = {
    {Stage::preprocess, Mark::begin, Mark::preprocessed},
    {Stage::cnn1, Mark::preprocessed, Mark::cnn1},
    {Stage::graph1, Mark::cnn1, Mark::graph1},
    {Stage::graph2, Mark::graph1, Mark::graph2},
    {Stage::graph3, Mark::graph2, Mark::graph3},
    {Stage::cnn2, Mark::preprocessed, Mark::cnn2},
    {Stage::block1, Mark::joined, Mark::block1},
    {Stage::block2, Mark::block1, Mark::block2},
};

}  // namespace

StageClock::StageClock() {
    for (OwnedEvent& event : events_) event = makeEvent(true);
}

void StageClock::record(Mark mark, cudaStream_t stream, bool captured) {
    // Without the flag an event that is recorded while capturing only orders the graph's nodes.
    CUDA_CHECK(
        cudaEventRecordWithFlags(events_[static_cast<std::size_t>(mark)].get(), stream,
                                 captured ? cudaEventRecordExternal : cudaEventRecordDefault));
}

StageTimings StageClock::timings() const {
    const auto event = [this](Mark mark) { return events_[static_cast<std::size_t>(mark)].get(); };
    StageTimings timings;
    for (const Span& span : kSpans) {
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event(span.from), event(span.to)));
        timings.push_back({span.stage, milliseconds});
    }
    return timings;
}

MeshGraph::MeshGraph(std::unique_ptr<Network> network, Lanes& lanes,
                     std::span<const NetworkInput> first, bool timed)
    : network_(std::move(network)), lanes_(&lanes), timed_(timed) {
    network_->stage(first);
    network_->enqueueAndWait({});

    std::size_t free = 0;
    std::size_t freeAfter = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    capture(timed);
    CUDA_CHECK(cudaMemGetInfo(&freeAfter, &total));
    graphBytes_ = free > freeAfter ? free - freeAfter : 0;
}

void MeshGraph::capture(bool timed) {
    const NvtxRange range("capture");
    cudaStream_t main = lanes_->main;
    NetworkHooks hooks;
    hooks.uploaded = [this](cudaStream_t stream) { upload_ = lastNode(stream); };
    if (timed) {
        hooks.mark = [this](Mark mark, cudaStream_t stream) { clock_.record(mark, stream, true); };
    }
    Capture running(main);
    network_->enqueue(hooks);
    graph_ = running.end();
    uploadBytes_ = network_->stagedBytes();

    CUDA_CHECK(cudaGraphGetNodes(graph_.get(), nullptr, &nodes_));
    exec_ = instantiate(graph_);
    CUDA_CHECK(cudaGraphUpload(exec_.get(), main));
    CUDA_CHECK(cudaStreamSynchronize(main));
}

std::vector<Reconstruction> MeshGraph::run(std::span<const NetworkInput> inputs) {
    const NvtxRange range("mesh");
    const Stopwatch watch;
    network_->stage(inputs);
    // Images of another size: the graph stays, its copy takes another number of bytes.
    if (network_->stagedBytes() != uploadBytes_) {
        CUDA_CHECK(cudaGraphExecMemcpyNodeSetParams1D(
            exec_.get(), upload_, network_->deviceInputs(), network_->pinnedInputs(),
            network_->stagedBytes(), cudaMemcpyHostToDevice));
        uploadBytes_ = network_->stagedBytes();
    }
    CUDA_CHECK(cudaGraphLaunch(exec_.get(), lanes_->main));
    CUDA_CHECK(cudaStreamSynchronize(lanes_->main));
    std::vector<Reconstruction> meshes = network_->results();
    const StageTimings timings = timed_ ? clock_.timings() : StageTimings{};
    const double wall = watch.milliseconds() / static_cast<double>(meshes.size());
    for (Reconstruction& mesh : meshes) {
        mesh.timings = timings;
        for (StageTiming& timing : mesh.timings) {
            timing.milliseconds /= static_cast<double>(meshes.size());
        }
        mesh.wallMilliseconds = wall;
    }
    return meshes;
}

}  // namespace threefold::cuda
