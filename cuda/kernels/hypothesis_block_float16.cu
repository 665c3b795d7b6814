#include "cuda/kernels/hypothesis_block_kernel.h"

namespace threefold::cuda::hypothesis {

template void launchBlock<Precision::float16, 4>(Stream, const HypothesisArguments&);
template void launchBlock<Precision::float16, 2>(Stream, const HypothesisArguments&);
template void launchBlock<Precision::float16, 1>(Stream, const HypothesisArguments&);

}  // namespace threefold::cuda::hypothesis
