#include "cuda/kernels/hypothesis_block_kernel.h"

namespace threefold::cuda::hypothesis {

template void launchBlock<Precision::tfloat32, 2>(Stream, const HypothesisArguments&);
template void launchBlock<Precision::tfloat32, 1>(Stream, const HypothesisArguments&);

}  // namespace threefold::cuda::hypothesis
