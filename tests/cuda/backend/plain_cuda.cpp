#include "tests/cuda/backend/plain_cuda.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>
#include <cusparse.h>

#include <cstring>
#include <deque>
#include <map>

#include <gtest/gtest.h>

#include "cuda/runtime/check.h"
#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

struct Plain {
    std::size_t streams = 0;
    std::deque<char> events;  ///< an address for each that ever was
    std::map<cudaEvent_t, cudaStream_t> recordedIn;
    std::vector<std::pair<Stream, Stream>> waits;
    bool capturing = false;
    int replays = 0;
    float elapsed = 0;
    std::size_t nodes = 0;
};

Plain& plain() {
    static Plain state;
    return state;
}

}  // namespace

void checkCuda(int status, const char* call, const char* /*file*/, int /*line*/) {
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
void setNodes(std::size_t nodes) {
    plain().nodes = nodes;
}
int takeReplays() {
    return std::exchange(plain().replays, 0);
}
}  // namespace test

}  // namespace threefold::cuda

using threefold::cuda::plain;

extern "C" {

cudaError_t cudaGetLastError() {
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
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    plain().waits.emplace_back(stream, plain().recordedIn[event]);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(&plain().events.emplace_back());
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    plain().recordedIn.erase(event);
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    plain().recordedIn[event] = stream;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t) {
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
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
    EXPECT_FALSE(plain().capturing);
    ++plain().replays;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
    EXPECT_GT(bytes, 0U) << "a graph's copy cannot be empty";
    std::memcpy(to, from, bytes);
    return cudaSuccess;
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
