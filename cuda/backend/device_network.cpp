#include "cuda/backend/device_network.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cuda/backend/network_reporter.h"
#include "cuda/kernels/graph_block.h"
#include "cuda/kernels/hypothesis_block.h"
#include "cuda/kernels/preprocess.h"
#include "cuda/kernels/unpool.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/nvtx_range.h"
#include "engine/model/run_step.h"
#include "engine/network/roofline.h"

namespace threefold::cuda {
namespace {

// Number of vertices whose stage 2 features are reported; the processor's back end passes the
// features of as many vertices to a TensorProbe.
constexpr std::size_t kProbedVertices = 4;
// launchPooling() writes rows in vectors of 16 bytes.
constexpr std::size_t kFeaturePitch = (kStage2FeatureWidth + 7) / 8 * 8;

const char* nvtxName(RunStep step) {
    return runStepName(step).data();  // null-terminated: the data of a std::string
}

void mark(const NetworkHooks& hooks, Mark point, cudaStream_t stream) {
    if (hooks.onMark) hooks.onMark(point, stream);
}

/// Hook that passes the operations of one run step to hooks.onStep, if set.
library::OperationHook stepHook(const NetworkHooks& hooks, std::string_view runStep,
                                cudaStream_t stream) {
    if (!hooks.onStep) return library::runOperation;
    return [&hooks, runStep, stream](const library::Operation& step,
                                     const std::function<void()>& work) {
        hooks.onStep(runStep, step, stream, work);
    };
}

/// Entropy in bits of each row of `width` scores that sum to 1.
std::vector<float> rowEntropies(std::span<const float> scores, std::size_t width) {
    std::vector<float> entropy;
    for (; !scores.empty(); scores = scores.subspan(width)) {
        float bits = 0;
        for (const float score : scores.first(width))
            if (score > 0) bits -= score * std::log2(score);
        entropy.push_back(std::max(0.0F, bits));
    }
    return entropy;
}

std::vector<library::GraphBlock> libraryGraphOf(const DeviceModel& model, const NetworkShape& shape,
                                                StreamContexts& contexts) {
    std::vector<library::GraphBlock> blocks;
    for (std::size_t level = 0; level < static_cast<std::size_t>(model.levels()); ++level)
        blocks.emplace_back(contexts.mainContext, model.model(), level,
                            precisionOutsideHypothesisBlocks(model.configuration().precision),
                            static_cast<int>(shape.batch));
    return blocks;
}

}  // namespace

DeviceNetwork::DeviceNetwork(const DeviceModel& model, const NetworkShape& shape,
                             const NetworkResources& resources)
    : model_(&model),
      element_(storageOf(precision())),
      shape_(shape),
      contexts_(&resources.contexts),
      layout_(shape.batch, shape.views, shape.maxImagePixels),
      forkEvent_(makeEvent()),
      joinEvent_(makeEvent()),
      cnn1_(contexts_->mainContext, library::stage1Cnn(),
            precisionOutsideHypothesisBlocks(precision()),
            static_cast<int>(shape.batch * shape.views)),
      cnn2_(contexts_->sideContext, library::stage2Cnn(),
            precisionOutsideHypothesisBlocks(precision()),
            static_cast<int>(shape.batch * shape.views)),
      libraryGraph_(choice().fusedGraph ? std::vector<library::GraphBlock>()
                                        : libraryGraphOf(model, shape, *contexts_)),
      libraryBlock_(choice().fusedHypotheses
                        ? std::nullopt
                        : std::optional<library::HypothesisBlock>(
                              std::in_place, contexts_->mainContext, model.model(),
                              precisionOutsideHypothesisBlocks(precision()),
                              static_cast<int>(shape.batch), static_cast<int>(shape.views))),
      memory_(memorySizes(), resources.deviceMemory, contexts_->main),
      slots_(layout_, memory_.resultFloats, shape.batchSlots, memory_.inputs, *contexts_,
             resources.pinnedMemory) {
    copyConstants();
}

std::size_t DeviceNetwork::maxGraphWorkspace() const {
    std::size_t bytes = 0;
    for (std::size_t index = 0; index < static_cast<std::size_t>(model_->levels()); ++index)
        bytes = std::max(bytes, choice().fusedGraph
                                    ? graphBlockWorkspaceBytes(
                                          limits(), precisionOutsideHypothesisBlocks(precision()),
                                          static_cast<int>(shape_.batch), model_->vertices(index))
                                    : libraryGraph_[index].workspaceBytes());
    return bytes;
}

NetworkMemorySizes DeviceNetwork::memorySizes() const {
    const auto hypotheses = static_cast<std::size_t>(model_->hypothesisCount());
    NetworkMemorySizes sizes;
    sizes.batch = shape_.batch;
    sizes.elementBytes = elementBytes(element_);
    for (std::size_t index = 0; index < static_cast<std::size_t>(model_->levels()); ++index)
        sizes.levels.push_back(
            {model_->vertices(index),
             choice().fusedGraph ? graphInputPitch(index) : library::paddedGraphInputWidth(index)});
    sizes.scoresPerVertex = shape_.keepsScores() ? hypotheses : 0;
    sizes.inputBytes = layout_.deviceBytes(shape_.batchSlots);
    sizes.imageBytes = shape_.batch * shape_.views * kInputSide * kInputSide *
                       library::kImageChannels * sizes.elementBytes;
    sizes.cnn1Bytes = cnn1_.workspaceBytes();
    sizes.cnn2Bytes = cnn2_.workspaceBytes();
    sizes.graphBytes = maxGraphWorkspace();
    sizes.blockBytes = libraryBlock_ ? libraryBlock_->workspaceBytes() : 0;
    if (shape_.extraTensors == ExtraTensors::probes)
        sizes.probedFeatureBytes =
            kProbedVertices * hypotheses * kFeaturePitch * sizes.elementBytes;
    return sizes;
}

void DeviceNetwork::copyConstants() {
    cudaStream_t stream = contexts_->main;
    const std::size_t meshFloats = static_cast<std::size_t>(memory_.levels.front().vertices) * 3;
    for (std::size_t mesh = 0; mesh < shape_.batch; ++mesh)
        CUDA_CHECK(cudaMemcpyAsync(memory_.levels.front().points + mesh * meshFloats,
                                   model_->coordinates(), meshFloats * sizeof(float),
                                   cudaMemcpyDeviceToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

void DeviceNetwork::enqueue(const NetworkHooks& hooks) {
    cudaStream_t main = contexts_->main;
    cudaStream_t side = contexts_->side;
    preprocessImages(hooks);
    mark(hooks, endOf(RunStep::preprocess), main);

    CUDA_CHECK(cudaEventRecord(forkEvent_.get(), main));
    CUDA_CHECK(cudaStreamWaitEvent(side, forkEvent_.get(), 0));
    convolve(RunStep::cnn2, side, cnn2_, model_->cnnWeights(1), memory_.workspace2, hooks);
    mark(hooks, endOf(RunStep::cnn2), side);
    CUDA_CHECK(cudaEventRecord(joinEvent_.get(), side));

    convolve(RunStep::cnn1, main, cnn1_, model_->cnnWeights(0), memory_.workspace1, hooks);
    NetworkReporter(hooks.onTensor)
        .maps("stage1", cnn1_.maps(memory_.workspace1), element_, shape_.views);
    mark(hooks, endOf(RunStep::cnn1), main);
    for (std::size_t level = 0; level < memory_.levels.size(); ++level) {
        graphBlock(level, hooks);
        if (level + 1 < memory_.levels.size()) unpool(level, hooks);
        mark(hooks, endOf(graphStep(level)), main);
    }

    CUDA_CHECK(cudaStreamWaitEvent(main, joinEvent_.get(), 0));
    mark(hooks, beginOf(RunStep::block1), main);
    NetworkReporter(hooks.onTensor)
        .maps("stage2", cnn2_.maps(memory_.workspace2), element_, shape_.views);
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        hypothesisBlock(block, hooks);
        mark(hooks, endOf(blockStep(block)), main);
    }
}

void DeviceNetwork::begin(std::size_t slot, const NetworkHooks& hooks,
                          const std::function<void()>& compute) {
    cudaStream_t main = contexts_->main;
    try {
        mark(hooks, beginOf(RunStep::preprocess), main);
        stepHook(hooks, runStepName(RunStep::preprocess), main)(
            {"upload", static_cast<double>(slots_.stagedBytes(slot))},
            [&] { slots_.upload(slot); });
        compute();
        stepHook(hooks, "download", main)(
            {"download", static_cast<double>(memory_.resultFloats * sizeof(float))},
            [&] { slots_.download(slot, memory_.results); });
        slots_.recordDone(slot);
    } catch (...) {
        // The streams may still use memory that is freed next.
        ignoreFailure(cudaDeviceSynchronize());
        slots_.release(slot);
        throw;
    }
}

std::vector<Reconstruction> DeviceNetwork::run(std::span<const NetworkInput> inputs,
                                               const NetworkHooks& hooks) {
    const std::size_t slot = fillSlot(inputs);
    begin(slot, hooks, [&] { enqueue(hooks); });
    return finish(slot);
}

void DeviceNetwork::drop(std::size_t slot) noexcept {
    try {
        slots_.results(slot);
    } catch (...) {  // the device is lost: there is nothing to wait for
    }
    slots_.release(slot);
}

void DeviceNetwork::preprocessImages(const NetworkHooks& hooks) {
    const NetworkReporter reporter(hooks.onTensor);
    const NvtxRange range(nvtxName(RunStep::preprocess));
    const auto* table = reinterpret_cast<const DeviceImage*>(memory_.inputs + layout_.tableOffset);
    const auto images = static_cast<int>(shape_.batch * shape_.views);
    const double bytes =
        1.0 * images * kInputSide * kInputSide *
        (4.0 + static_cast<double>(library::kImageChannels * elementBytes(element_)));
    stepHook(hooks, runStepName(RunStep::preprocess), contexts_->main)({"preprocess", bytes}, [&] {
        launchPreprocess(contexts_->main, table, images, element_, library::kImageChannels,
                         memory_.images);
    });
    reporter.tensor("image", memory_.images, element_, {shape_.views, kInputSide, kInputSide, 3},
                    library::kImageChannels);
}

void DeviceNetwork::convolve(RunStep step, cudaStream_t stream, const library::Cnn& cnn,
                             const std::byte* weights, std::byte* workspace,
                             const NetworkHooks& hooks) {
    const NvtxRange range(nvtxName(step));
    cnn.enqueue(stream, memory_.images, weights, workspace,
                stepHook(hooks, runStepName(step), stream));
}

void DeviceNetwork::graphBlock(std::size_t index, const NetworkHooks& hooks) {
    const NetworkReporter reporter(hooks.onTensor);
    const NvtxRange range(nvtxName(graphStep(index)));
    const NetworkMemory::Level& level = memory_.levels[index];
    cudaStream_t stream = contexts_->main;
    const library::OperationHook step = stepHook(hooks, runStepName(graphStep(index)), stream);

    PoolingArguments inputs = pooling(level.points, level.vertices, cnn1_, memory_.workspace1);
    inputs.batch = static_cast<int>(shape_.batch);
    inputs.sampler = model_->model().sampler;
    if (index > 0) {
        inputs.hiddenFeatures = level.hiddenBelow;
        inputs.hiddenWidth = static_cast<int>(kHiddenWidth);
    }
    inputs.splitCoordinates = choice().fusedGraph;
    inputs.out = level.inputs;
    inputs.pitch = level.pitch;
    step({"pooling", inputs.bytes()}, [&] { launchPooling(stream, inputs); });
    mark(hooks, beginOf(graphStep(index)), stream);
    const auto vertices = static_cast<std::size_t>(level.vertices);
    if (index == 0)
        reporter.tensor("stage1_features_1", level.inputs, element_,
                        {vertices, kStage1FeatureWidth}, static_cast<std::size_t>(level.pitch));

    const GraphBlockArguments arguments{.inputs = level.inputs,
                                        .inputPitch = level.pitch,
                                        .batch = static_cast<int>(shape_.batch),
                                        .vertices = level.vertices,
                                        .layers = static_cast<int>(kGraphBlockLayerCounts[index]),
                                        .points = memory_.results + level.result,
                                        .hidden = level.hidden,
                                        .weights = model_->graphBlockWeights(index),
                                        .workspace = memory_.graphWorkspace};
    if (choice().fusedGraph) {
        const double rows = 1.0 * shape_.batch * vertices;
        const double bytes =
            rows * (level.pitch + kHiddenWidth) * static_cast<double>(elementBytes(element_)) +
            rows * 3 * sizeof(float) + static_cast<double>(model_->graphBlockBytes(index));
        step({"graph block", bytes, minimumFlop(graphStep(index))}, [&] {
            launchGraphBlock(stream, precisionOutsideHypothesisBlocks(precision()), limits(),
                             arguments);
        });
    } else {
        libraryGraph_[index].enqueue(stream, arguments, level.points, step);
    }
    const bool last = index + 1 == memory_.levels.size();
    const std::string name = last ? "coarse" : fmt::format("level{}", index + 1);
    reporter.tensor(name, memory_.results + level.result, ElementType::float32, {vertices, 3});
    if (!last) reporter.tensor(name + "_hidden", level.hidden, element_, {vertices, kHiddenWidth});
}

void DeviceNetwork::unpool(std::size_t index, const NetworkHooks& hooks) {
    const NetworkReporter reporter(hooks.onTensor);
    const NetworkMemory::Level& below = memory_.levels[index];
    const NetworkMemory::Level& above = memory_.levels[index + 1];
    const UnpoolArguments arguments{.points = memory_.results + below.result,
                                    .hidden = below.hidden,
                                    .edges = model_->unpoolEdges(index),
                                    .batch = static_cast<int>(shape_.batch),
                                    .vertices = below.vertices,
                                    .edgeCount = above.vertices - below.vertices,
                                    .element = element_,
                                    .pointsOut = above.points,
                                    .hiddenOut = above.hiddenBelow};
    const double rowBytes =
        3 * sizeof(float) + static_cast<double>(kHiddenWidth * elementBytes(element_));
    stepHook(hooks, runStepName(graphStep(index)), contexts_->main)(
        {"unpool", 1.0 * shape_.batch * (below.vertices + above.vertices) * rowBytes},
        [&] { launchUnpool(contexts_->main, arguments); });
    reporter.tensor(fmt::format("level{}_unpooled", index + 1), above.points, ElementType::float32,
                    {static_cast<std::size_t>(above.vertices), 3});
}

void DeviceNetwork::hypothesisBlock(std::size_t block, const NetworkHooks& hooks) {
    const NetworkReporter reporter(hooks.onTensor);
    const NvtxRange range(nvtxName(blockStep(block)));
    const int vertices = memory_.levels.back().vertices;
    const float* points = block == 0 ? memory_.results + memory_.levels.back().result
                                     : memory_.results + memory_.refinedOffsets[block - 1];
    float* scores = shape_.keepsScores() ? memory_.results + memory_.scoreOffsets[block] : nullptr;
    const library::OperationHook step =
        stepHook(hooks, runStepName(blockStep(block)), contexts_->main);
    HypothesisArguments arguments{
        .points = points,
        .moved = memory_.results + memory_.refinedOffsets[block],
        .scores = scores,
        .batch = static_cast<int>(shape_.batch),
        .vertices = vertices,
        .transforms = reinterpret_cast<const ViewTransform*>(memory_.inputs),
        .views = static_cast<int>(shape_.views),
        .maps = {},
        .weights = model_->hypothesisBlockWeights(block),
        .ranges = hooks.quantisationRanges[block]};
    std::ranges::copy(cnn2_.maps(memory_.workspace2), arguments.maps);
    if (choice().fusedHypotheses) {
        double bytes = 2.0 * shape_.batch * vertices * 3 * sizeof(float) +
                       static_cast<double>(model_->hypothesisBlockBytes(block));
        for (const DeviceMap& map : arguments.maps)
            bytes += 1.0 * shape_.batch * shape_.views * map.side * map.side * map.channels *
                     static_cast<double>(elementBytes(element_));
        step({"hypothesis block", bytes, minimumFlop(blockStep(block))},
             [&] { launchHypothesisBlock(contexts_->main, precision(), limits(), arguments); });
    } else {
        libraryBlock_->enqueue(contexts_->main, arguments, memory_.blockWorkspace, step);
    }
    if (reporter.isOn()) {
        reportFeatures(block, points, hooks);
        const auto rows = static_cast<std::size_t>(vertices);
        reporter.tensor(fmt::format("score_{}", block + 1), scores, ElementType::float32,
                        {rows, static_cast<std::size_t>(model_->hypothesisCount())});
        reporter.tensor(fmt::format("refined_{}", block + 1),
                        memory_.results + memory_.refinedOffsets[block], ElementType::float32,
                        {rows, 3});
    }
}

double DeviceNetwork::minimumFlop(RunStep step) const {
    return static_cast<double>(shape_.batch) *
           threefold::minimumFlop(model_->model(), step, shape_.views);
}

PoolingArguments DeviceNetwork::pooling(const float* points, int count, const library::Cnn& cnn,
                                        const std::byte* workspace) const {
    PoolingArguments pooling;
    pooling.points = points;
    pooling.pointCount = count;
    pooling.transforms = reinterpret_cast<const ViewTransform*>(memory_.inputs);
    pooling.views = static_cast<int>(shape_.views);
    const std::vector<DeviceMap> maps = cnn.maps(workspace);
    std::ranges::copy(maps, pooling.maps);
    pooling.mapCount = static_cast<int>(maps.size());
    pooling.element = element_;
    return pooling;
}

void DeviceNetwork::reportFeatures(std::size_t block, const float* points,
                                   const NetworkHooks& hooks) {
    const NetworkReporter reporter(hooks.onTensor);
    // The fused block keeps its features on the chip: pool them again for the hook.
    const int count = std::min(static_cast<int>(kProbedVertices), memory_.levels.back().vertices);
    PoolingArguments features = pooling(points, count, cnn2_, memory_.workspace2);
    features.offsets = model_->hypotheses();
    features.offsetCount = model_->hypothesisCount();
    features.out = memory_.probedFeatures;
    features.pitch = static_cast<int>(kFeaturePitch);
    launchPooling(contexts_->main, features);
    reporter.tensor(fmt::format("stage2_features_{}", block + 1), memory_.probedFeatures, element_,
                    {static_cast<std::size_t>(count),
                     static_cast<std::size_t>(model_->hypothesisCount()), kStage2FeatureWidth},
                    kFeaturePitch);
}

std::vector<Reconstruction> DeviceNetwork::finish(std::size_t slot) {
    const struct Release {
        BatchSlots& slots;
        std::size_t slot;
        ~Release() { slots.release(slot); }
    } release{slots_, slot};
    const float* values = slots_.results(slot).data();
    const auto pointsAt = [&](std::size_t first, int vertices, std::size_t sample) {
        const auto count = static_cast<std::size_t>(vertices);
        Points points(count);
        static_assert(sizeof(glm::vec3) == 3 * sizeof(float));
        std::memcpy(points.data(), values + first + sample * count * 3, count * sizeof(glm::vec3));
        return points;
    };
    std::vector<Reconstruction> reconstructions(shape_.batch);
    for (std::size_t sample = 0; sample < shape_.batch; ++sample) {
        Reconstruction& reconstruction = reconstructions[sample];
        const int last = memory_.levels.back().vertices;
        reconstruction.stages =
            stagesWithoutVertices(meshStages(memory_.levels.size(), memory_.refinedOffsets.size()));
        for (std::size_t level = 0; level < memory_.levels.size(); ++level)
            reconstruction.stages[level].vertices =
                pointsAt(memory_.levels[level].result, memory_.levels[level].vertices, sample);
        const std::span blocks = std::span(reconstruction.stages).subspan(memory_.levels.size());
        for (std::size_t block = 0; block < blocks.size(); ++block)
            blocks[block].vertices = pointsAt(memory_.refinedOffsets[block], last, sample);
        if (!shape_.keepsScores()) continue;
        const auto rows = static_cast<std::size_t>(last);
        const auto width = static_cast<std::size_t>(model_->hypothesisCount());
        const auto entropyAt = [&](std::size_t first) {
            return rowEntropies({values + first + sample * rows * width, rows * width}, width);
        };
        for (std::size_t block = 0; block < blocks.size(); ++block)
            blocks[block].channels.emplace(kEntropyChannel, entropyAt(memory_.scoreOffsets[block]));
    }
    return reconstructions;
}

}  // namespace threefold::cuda
