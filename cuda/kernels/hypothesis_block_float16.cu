#include "cuda/kernels/hypothesis_block_instances.h"
#include "cuda/kernels/hypothesis_block_kernel.h"

namespace threefold::cuda::hypothesis {

template <>
void launchBlock<Precision::float16, 4>(Stream stream, const HypothesisArguments& arguments) {
    launchInstance<Precision::float16, 2, 2>(stream, arguments);
}

template <>
void launchBlock<Precision::float16, 2>(Stream stream, const HypothesisArguments& arguments) {
    launchInstance<Precision::float16, 2, 1>(stream, arguments);
}

template <>
void launchBlock<Precision::float16, 1>(Stream stream, const HypothesisArguments& arguments) {
    launchInstance<Precision::float16, 1, 1>(stream, arguments);
}

}  // namespace threefold::cuda::hypothesis
