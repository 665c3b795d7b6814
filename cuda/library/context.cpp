#include "cuda/library/context.h"

namespace threefold::cuda::library {

Context::Context(MemoryPool& memoryPool, Stream setupStream, Algorithms& chosen)
    : memory(memoryPool),
      stream(setupStream),
      dnn(makeOwned<DnnHandle>([](cudnnHandle_t* handle) { CUDNN_CHECK(cudnnCreate(handle)); })),
      blas(makeBlasHandle()),
      sparse(makeOwned<SparseHandle>(
          [](cusparseHandle_t* handle) { CUSPARSE_CHECK(cusparseCreate(handle)); })),
      algorithms(chosen) {}

PooledMemory Context::zeros(std::size_t bytes) {
    PooledMemory zeros = memory.allocate(bytes, stream);
    CUDA_CHECK(cudaMemsetAsync(zeros.data(), 0, bytes, stream));
    return zeros;
}

}  // namespace threefold::cuda::library
