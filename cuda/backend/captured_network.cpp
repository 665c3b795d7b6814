#include "cuda/backend/captured_network.h"

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/nvtx_range.h"
#include "cuda/runtime/stream_capture.h"

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

/// Intervals between marks. The time of a run step is the sum of its intervals, which are adjacent
/// in kMarkIntervals.
struct MarkInterval {
    RunStep step;
    Mark from;
    Mark to;
};
constexpr MarkInterval kMarkIntervals[] = {
    {RunStep::preprocess, beginOf(RunStep::preprocess), endOf(RunStep::preprocess)},
    {RunStep::cnn1, endOf(RunStep::preprocess), endOf(RunStep::cnn1)},
    {RunStep::project1, endOf(RunStep::cnn1), beginOf(RunStep::graph1)},
    {RunStep::project1, endOf(RunStep::graph1), beginOf(RunStep::graph2)},
    {RunStep::project1, endOf(RunStep::graph2), beginOf(RunStep::graph3)},
    {RunStep::graph1, beginOf(RunStep::graph1), endOf(RunStep::graph1)},
    {RunStep::graph2, beginOf(RunStep::graph2), endOf(RunStep::graph2)},
    {RunStep::graph3, beginOf(RunStep::graph3), endOf(RunStep::graph3)},
    {RunStep::cnn2, endOf(RunStep::preprocess), endOf(RunStep::cnn2)},
    {RunStep::block1, beginOf(RunStep::block1), endOf(RunStep::block1)},
    {RunStep::block2, endOf(RunStep::block1), endOf(RunStep::block2)},
};

}  // namespace

RunStepEvents::RunStepEvents() {
    for (std::array<OwnedEvent, 2>& ofStep : events_)
        for (OwnedEvent& event : ofStep) event = makeTimedEvent();
}

StepTimings RunStepEvents::timings(TimedSteps steps) const {
    StepTimings timings;
    for (const MarkInterval& interval : kMarkIntervals) {
        if (steps == TimedSteps::preprocessing && interval.step != RunStep::preprocess) continue;
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event(interval.from), event(interval.to)));
        if (!timings.empty() && timings.back().step == interval.step)
            timings.back().milliseconds += milliseconds;
        else
            timings.push_back({interval.step, milliseconds});
    }
    return timings;
}

CapturedNetwork::CapturedNetwork(std::unique_ptr<DeviceNetwork> network,
                                 std::span<const NetworkInput> first, const CudaTuning& tuning,
                                 TimedSteps steps)
    : network_(std::move(network)),
      cudaGraphs_(tuning.cudaGraphs),
      events_(tuning.stepTimes ? network_->shape().batchSlots : 0),
      stopwatches_(network_->shape().batchSlots),
      timedSteps_(network_->shape().batchSlots) {
    network_->run(first, {});
    prepare(steps);
}

void CapturedNetwork::prepare(TimedSteps steps) {
    if (cudaGraphs_) graphFor(steps);
}

CapturedNetwork::CapturedGraph& CapturedNetwork::graphFor(TimedSteps steps) {
    // Without events, one graph serves all batches.
    const TimedSteps timed = events_.empty() ? TimedSteps::preprocessing : steps;
    std::optional<CapturedGraph>& result = graphs_.at(static_cast<std::size_t>(timed));
    if (result) return *result;
    std::size_t free = 0;
    std::size_t freeAfter = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    result = capture(timed);
    CUDA_CHECK(cudaMemGetInfo(&freeAfter, &total));
    graphBytes_ += free > freeAfter ? free - freeAfter : 0;
    return *result;
}

CapturedNetwork::CapturedGraph CapturedNetwork::capture(TimedSteps steps) {
    const NvtxRange range("capture");
    cudaStream_t main = network_->contexts().main;
    CapturedGraph result;
    NetworkHooks hooks;
    if (!events_.empty()) {
        hooks.onMark = [&](Mark mark, cudaStream_t stream) {
            if (steps == TimedSteps::preprocessing && mark != endOf(RunStep::preprocess)) return;
            // Without cudaEventRecordExternal the event would only order the graph's nodes.
            CUDA_CHECK(cudaEventRecordWithFlags(events_.front().event(mark), stream,
                                                cudaEventRecordExternal));
            result.markNodes.emplace_back(mark, lastNode(stream));
        };
    }
    StreamCapture running(main);
    network_->enqueue(hooks);
    result.graph = running.end();

    CUDA_CHECK(cudaGraphGetNodes(result.graph.get(), nullptr, &nodes_));
    result.exec = instantiate(result.graph);
    CUDA_CHECK(cudaGraphUpload(result.exec.get(), main));
    CUDA_CHECK(cudaStreamSynchronize(main));
    return result;
}

void CapturedNetwork::recordSlot(CapturedGraph& captured, std::size_t slot) {
    if (events_.empty() || captured.recordedSlot == slot) return;
    for (const auto& [mark, node] : captured.markNodes)
        CUDA_CHECK(cudaGraphExecEventRecordNodeSetEvent(captured.exec.get(), node,
                                                        events_[slot].event(mark)));
    captured.recordedSlot = slot;
}

NetworkHooks CapturedNetwork::markHooks(std::size_t slot, TimedSteps steps) {
    NetworkHooks hooks;
    if (events_.empty()) return hooks;
    hooks.onMark = [this, slot, steps](Mark mark, cudaStream_t stream) {
        if (steps == TimedSteps::preprocessing && mark.step != RunStep::preprocess) return;
        CUDA_CHECK(cudaEventRecord(events_[slot].event(mark), stream));
    };
    return hooks;
}

std::size_t CapturedNetwork::begin(std::span<const NetworkInput> inputs, TimedSteps steps) {
    const NvtxRange range("mesh");
    CapturedGraph* replayed = cudaGraphs_ ? &graphFor(steps) : nullptr;
    const Stopwatch watch;
    const std::size_t slot = network_->fillSlot(inputs);
    stopwatches_[slot] = watch;
    timedSteps_[slot] = steps;
    const NetworkHooks marks = markHooks(slot, steps);
    network_->begin(slot, marks, [&] {
        if (replayed == nullptr) return network_->enqueue(marks);
        recordSlot(*replayed, slot);
        CUDA_CHECK(cudaGraphLaunch(replayed->exec.get(), network_->contexts().main));
    });
    return slot;
}

std::vector<Reconstruction> CapturedNetwork::finish(std::size_t slot) {
    std::vector<Reconstruction> reconstructions = network_->finish(slot);
    const StepTimings timings =
        events_.empty() ? StepTimings{} : events_[slot].timings(timedSteps_[slot]);
    const double wall =
        stopwatches_[slot].milliseconds() / static_cast<double>(reconstructions.size());
    for (Reconstruction& reconstruction : reconstructions) {
        reconstruction.timings = timings;
        for (StepTiming& timing : reconstruction.timings)
            timing.milliseconds /= static_cast<double>(reconstructions.size());
        reconstruction.wallMilliseconds = wall;
    }
    return reconstructions;
}

}  // namespace threefold::cuda
