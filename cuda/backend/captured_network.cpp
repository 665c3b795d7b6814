#include "cuda/backend/captured_network.h"

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"

namespace threefold::cuda {
namespace {

/// Node captured last in this stream.
cudaGraphNode_t lastNode(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    std::size_t count = 0;
    CUDA_CHECK(
        cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, nullptr, &count));
    return status == cudaStreamCaptureStatusActive && count == 1 ? nodes[0] : nullptr;
}

/// Intervals between marks. Those of one run step are adjacent and added up.
struct MarkInterval {
    RunStep step;
    Mark from;
    Mark to;
};
constexpr MarkInterval kMarkIntervals[] = {
    {RunStep::preprocess, Mark::begin, Mark::preprocessed},
    {RunStep::cnn1, Mark::preprocessed, Mark::cnn1},
    {RunStep::project1, Mark::cnn1, Mark::pooled1},
    {RunStep::project1, Mark::graph1, Mark::pooled2},
    {RunStep::project1, Mark::graph2, Mark::pooled3},
    {RunStep::graph1, Mark::pooled1, Mark::graph1},
    {RunStep::graph2, Mark::pooled2, Mark::graph2},
    {RunStep::graph3, Mark::pooled3, Mark::graph3},
    {RunStep::cnn2, Mark::preprocessed, Mark::cnn2},
    {RunStep::block1, Mark::joined, Mark::block1},
    {RunStep::block2, Mark::block1, Mark::block2},
};

}  // namespace

RunStepClock::RunStepClock() {
    for (OwnedEvent& event : events_) event = makeTimedEvent();
}

StepTimings RunStepClock::timings(bool allMarks) const {
    StepTimings timings;
    for (const MarkInterval& interval : kMarkIntervals) {
        if (!allMarks && interval.step != RunStep::preprocess) continue;
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event(interval.from), event(interval.to)));
        if (!timings.empty() && timings.back().step == interval.step)
            timings.back().milliseconds += milliseconds;
        else
            timings.push_back({interval.step, milliseconds});
    }
    return timings;
}

CapturedNetwork::CapturedNetwork(std::unique_ptr<Network> network, StreamContexts& contexts,
                                 std::span<const NetworkInput> first, bool timed, bool wantTimings,
                                 bool cudaGraphs)
    : network_(std::move(network)),
      contexts_(&contexts),
      cudaGraphs_(cudaGraphs),
      clocks_(timed ? network_->shape().batchSlots : 0),
      stopwatches_(network_->shape().batchSlots),
      hasStepTimings_(network_->shape().batchSlots) {
    network_->run(first, {});
    if (cudaGraphs_) captured(wantTimings);
}

CapturedNetwork::Captured& CapturedNetwork::captured(bool wantTimings) {
    const bool clocked = wantTimings && !clocks_.empty();
    const auto entry = captured_.find(clocked);
    if (entry != captured_.end()) return entry->second;
    std::size_t free = 0;
    std::size_t freeAfter = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    Captured& result = captured_.emplace(clocked, capture(clocked)).first->second;
    CUDA_CHECK(cudaMemGetInfo(&freeAfter, &total));
    graphBytes_ += free > freeAfter ? free - freeAfter : 0;
    return result;
}

CapturedNetwork::Captured CapturedNetwork::capture(bool wantTimings) {
    const NvtxRange range("capture");
    cudaStream_t main = contexts_->main;
    Captured result;
    NetworkHooks hooks;
    if (!clocks_.empty()) {
        hooks.mark = [&](Mark mark, cudaStream_t stream) {
            if (!wantTimings && mark != Mark::preprocessed) return;
            // Without the flag the event would only order the graph's nodes.
            CUDA_CHECK(cudaEventRecordWithFlags(clocks_.front().event(mark), stream,
                                                cudaEventRecordExternal));
            result.markNodes.emplace_back(mark, lastNode(stream));
        };
    }
    Capture running(main);
    network_->enqueue(hooks);
    result.graph = running.end();

    CUDA_CHECK(cudaGraphGetNodes(result.graph.get(), nullptr, &nodes_));
    result.exec = instantiate(result.graph);
    CUDA_CHECK(cudaGraphUpload(result.exec.get(), main));
    CUDA_CHECK(cudaStreamSynchronize(main));
    return result;
}

void CapturedNetwork::useClock(Captured& captured, std::size_t slot) {
    if (clocks_.empty() || captured.clockInUse == slot) return;
    for (const auto& [mark, node] : captured.markNodes)
        CUDA_CHECK(cudaGraphExecEventRecordNodeSetEvent(captured.exec.get(), node,
                                                        clocks_[slot].event(mark)));
    captured.clockInUse = slot;
}

NetworkHooks CapturedNetwork::markHooks(std::size_t slot, bool allMarks) {
    NetworkHooks hooks;
    if (clocks_.empty()) return hooks;
    hooks.mark = [this, slot, allMarks](Mark mark, cudaStream_t stream) {
        if (!allMarks && mark != Mark::begin && mark != Mark::preprocessed) return;
        CUDA_CHECK(cudaEventRecord(clocks_[slot].event(mark), stream));
    };
    return hooks;
}

std::size_t CapturedNetwork::begin(std::span<const NetworkInput> inputs, bool wantTimings) {
    const NvtxRange range("mesh");
    Captured* replayed = cudaGraphs_ ? &captured(wantTimings) : nullptr;
    const Stopwatch watch;
    const std::size_t slot = network_->stage(inputs);
    stopwatches_[slot] = watch;
    hasStepTimings_[slot] = wantTimings;
    const NetworkHooks marks = markHooks(slot, wantTimings);
    network_->begin(slot, marks, [&] {
        if (replayed == nullptr) return network_->enqueue(marks);
        useClock(*replayed, slot);
        CUDA_CHECK(cudaGraphLaunch(replayed->exec.get(), contexts_->main));
    });
    return slot;
}

std::vector<Reconstruction> CapturedNetwork::finish(std::size_t slot) {
    std::vector<Reconstruction> meshes = network_->finish(slot);
    const StepTimings timings =
        clocks_.empty() ? StepTimings{} : clocks_[slot].timings(hasStepTimings_[slot]);
    const double wall = stopwatches_[slot].milliseconds() / static_cast<double>(meshes.size());
    for (Reconstruction& mesh : meshes) {
        mesh.timings = timings;
        for (StepTiming& timing : mesh.timings)
            timing.milliseconds /= static_cast<double>(meshes.size());
        mesh.wallMilliseconds = wall;
    }
    return meshes;
}

}  // namespace threefold::cuda
