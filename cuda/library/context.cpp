#include "cuda/library/context.h"

namespace threefold::cuda::library {

Context::Context(MemoryPool& memoryPool, Stream prepareIn)
    : memory(memoryPool),
      stream(prepareIn),
      dnn(makeDnnHandle()),
      blas(makeBlasHandle()),
      sparse(makeSparseHandle()) {}

}  // namespace threefold::cuda::library
