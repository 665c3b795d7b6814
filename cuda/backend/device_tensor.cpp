#include "cuda/backend/device_tensor.h"

#include "cuda/runtime/check.h"

namespace threefold::cuda {

std::vector<float> copyToHost(const DeviceTensor& tensor, cudaStream_t stream) {
    const std::size_t width = tensor.shape.back();
    std::size_t rows = 1;
    for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows *= tensor.shape[i];
    std::vector<float> values(rows * width);
    if (values.empty()) return values;

    // One copy of whole rows: many narrow copies would be slow.
    std::vector<std::byte> hostRows(((rows - 1) * tensor.pitch + width) *
                                    elementBytes(tensor.element));
    CUDA_CHECK(cudaMemcpyAsync(hostRows.data(), tensor.values, hostRows.size(),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    withElementType(tensor.element, [&](auto zero) {
        const auto* source = reinterpret_cast<const decltype(zero)*>(hostRows.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = toFloat(source[i / width * tensor.pitch + i % width]);
    });
    return values;
}

}  // namespace threefold::cuda
