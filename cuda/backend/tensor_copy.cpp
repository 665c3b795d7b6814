#include "cuda/backend/tensor_copy.h"

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuda/portable/half.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda {
namespace {

template <class T>
void widen(const std::vector<std::byte>& bytes, std::size_t width, std::size_t pitch,
           std::vector<float>& values) {
    const auto* from = reinterpret_cast<const T*>(bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = toFloat(from[i / width * pitch + i % width]);
    }
}

}  // namespace

std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream) {
    const std::size_t width = tensor.shape.back();
    std::size_t rows = 1;
    for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows *= tensor.shape[i];
    std::vector<float> values(rows * width);
    if (values.empty()) return values;

    // Whole rows: a copy of hundreds of thousands of narrow ones takes long.
    std::vector<std::byte> copied(((rows - 1) * tensor.pitch + width) * bytesOf(tensor.element));
    CUDA_CHECK(cudaMemcpyAsync(copied.data(), tensor.values, copied.size(), cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    switch (tensor.element) {
        case Element::float32:
            widen<float>(copied, width, tensor.pitch, values);
            break;
        case Element::float16:
            widen<Half>(copied, width, tensor.pitch, values);
            break;
        case Element::bfloat16:
            widen<Bfloat16>(copied, width, tensor.pitch, values);
            break;
    }
    return values;
}

}  // namespace threefold::cuda
