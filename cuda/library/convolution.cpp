#include "cuda/library/convolution.h"

#include <optional>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/kernels/element.h"
#include "cuda/library/convolution_graph.h"
#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"
#include "engine/profile/stopwatch.h"

namespace threefold::cuda::library {
namespace {

/// Fewer engines than this that take the padding as it is: a wider filter may find better ones.
constexpr std::size_t kFewEngines = 6;

void run(cudnnHandle_t handle, Stream stream, const DnnDescriptor& plan,
         const ConvolutionArguments& arguments) {
    CUDNN_CHECK(cudnnSetStream(handle, stream));
    const DnnDescriptor pack = variantPack(arguments.input, arguments.filter, arguments.bias,
                                           arguments.output, arguments.workspace);
    CUDNN_CHECK(cudnnBackendExecute(handle, plan.get(), pack.get()));
}

/// What `make` makes, if cuDNN can here and its workspace is not too large.
template <class Make>
std::optional<DnnDescriptor> tryPlan(std::size_t largestWorkspace, const Make& make) {
    std::optional<DnnDescriptor> plan = ifDeviceCan(make);
    const auto fits =
        ifDeviceCan([&] { return plan && workspaceBytes(*plan) <= largestWorkspace; });
    return fits.value_or(false) ? std::move(plan) : std::nullopt;
}

/// The fastest engine for one form of the filter.
struct Measured {
    FilterForm form = FilterForm::asIs;
    DnnDescriptor plan;
    float milliseconds = 0;
    std::size_t worked = 0;  ///< how many it was the fastest of
};

Measured measure(Context& context, const ConvolutionShape& shape, FilterForm form,
                 std::size_t largestWorkspace) {
    const std::size_t bytes = bytesOf(storageOf(shape.precision));
    const PooledMemory input = context.zeros(shape.inputValues() * bytes);
    const PooledMemory filter = context.zeros(filterValues(shape, form) * bytes);
    const PooledMemory bias = context.zeros(static_cast<std::size_t>(shape.out) * bytes);
    const PooledMemory output = context.zeros(shape.outputValues() * bytes);

    const ConvolutionGraph graph(context.dnn.get(), shape, form);
    const std::vector<EngineChoice> proposals = graph.proposals();
    std::vector<DnnDescriptor> plans(proposals.size());
    Measured measured{form, nullptr};
    std::vector<float> times(proposals.size());
    const Stopwatch watch;
    const std::optional<std::size_t> best =
        fastest(proposals.size(), proposals.size(), [&](std::size_t i) -> std::optional<float> {
            if (!isWorthTiming(proposals[i], i, measured.worked, watch.milliseconds())) {
                return std::nullopt;
            }
            std::optional<DnnDescriptor> plan =
                tryPlan(largestWorkspace, [&] { return graph.plan(proposals[i]); });
            if (!plan) return std::nullopt;
            plans[i] = std::move(*plan);
            const PooledMemory workspace =
                context.memory.allocate(workspaceBytes(plans[i]), context.stream);
            const std::optional<float> time = millisecondsOf(context.stream, [&] {
                run(context.dnn.get(), context.stream, plans[i],
                    {input.data(), filter.data(), bias.data(), output.data(), workspace.data()});
            });
            times[i] = time.value_or(0);
            if (time) ++measured.worked;
            return time;
        });
    if (best) {
        measured.plan = std::move(plans[*best]);
        measured.milliseconds = times[*best];
    }
    return measured;
}

std::optional<StoredPlan> stored(const Context& context, const std::string& name) {
    const auto found = context.algorithms.find(name);
    if (found == context.algorithms.end()) return std::nullopt;
    try {
        return storedPlanFrom(found->second);
    } catch (const FormatError&) {
        return std::nullopt;  // measured anew, and replaced
    }
}

}  // namespace

Convolution::Convolution(Context& context, const ConvolutionShape& shape,
                         std::size_t largestWorkspace)
    : shape_(shape) {
    const std::string name = shape.name();
    const auto use = [&](FilterForm form, DnnDescriptor plan) {
        form_ = form;
        workspaceBytes_ = library::workspaceBytes(plan);
        plan_ = std::make_shared<const DnnDescriptor>(std::move(plan));
    };

    if (const std::optional<StoredPlan> kept = stored(context, name)) {
        const ConvolutionGraph graph(context.dnn.get(), shape, kept->form);
        std::optional<DnnDescriptor> plan =
            tryPlan(largestWorkspace, [&] { return graph.restore(kept->json); });
        if (plan) {
            use(kept->form, std::move(*plan));
            return;
        }
    }

    Measured best = measure(context, shape, FilterForm::asIs, largestWorkspace);
    const bool uneven =
        filterGeometry(shape, FilterForm::widened) != filterGeometry(shape, FilterForm::asIs);
    // The wider filter costs up to 1.8 times the work: only worth a try where few engines take the
    // padding as it is.
    if (uneven && best.worked < kFewEngines) {
        Measured widened = measure(context, shape, FilterForm::widened, largestWorkspace);
        if (widened.plan && (!best.plan || widened.milliseconds < best.milliseconds)) {
            best = std::move(widened);
        }
    }
    if (!best.plan) {
        throw DeviceError({"cuDNN", name, "no engine runs this convolution on this GPU",
                           "Use another --precision, or --backend cpu."});
    }
    context.algorithms[name] = toText(StoredPlan{best.form, planJson(best.plan)});
    use(best.form, std::move(best.plan));
}

void Convolution::enqueue(Context& context, Stream stream,
                          const ConvolutionArguments& arguments) const {
    run(context.dnn.get(), stream, *static_cast<const DnnDescriptor*>(plan_.get()), arguments);
}

}  // namespace threefold::cuda::library
