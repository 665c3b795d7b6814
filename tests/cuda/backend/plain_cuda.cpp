#include "tests/cuda/backend/plain_cuda.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "cuda/runtime/check.h"
#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

/// Pending operation of a stream.
struct Operation {
    std::function<void()> act;
    int waitsFor = 0;  ///< number of the cudaEventRecord() call to wait for; 0: none
};

constexpr std::size_t kAlignment = 256;

struct FakeCuda {
    std::size_t streams = 0;
    std::deque<char> events;  ///< one element for each event ever created; its address is the
                              ///< handle
    std::map<cudaEvent_t, cudaStream_t> recordedIn;
    std::vector<std::pair<Stream, Stream>> waits;
    bool capturing = false;
    int replays = 0;
    std::size_t uploads = 0;
    float elapsed = 0;
    std::size_t nodes = 0;
    std::size_t graphBytes = 0;       ///< device memory of each graph
    std::size_t graphBytesTaken = 0;  ///< device memory of all graphs
    std::function<void()> replay = [] {};
    int failCopyAfter = -1;
    std::map<const void*, std::size_t> allocated;  ///< bytes of each block of device memory
    std::map<const void*, std::size_t> pinned;     ///< bytes of each page-locked block
    std::size_t maxPinnedBytes = 0;
    std::optional<std::mt19937> random;
    unsigned maxStepsPerCall = 1;  ///< upper bound, exclusive, of the number of queued operations
                                   ///< that run after each enqueue; 1: none run until the host
                                   ///< synchronises
    std::map<cudaStream_t, std::deque<Operation>> queues;
    std::map<cudaEvent_t, int> records;  ///< number of each event's last cudaEventRecord() call
    std::set<cudaEvent_t> captured;      ///< events whose last record is a node of a graph
    int lastRecord = 0;
    std::set<int> pending;  ///< numbers of event records that no stream has reached yet
};

FakeCuda& fakeCuda() {
    static FakeCuda state;
    return state;
}

/// Runs the first operation of a stream that waits for no event; the choice selects one of these
/// streams. Returns false if there is no such stream.
bool runOneOperation(unsigned choice) {
    std::vector<std::deque<Operation>*> ready;
    for (auto& [stream, queue] : fakeCuda().queues) {
        if (!queue.empty() && !fakeCuda().pending.contains(queue.front().waitsFor)) {
            ready.push_back(&queue);
        }
    }
    if (ready.empty()) return false;
    std::deque<Operation>& queue = *ready[choice % ready.size()];
    const Operation operation = std::move(queue.front());
    queue.pop_front();
    const auto savedRandom = std::exchange(fakeCuda().random, std::nullopt);
    operation.act();
    fakeCuda().random = savedRandom;
    return true;
}

void runUntil(const std::function<bool()>& done) {
    while (!done()) {
        const unsigned choice = fakeCuda().random ? (*fakeCuda().random)() : 0;
        if (!runOneOperation(choice)) {
            ADD_FAILURE() << "the streams wait for each other";
            return;
        }
    }
}

void add(cudaStream_t stream, std::function<void()> act, int waitsFor = 0) {
    if (!fakeCuda().random) return act();
    fakeCuda().queues[stream].push_back({std::move(act), waitsFor});
    for (unsigned steps = (*fakeCuda().random)() % fakeCuda().maxStepsPerCall; steps > 0; --steps) {
        runOneOperation((*fakeCuda().random)());
    }
}

bool isPinned(const void* address) {
    const auto after = fakeCuda().pinned.upper_bound(address);
    if (after == fakeCuda().pinned.begin()) return false;
    const auto& [begin, bytes] = *std::prev(after);
    return static_cast<const std::byte*>(address) < static_cast<const std::byte*>(begin) + bytes;
}

bool idle() {
    return std::ranges::all_of(fakeCuda().queues,
                               [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace

void checkCuda(int status, const char* call, const char* /*file*/, int /*line*/) {
    if (status == cudaErrorLaunchFailure) throw DeviceLost({"GPU", call, "was lost", ""});
    EXPECT_EQ(status, cudaSuccess) << call;
}

namespace test {
std::vector<std::pair<Stream, Stream>> takeWaits() {
    return std::exchange(fakeCuda().waits, {});
}
bool capturing() {
    return fakeCuda().capturing;
}
void setElapsed(float milliseconds) {
    fakeCuda().elapsed = milliseconds;
}
RandomStreamOrder::RandomStreamOrder(unsigned seed) {
    fakeCuda().random.emplace(seed);
    fakeCuda().maxStepsPerCall = 1 + seed % 4;
}
RandomStreamOrder::~RandomStreamOrder() {
    runUntil(idle);
    fakeCuda().random.reset();
}
void enqueue(Stream stream, std::function<void()> work) {
    add(stream, std::move(work));
}
std::size_t takeUploads() {
    return std::exchange(fakeCuda().uploads, 0);
}
void setReplay(std::function<void()> replay) {
    fakeCuda().replay = std::move(replay);
}
void failCopy(int after) {
    fakeCuda().failCopyAfter = after;
}
void setMaxPinnedBytes(std::size_t bytes) {
    fakeCuda().maxPinnedBytes = bytes;
}
std::size_t pinnedBytes() {
    std::size_t sum = 0;
    for (const auto& [memory, bytes] : fakeCuda().pinned) sum += bytes;
    return sum;
}
void setGraphBytes(std::size_t bytes) {
    fakeCuda().graphBytes = bytes;
    fakeCuda().graphBytesTaken = 0;
}
void setNodes(std::size_t nodes) {
    fakeCuda().nodes = nodes;
}
int takeReplays() {
    return std::exchange(fakeCuda().replays, 0);
}
}  // namespace test

}  // namespace threefold::cuda

using threefold::cuda::add;
using threefold::cuda::fakeCuda;
using threefold::cuda::idle;
using threefold::cuda::isPinned;
using threefold::cuda::kAlignment;
using threefold::cuda::runUntil;
using threefold::cuda::test::pinnedBytes;

extern "C" {

cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    EXPECT_EQ(flags, cudaStreamNonBlocking)
        << "streams must be non-blocking, so that they can be captured";
    *stream = threefold::cuda::test::FakeDevice::stream(fakeCuda().streams++ % 16);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    runUntil([stream] { return fakeCuda().queues[stream].empty(); });
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    runUntil(idle);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    fakeCuda().waits.emplace_back(stream, fakeCuda().recordedIn[event]);
    add(
        stream, [] {}, fakeCuda().records[event]);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(&fakeCuda().events.emplace_back());
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    fakeCuda().recordedIn.erase(event);
    fakeCuda().captured.erase(event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    fakeCuda().recordedIn[event] = stream;
    if (fakeCuda().capturing) {
        fakeCuda().captured.insert(event);
        return cudaSuccess;
    }
    fakeCuda().captured.erase(event);
    const int record = ++fakeCuda().lastRecord;
    fakeCuda().records[event] = record;
    fakeCuda().pending.insert(record);
    add(stream, [record] { fakeCuda().pending.erase(record); });
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    // An H100 returns the same error for an event that was captured.
    if (fakeCuda().captured.contains(event)) return cudaErrorInvalidValue;
    const int record = fakeCuda().records[event];
    runUntil([record] { return !fakeCuda().pending.contains(record); });
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = fakeCuda().elapsed;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    EXPECT_FALSE(std::exchange(fakeCuda().capturing, true));
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    EXPECT_TRUE(std::exchange(fakeCuda().capturing, false));
    *graph = nullptr;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, std::size_t* count) {
    *count = fakeCuda().nodes;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t, unsigned long long) {
    *exec = nullptr;
    fakeCuda().graphBytesTaken += fakeCuda().graphBytes;
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t stream) {
    EXPECT_FALSE(fakeCuda().capturing);
    ++fakeCuda().replays;
    add(stream, fakeCuda().replay);
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status,
                                     unsigned long long*, cudaGraph_t*, const cudaGraphNode_t**,
                                     const cudaGraphEdgeData**, std::size_t*) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int) {
    std::strncpy(text, "0000:87:00.0", static_cast<std::size_t>(size));
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *total = std::size_t{1} << 30;
    *free = *total - fakeCuda().graphBytesTaken;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
    return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
    *pool = nullptr;
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
    std::uint64_t used = 0;
    for (const auto& [memory, bytes] : fakeCuda().allocated) used += bytes;
    *static_cast<std::uint64_t*>(value) = used;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    fakeCuda().allocated[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    add(stream, [memory] {
        fakeCuda().allocated.erase(memory);
        std::free(memory);
    });
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
    if (fakeCuda().maxPinnedBytes > 0 && pinnedBytes() + bytes > fakeCuda().maxPinnedBytes) {
        return cudaErrorMemoryAllocation;
    }
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    fakeCuda().pinned[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
    fakeCuda().pinned.erase(memory);
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return fakeCuda().pending.contains(fakeCuda().records[event]) ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    add(stream, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    EXPECT_GT(bytes, 0U) << "a graph's copy cannot be empty";
    if (kind == cudaMemcpyHostToDevice) fakeCuda().uploads += bytes;
    if (fakeCuda().failCopyAfter >= 0 && fakeCuda().failCopyAfter-- == 0)
        return cudaErrorLaunchFailure;
    if (kind == cudaMemcpyHostToDevice && !isPinned(from)) {
        // CUDA copies pageable host memory before cudaMemcpyAsync() returns.
        const auto* begin = static_cast<const std::byte*>(from);
        add(stream, [to, values = std::vector<std::byte>(begin, begin + bytes)] {
            std::memcpy(to, values.data(), values.size());
        });
        return cudaSuccess;
    }
    add(stream, [=] { std::memcpy(to, from, bytes); });
    // CUDA finishes a copy to pageable host memory before cudaMemcpyAsync() returns.
    return kind == cudaMemcpyDeviceToHost && !isPinned(to) ? cudaStreamSynchronize(stream)
                                                           : cudaSuccess;
}
// Tests of this folder never create library handles.
cudnnStatus_t cudnnDestroy(cudnnHandle_t) {
    return CUDNN_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t) {
    return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
