#include "cuda/library/context.h"

namespace threefold::cuda::library {

Context::Context(MemoryPool& memoryPool, Stream stream, Algorithms& chosen)
    : memory(memoryPool),
      setupStream(stream),
      cudnn(makeOwned<DnnHandle>([](cudnnHandle_t* handle) { CUDNN_CHECK(cudnnCreate(handle)); })),
      cublasLt(makeBlasHandle()),
      cusparse(makeOwned<SparseHandle>(
          [](cusparseHandle_t* handle) { CUSPARSE_CHECK(cusparseCreate(handle)); })),
      algorithms(chosen) {}

PooledMemory Context::zeros(std::size_t bytes) {
    PooledMemory zeros = memory.allocate(bytes, setupStream);
    CUDA_CHECK(cudaMemsetAsync(zeros.data(), 0, bytes, setupStream));
    return zeros;
}

}  // namespace threefold::cuda::library
