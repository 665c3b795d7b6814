// Kernels with known needs, to test the reader of machine code.
namespace threefold::cuda {
namespace {

__global__ void __launch_bounds__(64) sharingKernel(float* values) {
    __shared__ float kept[80];
    kept[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = kept[79 - threadIdx.x];
}

/// The index of the element is known only at run time, so the array cannot be kept in registers.
__global__ void spillingKernel(float* values, int count) {
    float kept[40];
    for (int i = 0; i < 40; ++i) kept[i] = values[i];
    for (int i = 0; i < count; ++i) kept[(i * 7) % 40] += values[i];
    for (int i = 0; i < 40; ++i) values[i] = kept[i];
}

template <int Factor>
__global__ void scalingKernel(float* values) {
    values[threadIdx.x] *= Factor;
}

}  // namespace

// Refers to the kernels, since unused kernels would be removed.
extern const void* const knownKernels[];
const void* const knownKernels[] = {reinterpret_cast<const void*>(&sharingKernel),
                                    reinterpret_cast<const void*>(&spillingKernel),
                                    reinterpret_cast<const void*>(&scalingKernel<3>),
                                    reinterpret_cast<const void*>(&scalingKernel<5>)};

}  // namespace threefold::cuda
