#include "cuda/kernels/hypothesis_block_kernel.h"

namespace threefold::cuda::hypothesis {

template void launchBlock<Precision::float32, 2>(Stream, const HypothesisArguments&);
template void launchBlock<Precision::float32, 1>(Stream, const HypothesisArguments&);

}  // namespace threefold::cuda::hypothesis
