#include "cuda/library/cnn.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/kernels/element.h"
#include "cuda/library/convolution_graph.h"
#include "cuda/library/layout.h"
#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"
#include "engine/model/architecture.h"
#include "engine/network/weight_matrices.h"
#include "engine/profile/stopwatch.h"
#include "engine/views/network_input.h"

namespace threefold::cuda::library {
namespace {

/// If fewer engines than this work with the original padding, a widened filter is also timed.
constexpr std::size_t kFewEngines = 6;
/// Maximum workspace of an engine.
constexpr std::size_t kMaxWorkspaceBytes = std::size_t{64} << 20;

void run(cudnnHandle_t handle, Stream stream, const DnnDescriptor& plan,
         const ConvolutionArguments& arguments) {
    CUDNN_CHECK(cudnnSetStream(handle, stream));
    const DnnDescriptor pack = variantPack(arguments.input, arguments.filter, arguments.bias,
                                           arguments.output, arguments.workspace);
    CUDNN_CHECK(cudnnBackendExecute(handle, plan.get(), pack.get()));
}

/// Plan that `make` returns; nullopt if cuDNN does not support it, or its workspace is too large.
template <class Make>
std::optional<DnnDescriptor> tryPlan(const Make& make) {
    std::optional<DnnDescriptor> plan = tryOnDevice(make);
    const auto fits =
        tryOnDevice([&] { return plan && workspaceBytes(*plan) <= kMaxWorkspaceBytes; });
    return fits.value_or(false) ? std::move(plan) : std::nullopt;
}

/// Fastest engine for one layout of the filter.
struct TimedEngine {
    FilterLayout layout = FilterLayout::original;
    DnnDescriptor plan;
    float milliseconds = 0;
    std::size_t workingCount = 0;  ///< number of working engines
};

TimedEngine measure(Context& context, const ConvolutionShape& shape, FilterLayout layout) {
    const std::size_t bytes = elementBytes(storageOf(shape.precision));
    const PooledMemory input = context.zeros(shape.inputValues() * bytes);
    const PooledMemory filter = context.zeros(filterValues(shape, layout) * bytes);
    const PooledMemory bias = context.zeros(static_cast<std::size_t>(shape.out) * bytes);
    const PooledMemory output = context.zeros(shape.outputValues() * bytes);

    const ConvolutionGraph graph(context.cudnn.get(), shape, layout);
    const std::vector<EngineChoice> proposals = graph.proposals();
    std::vector<DnnDescriptor> plans(proposals.size());
    TimedEngine measured{layout, nullptr};
    std::vector<float> times(proposals.size());
    const Stopwatch watch;
    const std::optional<std::size_t> best = fastestIndex(
        proposals.size(), proposals.size(), [&](std::size_t i) -> std::optional<float> {
            if (!isWorthTiming(proposals[i], i, measured.workingCount, watch.milliseconds()))
                return std::nullopt;
            std::optional<DnnDescriptor> plan = tryPlan([&] { return graph.plan(proposals[i]); });
            if (!plan) return std::nullopt;
            plans[i] = std::move(*plan);
            const PooledMemory workspace =
                context.memory.allocate(workspaceBytes(plans[i]), context.setupStream);
            const std::optional<float> time = bestReplayMilliseconds(context.setupStream, [&] {
                run(context.cudnn.get(), context.setupStream, plans[i],
                    {input.data(), filter.data(), bias.data(), output.data(), workspace.data()});
            });
            times[i] = time.value_or(0);
            if (time) ++measured.workingCount;
            return time;
        });
    if (best) {
        measured.plan = std::move(plans[*best]);
        measured.milliseconds = times[*best];
    }
    return measured;
}

ConvolutionShape layerShape(std::size_t layer, int side, int images, Precision precision) {
    const ConvolutionSpec& spec = kCnnLayers[layer];
    return {images,
            side,
            layer == 0 ? kImageChannels : spec.inChannels,
            spec.outChannels,
            spec.kernelSize,
            spec.stride,
            precisionOutsideHypothesisBlocks(precision)};
}

/// Layer for a fixed number of images, with byte offsets of its filters and bias in the packed
/// weights.
struct PackedLayer {
    ConvolutionShape shape;
    std::array<std::size_t, 2> filter{};  ///< byte offset for each FilterLayout
    std::size_t bias = 0;

    std::size_t filterOffset(FilterLayout layout) const {
        return filter[layout == FilterLayout::original ? 0 : 1];
    }
};

struct PackedLayers {
    std::vector<PackedLayer> layers;
    std::size_t bytes = 0;  ///< size of the packed weights, the same for any number of images
};

PackedLayers packedLayers(const CnnStage& stage, Precision precision, int images) {
    const std::size_t width = elementBytes(storageOf(precision));
    PackedLayers placed;
    MemoryLayout memoryLayout;
    int side = kInputSide;
    for (std::size_t i = 0; i < stage.layers; ++i) {
        const ConvolutionShape shape = layerShape(i, side, images, precision);
        PackedLayer& layer = placed.layers.emplace_back(PackedLayer{shape});
        layer.filter[0] =
            memoryLayout.addBytes(filterValues(shape, FilterLayout::original) * width);
        layer.filter[1] = layer.filter[0];
        if (filterGeometry(shape, FilterLayout::widened) !=
            filterGeometry(shape, FilterLayout::original))
            layer.filter[1] =
                memoryLayout.addBytes(filterValues(shape, FilterLayout::widened) * width);
        layer.bias = memoryLayout.addBytes(static_cast<std::size_t>(shape.out) * width);
        side = shape.outputSide();
    }
    placed.bytes = memoryLayout.bytes();
    return placed;
}

}  // namespace

Convolution::Convolution(Context& context, const ConvolutionShape& shape) : shape_(shape) {
    const std::string name = shape.name();
    const auto use = [&](FilterLayout layout, DnnDescriptor plan) {
        layout_ = layout;
        workspaceBytes_ = library::workspaceBytes(plan);
        plan_ = std::make_shared<const DnnDescriptor>(std::move(plan));
    };

    const auto entry = context.algorithms.find(name);
    const auto storedEngine =
        entry != context.algorithms.end() ? storedEngineFrom(entry->second) : std::nullopt;
    // Where the stored text is no valid plan, engines are measured and the text is replaced.
    if (storedEngine) {
        const ConvolutionGraph graph(context.cudnn.get(), shape, storedEngine->layout);
        std::optional<DnnDescriptor> plan =
            tryPlan([&] { return graph.restore(storedEngine->json); });
        if (plan) {
            use(storedEngine->layout, std::move(*plan));
            return;
        }
    }

    TimedEngine best = measure(context, shape, FilterLayout::original);
    const bool asymmetric = filterGeometry(shape, FilterLayout::widened) !=
                            filterGeometry(shape, FilterLayout::original);
    // The widened filter costs up to 1.8 times the work: only worth timing if few engines support
    // the asymmetric padding.
    if (asymmetric && best.workingCount < kFewEngines) {
        TimedEngine widened = measure(context, shape, FilterLayout::widened);
        if (widened.plan && (!best.plan || widened.milliseconds < best.milliseconds))
            best = std::move(widened);
    }
    if (!best.plan)
        throw DeviceError(
            {"cuDNN", name, "no engine runs this convolution on this GPU",
             "Use another precision (`precision`), or the processor (`backend=cpu`)."});
    context.algorithms[name] = toText(StoredEngine{best.layout, planJson(best.plan)});
    use(best.layout, std::move(best.plan));
}

void Convolution::enqueue(Context& context, Stream stream,
                          const ConvolutionArguments& arguments) const {
    run(context.cudnn.get(), stream, *plan_, arguments);
}

CnnStage stage1Cnn() {
    return {"stage1.cnn", kCnnLayers.size(), kStage1FirstTap, kCnnTaps.size()};
}

CnnStage stage2Cnn() {
    return {"stage2.cnn", kStage2LayerCount, 0, kStage2TapCount};
}

std::vector<std::byte> packCnn(const Model& model, const CnnStage& stage, Precision precision) {
    const ElementType element = storageOf(precision);
    const PackedLayers placed = packedLayers(stage, precision, 1);
    Packer packer(placed.bytes);
    for (std::size_t i = 0; i < placed.layers.size(); ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        const PackedLayer& layer = placed.layers[i];
        const std::string name = fmt::format("{}.conv{}", stage.prefix, i + 1);
        const auto outputs = static_cast<std::size_t>(spec.outChannels);
        const std::vector<float> filter = weightValues(
            model, name + ".weight",
            outputs *
                static_cast<std::size_t>(spec.inChannels * spec.kernelSize * spec.kernelSize));
        for (const FilterLayout layout : {FilterLayout::original, FilterLayout::widened})
            packer.put(layer.filterOffset(layout),
                       packFilter(filter, spec.inChannels, layer.shape, layout), element);
        packer.put(layer.bias, weightValues(model, name + ".bias", outputs), element);
    }
    return packer.release();
}

Cnn::Cnn(Context& context, const CnnStage& stage, Precision precision, int images)
    : context_(&context), element_(storageOf(precision)) {
    MemoryLayout memoryLayout;
    std::size_t maxIntermediateBytes = 0;
    std::size_t maxScratchBytes = 0;
    for (const PackedLayer& packed : packedLayers(stage, precision, images).layers) {
        const ConvolutionShape& shape = packed.shape;
        // Layers of one shape share a plan, since cuDNN may have to compile the plan's kernel.
        const auto same = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& earlier) {
            return earlier.convolution.shape() == shape;
        });
        Layer added{same != layers_.end() ? same->convolution : Convolution(context, shape)};
        added.filter = packed.filterOffset(added.convolution.layout());
        added.bias = packed.bias;
        for (std::size_t tap = stage.firstTap; tap < stage.endTap; ++tap)
            if (static_cast<std::size_t>(kCnnTaps[tap]) == layers_.size() + 1) added.isMap = true;
        const std::size_t bytes = shape.outputValues() * elementBytes(element_);
        if (added.isMap) {
            added.output = memoryLayout.addBytes(bytes);
        } else {
            maxIntermediateBytes = std::max(maxIntermediateBytes, bytes);
        }
        maxScratchBytes = std::max(maxScratchBytes, added.convolution.workspaceBytes());
        layers_.push_back(std::move(added));
    }
    // Consecutive layers alternate buffers, so that no layer writes its own input.
    const std::array<std::size_t, 2> intermediates = {memoryLayout.addBytes(maxIntermediateBytes),
                                                      memoryLayout.addBytes(maxIntermediateBytes)};
    for (std::size_t layer = 0; layer < layers_.size(); ++layer)
        if (!layers_[layer].isMap) layers_[layer].output = intermediates[layer % 2];
    scratch_ = memoryLayout.addBytes(maxScratchBytes);
    workspaceBytes_ = memoryLayout.bytes();
}

std::vector<DeviceMap> Cnn::maps(const std::byte* workspace) const {
    std::vector<DeviceMap> maps;
    for (const Layer& layer : layers_) {
        if (!layer.isMap) continue;
        const ConvolutionShape& shape = layer.convolution.shape();
        maps.push_back({workspace + layer.output, shape.outputSide(), shape.out});
    }
    return maps;
}

void Cnn::enqueue(Stream stream, const void* images, const std::byte* weights, std::byte* workspace,
                  const OperationHook& hook) const {
    const void* layerInput = images;
    for (const Layer& layer : layers_) {
        const ConvolutionShape& shape = layer.convolution.shape();
        void* layerOutput = workspace + layer.output;
        hook({shape.name(), shape.bytes(), shape.flop()}, [&] {
            layer.convolution.enqueue(*context_, stream,
                                      {layerInput, weights + layer.filter, weights + layer.bias,
                                       layerOutput, workspace + scratch_});
        });
        layerInput = layerOutput;
    }
}

}  // namespace threefold::cuda::library
