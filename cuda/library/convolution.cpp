#include "cuda/library/convolution.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/backend/check.h"
#include "cuda/kernels/element.h"
#include "cuda/library/convolution_graph.h"
#include "cuda/library/timing.h"

namespace threefold::cuda::library {
namespace {

// Each costs a compilation of some 0.2 s where the engine is made at run time.
constexpr std::size_t kMeasured = 4;

void run(cudnnHandle_t handle, Stream stream, const DnnDescriptor& plan,
         const ConvolutionArguments& arguments) {
    CUDNN_CHECK(cudnnSetStream(handle, stream));
    const DnnDescriptor pack = variantPack(arguments.input, arguments.filter, arguments.bias,
                                           arguments.output, arguments.workspace);
    CUDNN_CHECK(cudnnBackendExecute(handle, plan.get(), pack.get()));
}

PooledMemory zeros(Context& context, std::size_t bytes) {
    PooledMemory memory = context.memory.allocate(bytes, context.stream);
    CUDA_CHECK(cudaMemsetAsync(memory.data(), 0, bytes, context.stream));
    return memory;
}

/// A plan that cuDNN can make here and whose workspace is not too large, or nothing.
std::optional<DnnDescriptor> tryPlan(const ConvolutionGraph& graph, const EngineChoice& choice,
                                     std::size_t largestWorkspace) {
    try {
        DnnDescriptor plan = graph.plan(choice);
        if (ConvolutionGraph::workspaceBytes(plan) > largestWorkspace) return std::nullopt;
        return plan;
    } catch (const DeviceLost&) {
        throw;
    } catch (const OutOfDeviceMemory&) {
        throw;
    } catch (const DeviceError&) {
        return std::nullopt;
    }
}

/// The fastest engine for one form of the filter.
struct Measured {
    EngineChoice choice;
    DnnDescriptor plan;
    float milliseconds = 0;
};

std::optional<Measured> measure(Context& context, const ConvolutionShape& shape, FilterForm form,
                                std::size_t largestWorkspace) {
    const std::size_t bytes = bytesOf(storageOf(shape.precision));
    const PooledMemory input = zeros(context, shape.inputValues() * bytes);
    const PooledMemory filter = zeros(context, filterValues(shape, form) * bytes);
    const PooledMemory bias = zeros(context, static_cast<std::size_t>(shape.out) * sizeof(float));
    const PooledMemory output = zeros(context, shape.outputValues() * bytes);

    const ConvolutionGraph graph(context.dnn.get(), shape, form);
    const std::vector<EngineChoice> proposals = graph.proposals();
    std::vector<DnnDescriptor> plans(proposals.size());
    std::vector<float> times(proposals.size());
    const std::optional<std::size_t> best =
        fastest(proposals.size(), kMeasured, [&](std::size_t i) -> std::optional<float> {
            std::optional<DnnDescriptor> plan = tryPlan(graph, proposals[i], largestWorkspace);
            if (!plan) return std::nullopt;
            plans[i] = std::move(*plan);
            const PooledMemory workspace =
                context.memory.allocate(ConvolutionGraph::workspaceBytes(plans[i]), context.stream);
            const std::optional<float> time = millisecondsOf(context.stream, [&] {
                run(context.dnn.get(), context.stream, plans[i],
                    {input.data(), filter.data(), bias.as<float>(), output.data(),
                     workspace.data()});
            });
            times[i] = time.value_or(0);
            return time;
        });
    if (!best) return std::nullopt;
    return Measured{proposals[*best], std::move(plans[*best]), times[*best]};
}

std::optional<EngineChoice> remembered(const Context& context, const std::string& name) {
    const auto found = context.algorithms.find(name);
    if (found == context.algorithms.end()) return std::nullopt;
    try {
        return engineChoiceFrom(found->second);
    } catch (const FormatError&) {
        return std::nullopt;  // measured anew, and replaced
    }
}

}  // namespace

Convolution::Convolution(Context& context, const ConvolutionShape& shape,
                         std::size_t largestWorkspace)
    : shape_(shape) {
    const std::string name = shape.name();
    const auto take = [&](EngineChoice choice, DnnDescriptor plan) {
        choice_ = std::move(choice);
        workspaceBytes_ = ConvolutionGraph::workspaceBytes(plan);
        plan_ = std::make_shared<const DnnDescriptor>(std::move(plan));
    };

    if (const std::optional<EngineChoice> choice = remembered(context, name)) {
        const ConvolutionGraph graph(context.dnn.get(), shape, choice->form);
        if (std::optional<DnnDescriptor> plan = tryPlan(graph, *choice, largestWorkspace)) {
            take(*choice, std::move(*plan));
            return;
        }
    }

    std::optional<Measured> best = measure(context, shape, FilterForm::asIs, largestWorkspace);
    if (filterGeometry(shape, FilterForm::widened) != filterGeometry(shape, FilterForm::asIs)) {
        std::optional<Measured> widened =
            measure(context, shape, FilterForm::widened, largestWorkspace);
        if (widened && (!best || widened->milliseconds < best->milliseconds)) {
            best = std::move(widened);
        }
    }
    if (!best) {
        throw DeviceError({"cuDNN", name, "no engine runs this convolution on this GPU",
                           "Use another --precision, or --backend cpu."});
    }
    context.algorithms[name] = toText(best->choice);
    take(best->choice, std::move(best->plan));
}

void Convolution::enqueue(Context& context, Stream stream,
                          const ConvolutionArguments& arguments) const {
    run(context.dnn.get(), stream, *static_cast<const DnnDescriptor*>(plan_.get()), arguments);
}

}  // namespace threefold::cuda::library
