#include "cuda/backend/tensor_copy.h"

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuda/backend/check.h"
#include "cuda/portable/half.h"

namespace threefold::cuda {
namespace {

template <class T>
void widen(const std::vector<std::byte>& bytes, std::vector<float>& values) {
    const auto* from = reinterpret_cast<const T*>(bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = toFloat(from[i]);
}

}  // namespace

std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream) {
    const std::size_t width = tensor.shape.back();
    std::size_t rows = 1;
    for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows *= tensor.shape[i];
    std::vector<float> values(rows * width);
    if (values.empty()) return values;

    const std::size_t bytes = bytesOf(tensor.element);
    std::vector<std::byte> copied(rows * width * bytes);
    CUDA_CHECK(cudaMemcpy2DAsync(copied.data(), width * bytes, tensor.values, tensor.pitch * bytes,
                                 width * bytes, rows, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    switch (tensor.element) {
        case Element::float32:
            widen<float>(copied, values);
            break;
        case Element::float16:
            widen<Half>(copied, values);
            break;
        case Element::bfloat16:
            widen<Bfloat16>(copied, values);
            break;
    }
    return values;
}

}  // namespace threefold::cuda
