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

/// Pending work of a stream.
struct Work {
    std::function<void()> act;
    int waitsFor = 0;  ///< a record of an event; 0: for nothing
};

constexpr std::size_t kAlignment = 256;

struct Plain {
    std::size_t streams = 0;
    std::deque<char> events;  ///< an address for each that ever was
    std::map<cudaEvent_t, cudaStream_t> recordedIn;
    std::vector<std::pair<Stream, Stream>> waits;
    bool capturing = false;
    int replays = 0;
    std::size_t uploads = 0;
    float elapsed = 0;
    std::size_t nodes = 0;
    std::size_t graphBytes = 0;       ///< of each graph
    std::size_t graphBytesTaken = 0;  ///< of all graphs
    std::function<void()> replay = [] {};
    int failCopyAfter = -1;
    std::map<const void*, std::size_t> allocated;  ///< bytes of each block of device memory
    std::map<const void*, std::size_t> pinned;     ///< bytes of each page-locked block
    std::size_t mostPinned = 0;
    std::optional<std::mt19937> unhurried;
    unsigned mostSteps = 1;  ///< 1: nothing is done before somebody waits
    std::map<cudaStream_t, std::deque<Work>> queues;
    std::map<cudaEvent_t, int> records;  ///< the last one of each event
    std::set<cudaEvent_t> captured;      ///< events whose last record is a node of a graph
    int lastRecord = 0;
    std::set<int> pending;  ///< records that were not come to
};

Plain& plain() {
    static Plain state;
    return state;
}

/// Does one piece of work of a stream that can go on, if there is one.
bool goOn(unsigned choice) {
    std::vector<std::deque<Work>*> ready;
    for (auto& [stream, queue] : plain().queues) {
        if (!queue.empty() && !plain().pending.contains(queue.front().waitsFor)) {
            ready.push_back(&queue);
        }
    }
    if (ready.empty()) return false;
    std::deque<Work>& queue = *ready[choice % ready.size()];
    const Work work = std::move(queue.front());
    queue.pop_front();
    const auto hurry = std::exchange(plain().unhurried, std::nullopt);
    work.act();
    plain().unhurried = hurry;
    return true;
}

void goOnUntil(const std::function<bool()>& done) {
    while (!done()) {
        const unsigned choice = plain().unhurried ? (*plain().unhurried)() : 0;
        if (!goOn(choice)) {
            ADD_FAILURE() << "the streams wait for each other";
            return;
        }
    }
}

void add(cudaStream_t stream, std::function<void()> act, int waitsFor = 0) {
    if (!plain().unhurried) return act();
    plain().queues[stream].push_back({std::move(act), waitsFor});
    for (unsigned steps = (*plain().unhurried)() % plain().mostSteps; steps > 0; --steps) {
        goOn((*plain().unhurried)());
    }
}

bool isPinned(const void* address) {
    const auto after = plain().pinned.upper_bound(address);
    if (after == plain().pinned.begin()) return false;
    const auto& [begin, bytes] = *std::prev(after);
    return static_cast<const std::byte*>(address) < static_cast<const std::byte*>(begin) + bytes;
}

bool idle() {
    return std::ranges::all_of(plain().queues,
                               [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace

void checkCuda(int status, const char* call, const char* /*file*/, int /*line*/) {
    if (status == cudaErrorLaunchFailure) throw DeviceLost({"GPU", call, "was lost", ""});
    EXPECT_EQ(status, cudaSuccess) << call;
}

namespace test {
std::vector<std::pair<Stream, Stream>> takeWaits() {
    return std::exchange(plain().waits, {});
}
bool capturing() {
    return plain().capturing;
}
void setElapsed(float milliseconds) {
    plain().elapsed = milliseconds;
}
Unhurried::Unhurried(unsigned seed) {
    plain().unhurried.emplace(seed);
    plain().mostSteps = 1 + seed % 4;
}
Unhurried::~Unhurried() {
    goOnUntil(idle);
    plain().unhurried.reset();
}
void enqueue(Stream stream, std::function<void()> work) {
    add(stream, std::move(work));
}
std::size_t takeUploads() {
    return std::exchange(plain().uploads, 0);
}
void setReplay(std::function<void()> replay) {
    plain().replay = std::move(replay);
}
void failCopy(int after) {
    plain().failCopyAfter = after;
}
void setMostPinned(std::size_t bytes) {
    plain().mostPinned = bytes;
}
std::size_t pinnedBytes() {
    std::size_t sum = 0;
    for (const auto& [memory, bytes] : plain().pinned) sum += bytes;
    return sum;
}
void setGraphBytes(std::size_t bytes) {
    plain().graphBytes = bytes;
    plain().graphBytesTaken = 0;
}
void setNodes(std::size_t nodes) {
    plain().nodes = nodes;
}
int takeReplays() {
    return std::exchange(plain().replays, 0);
}
}  // namespace test

}  // namespace threefold::cuda

using threefold::cuda::add;
using threefold::cuda::goOnUntil;
using threefold::cuda::idle;
using threefold::cuda::isPinned;
using threefold::cuda::kAlignment;
using threefold::cuda::plain;
using threefold::cuda::test::pinnedBytes;

extern "C" {

cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    EXPECT_EQ(flags, cudaStreamNonBlocking) << "such a stream cannot be captured";
    *stream = threefold::cuda::test::FakeDevice::stream(plain().streams++ % 16);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    goOnUntil([stream] { return plain().queues[stream].empty(); });
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    goOnUntil(idle);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    plain().waits.emplace_back(stream, plain().recordedIn[event]);
    add(
        stream, [] {}, plain().records[event]);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(&plain().events.emplace_back());
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    plain().recordedIn.erase(event);
    plain().captured.erase(event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    plain().recordedIn[event] = stream;
    if (plain().capturing) {
        plain().captured.insert(event);
        return cudaSuccess;
    }
    plain().captured.erase(event);
    const int record = ++plain().lastRecord;
    plain().records[event] = record;
    plain().pending.insert(record);
    add(stream, [record] { plain().pending.erase(record); });
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (plain().captured.contains(event)) return cudaErrorInvalidValue;  // as an H100 answers
    const int record = plain().records[event];
    goOnUntil([record] { return !plain().pending.contains(record); });
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = plain().elapsed;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    EXPECT_FALSE(std::exchange(plain().capturing, true));
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    EXPECT_TRUE(std::exchange(plain().capturing, false));
    *graph = nullptr;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, std::size_t* count) {
    *count = plain().nodes;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t, unsigned long long) {
    *exec = nullptr;
    plain().graphBytesTaken += plain().graphBytes;
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t stream) {
    EXPECT_FALSE(plain().capturing);
    ++plain().replays;
    add(stream, plain().replay);
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
    *free = *total - plain().graphBytesTaken;
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
    for (const auto& [memory, bytes] : plain().allocated) used += bytes;
    *static_cast<std::uint64_t*>(value) = used;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
    return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    plain().allocated[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
    add(stream, [memory] {
        plain().allocated.erase(memory);
        std::free(memory);
    });
    return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
    if (plain().mostPinned > 0 && pinnedBytes() + bytes > plain().mostPinned) {
        return cudaErrorMemoryAllocation;
    }
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    plain().pinned[*memory] = bytes;
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
    plain().pinned.erase(memory);
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return plain().pending.contains(plain().records[event]) ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
    add(stream, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    EXPECT_GT(bytes, 0U) << "a graph's copy cannot be empty";
    if (kind == cudaMemcpyHostToDevice) plain().uploads += bytes;
    if (plain().failCopyAfter >= 0 && plain().failCopyAfter-- == 0) return cudaErrorLaunchFailure;
    if (kind == cudaMemcpyHostToDevice && !isPinned(from)) {
        // Read before the call returns.
        const auto* begin = static_cast<const std::byte*>(from);
        add(stream, [to, values = std::vector<std::byte>(begin, begin + bytes)] {
            std::memcpy(to, values.data(), values.size());
        });
        return cudaSuccess;
    }
    add(stream, [=] { std::memcpy(to, from, bytes); });
    // To memory that is not page-locked: done when the call returns.
    return kind == cudaMemcpyDeviceToHost && !isPinned(to) ? cudaStreamSynchronize(stream)
                                                           : cudaSuccess;
}
// The libraries' handles are never made here.
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
