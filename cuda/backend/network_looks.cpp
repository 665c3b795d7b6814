#include "cuda/backend/network_looks.h"

#include <cstddef>

#include <cuda_runtime_api.h>

#include "cuda/library/timing.h"
#include "cuda/portable/half.h"
#include "cuda/runtime/check.h"
#include "engine/error.h"

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

void timeSteps(Network& network, const Lanes& lanes, std::span<const NetworkInput> inputs,
               int replays, const std::function<void(const GpuStep&)>& report,
               const std::stop_token& cancel) {
    NetworkHooks hooks;
    hooks.step = [&](std::string_view stage, const library::Step& step, cudaStream_t stream,
                     const std::function<void()>& work) {
        if (cancel.stop_requested()) throw Cancelled();
        lanes.wait();
        const library::ReplayTimes times = library::replayTimes(stream, work, replays);
        report({std::string(stage), step.name, times.nodes, step.bytes, step.flop,
                times.milliseconds[times.milliseconds.size() / 2]});
    };
    network.run(inputs, hooks);
}

}  // namespace threefold::cuda
