#include "cuda/backend/device_network.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cuda/kernels/graph_block.h"
#include "cuda/kernels/hypothesis_block.h"
#include "cuda/kernels/preprocess.h"
#include "cuda/kernels/unpool.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/memory_layout.h"
#include "cuda/runtime/nvtx_range.h"
#include "engine/network/roofline.h"
#include "engine/run_step.h"

namespace threefold::cuda {
namespace {

// As many vertices of stage 2's features as the processor's backend reports to a TensorProbe.
constexpr std::size_t kProbedVertices = 4;
// Rows are read in vectors of 16 bytes.
constexpr std::size_t kFeaturePitch = (kStage2FeatureWidth + 7) / 8 * 8;

constexpr std::array kPooledMarks = {Mark::pooled1, Mark::pooled2, Mark::pooled3};
constexpr std::array kGraphMarks = {Mark::graph1, Mark::graph2, Mark::graph3};
constexpr std::array kGraphSteps = {RunStep::graph1, RunStep::graph2, RunStep::graph3};
constexpr std::array kBlockMarks = {Mark::block1, Mark::block2};
constexpr std::array kBlockSteps = {RunStep::block1, RunStep::block2};

const char* nvtxName(RunStep step) {
    return runStepName(step).data();  // of a std::string: ends in a zero
}

void mark(const NetworkHooks& hooks, Mark point, cudaStream_t stream) {
    if (hooks.onMark) hooks.onMark(point, stream);
}

/// Step hook that forwards the steps of one stage to hooks.onStep, if set.
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

}  // namespace

DeviceNetwork::DeviceNetwork(const DeviceModel& model, const DeviceLimits& limits,
                             Precision precision, const KernelChoice& choice,
                             const NetworkShape& shape, StreamContexts& contexts,
                             MemoryPool& deviceMemory, MemoryPool& pinnedMemory)
    : model_(&model),
      limits_(limits),
      precision_(precision),
      element_(storageOf(precision)),
      choice_(choice),
      shape_(shape),
      contexts_(&contexts),
      layout_(shape.batch, shape.views, shape.maxImagePixels),
      forkEvent_(makeEvent()),
      joinEvent_(makeEvent()),
      cnn1_(contexts.mainContext, library::stage1Cnn(), precisionOutsideHypothesisBlock(precision),
            static_cast<int>(shape.batch * shape.views)),
      cnn2_(contexts.sideContext, library::stage2Cnn(), precisionOutsideHypothesisBlock(precision),
            static_cast<int>(shape.batch * shape.views)) {
    const int batch = static_cast<int>(shape.batch);
    if (!choice.fusedGraph)
        for (std::size_t level = 0; level < static_cast<std::size_t>(model.levels()); ++level)
            libraryGraph_.emplace_back(contexts.mainContext, model.model(), level,
                                       precisionOutsideHypothesisBlock(precision), batch);
    if (!choice.fusedHypotheses)
        libraryBlock_.emplace(contexts.mainContext, model.model(),
                              precisionOutsideHypothesisBlock(precision), batch,
                              static_cast<int>(shape.views));
    planMemory(deviceMemory, pinnedMemory);
    copyConstants();
}

void DeviceNetwork::layOutResults() {
    const auto add = [this](std::size_t floats) {
        const std::size_t offset = resultFloats_;
        resultFloats_ += floats;
        return offset;
    };
    for (Level& level : levels_)
        level.result = add(shape_.batch * static_cast<std::size_t>(level.vertices) * 3);
    const std::size_t lastRows = shape_.batch * static_cast<std::size_t>(levels_.back().vertices);
    for (std::size_t& refined : refinedOffsets_) refined = add(lastRows * 3);
    if (!shape_.keepsScores()) return;
    const auto hypotheses = static_cast<std::size_t>(model_->hypothesisCount());
    for (std::size_t& scores : scoreOffsets_) scores = add(lastRows * hypotheses);
}

std::size_t DeviceNetwork::maxGraphWorkspace() const {
    std::size_t bytes = 0;
    for (std::size_t index = 0; index < levels_.size(); ++index)
        bytes = std::max(bytes, choice_.fusedGraph
                                    ? graphBlockWorkspace(
                                          limits_, precisionOutsideHypothesisBlock(precision_),
                                          static_cast<int>(shape_.batch), levels_[index].vertices)
                                    : libraryGraph_[index].workspaceBytes());
    return bytes;
}

void DeviceNetwork::planMemory(MemoryPool& deviceMemory, MemoryPool& pinnedMemory) {
    const std::size_t batch = shape_.batch;
    const std::size_t value = elementBytes(element_);
    std::size_t maxInputBytes = 0;
    for (std::size_t index = 0; index < static_cast<std::size_t>(model_->levels()); ++index) {
        Level level;
        level.vertices = model_->vertices(index);
        level.pitch =
            choice_.fusedGraph ? graphInputPitch(index) : library::paddedGraphInputWidth(index);
        const std::size_t rows = batch * static_cast<std::size_t>(level.vertices);
        maxInputBytes =
            std::max(maxInputBytes, rows * static_cast<std::size_t>(level.pitch) * value);
        levels_.push_back(level);
    }
    layOutResults();
    const auto hypotheses = static_cast<std::size_t>(model_->hypothesisCount());

    memory_ = deviceMemory.allocateParts(contexts_->main, [&](MemoryLayout& parts) {
        inputs_ = parts.add<std::byte>(layout_.deviceBytes(shape_.batchSlots));
        images_ = parts.add<std::byte>(batch * shape_.views * kInputSide * kInputSide *
                                       library::kImageChannels * value);
        workspace1_ = parts.add<std::byte>(cnn1_.workspaceBytes());
        workspace2_ = parts.add<std::byte>(cnn2_.workspaceBytes());
        graphWorkspace_ = parts.add<std::byte>(maxGraphWorkspace());
        blockWorkspace_ = parts.add<std::byte>(libraryBlock_ ? libraryBlock_->workspaceBytes() : 0);
        void* graphInputs = parts.add<std::byte>(maxInputBytes);
        for (Level& level : levels_) {
            const std::size_t rows = batch * static_cast<std::size_t>(level.vertices);
            level.inputs = graphInputs;
            level.points = parts.add<float>(rows * 3);
            level.hidden = parts.add<std::byte>(rows * kHiddenWidth * value);
            level.hiddenBelow = parts.add<std::byte>(rows * kHiddenWidth * value);
        }
        results_ = parts.add<float>(resultFloats_);
        if (shape_.extraOutputs == ExtraOutputs::probes)
            features_ = parts.add<std::byte>(kProbedVertices * hypotheses * kFeaturePitch * value);
    });
    slots_.emplace(layout_, resultFloats_, shape_.batchSlots, inputs_, *contexts_, pinnedMemory);
}

void DeviceNetwork::copyConstants() {
    cudaStream_t stream = contexts_->main;
    const std::size_t meshFloats = static_cast<std::size_t>(levels_.front().vertices) * 3;
    for (std::size_t mesh = 0; mesh < shape_.batch; ++mesh)
        CUDA_CHECK(cudaMemcpyAsync(levels_.front().points + mesh * meshFloats,
                                   model_->coordinates(), meshFloats * sizeof(float),
                                   cudaMemcpyDeviceToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

void DeviceNetwork::enqueue(const NetworkHooks& hooks) {
    cudaStream_t main = contexts_->main;
    cudaStream_t side = contexts_->side;
    preprocessImages(hooks);
    mark(hooks, Mark::preprocessed, main);

    CUDA_CHECK(cudaEventRecord(forkEvent_.get(), main));
    CUDA_CHECK(cudaStreamWaitEvent(side, forkEvent_.get(), 0));
    convolve(RunStep::cnn2, side, cnn2_, model_->cnnWeights(1), workspace2_, hooks);
    mark(hooks, Mark::cnn2, side);
    CUDA_CHECK(cudaEventRecord(joinEvent_.get(), side));

    convolve(RunStep::cnn1, main, cnn1_, model_->cnnWeights(0), workspace1_, hooks);
    reportMaps("stage1", cnn1_.maps(workspace1_), hooks);
    mark(hooks, Mark::cnn1, main);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        graphBlock(level, hooks);
        if (level + 1 < levels_.size()) unpool(level, hooks);
        mark(hooks, kGraphMarks[level], main);
    }

    CUDA_CHECK(cudaStreamWaitEvent(main, joinEvent_.get(), 0));
    mark(hooks, Mark::joined, main);
    reportMaps("stage2", cnn2_.maps(workspace2_), hooks);
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        hypothesisBlock(block, hooks);
        mark(hooks, kBlockMarks[block], main);
    }
}

void DeviceNetwork::begin(std::size_t slot, const NetworkHooks& hooks,
                          const std::function<void()>& compute) {
    cudaStream_t main = contexts_->main;
    try {
        mark(hooks, Mark::begin, main);
        stepHook(hooks, runStepName(RunStep::preprocess), main)(
            {"upload", static_cast<double>(slots_->stagedBytes(slot))},
            [&] { slots_->upload(slot); });
        compute();
        stepHook(hooks, "download", main)(
            {"download", static_cast<double>(resultFloats_ * sizeof(float))},
            [&] { slots_->download(slot, results_); });
        slots_->recordDone(slot);
    } catch (...) {
        // The streams may still use memory that is freed next.
        ignoreFailure(cudaDeviceSynchronize());
        slots_->release(slot);
        throw;
    }
}

std::vector<Reconstruction> DeviceNetwork::run(std::span<const NetworkInput> inputs,
                                               const NetworkHooks& hooks) {
    const std::size_t slot = stage(inputs);
    begin(slot, hooks, [&] { enqueue(hooks); });
    return finish(slot);
}

void DeviceNetwork::drop(std::size_t slot) noexcept {
    try {
        slots_->results(slot);
    } catch (...) {  // the device is lost: there is nothing to wait for
    }
    slots_->release(slot);
}

void DeviceNetwork::preprocessImages(const NetworkHooks& hooks) {
    const NvtxRange range(nvtxName(RunStep::preprocess));
    const auto* table = reinterpret_cast<const DeviceImage*>(inputs_ + layout_.tableOffset);
    const auto images = static_cast<int>(shape_.batch * shape_.views);
    const double bytes =
        1.0 * images * kInputSide * kInputSide *
        (4.0 + static_cast<double>(library::kImageChannels * elementBytes(element_)));
    stepHook(hooks, runStepName(RunStep::preprocess), contexts_->main)({"preprocess", bytes}, [&] {
        launchPreprocess(contexts_->main, table, images, element_, library::kImageChannels,
                         images_);
    });
    report(hooks, "image", images_, element_, {shape_.views, kInputSide, kInputSide, 3},
           library::kImageChannels);
}

void DeviceNetwork::convolve(RunStep step, cudaStream_t stream, const library::Cnn& cnn,
                             const std::byte* weights, std::byte* workspace,
                             const NetworkHooks& hooks) {
    const NvtxRange range(nvtxName(step));
    cnn.enqueue(stream, images_, weights, workspace, stepHook(hooks, runStepName(step), stream));
}

void DeviceNetwork::graphBlock(std::size_t index, const NetworkHooks& hooks) {
    const NvtxRange range(nvtxName(kGraphSteps[index]));
    const Level& level = levels_[index];
    cudaStream_t stream = contexts_->main;
    const library::OperationHook step = stepHook(hooks, runStepName(kGraphSteps[index]), stream);

    PoolingArguments inputs = pooling(level.points, level.vertices, cnn1_, workspace1_);
    inputs.batch = static_cast<int>(shape_.batch);
    inputs.sampler = model_->model().sampler;
    if (index > 0) {
        inputs.hiddenFeatures = level.hiddenBelow;
        inputs.hiddenWidth = static_cast<int>(kHiddenWidth);
    }
    inputs.splitCoordinates = choice_.fusedGraph;
    inputs.out = level.inputs;
    inputs.pitch = level.pitch;
    step({"pooling", inputs.bytes()}, [&] { launchPooling(stream, inputs); });
    mark(hooks, kPooledMarks[index], stream);
    const auto vertices = static_cast<std::size_t>(level.vertices);
    if (index == 0)
        report(hooks, "stage1_features_1", level.inputs, element_, {vertices, kStage1FeatureWidth},
               static_cast<std::size_t>(level.pitch));

    const GraphBlockArguments arguments{.inputs = level.inputs,
                                        .inputPitch = level.pitch,
                                        .batch = static_cast<int>(shape_.batch),
                                        .vertices = level.vertices,
                                        .layers = static_cast<int>(kGraphBlockLayerCounts[index]),
                                        .points = results_ + level.result,
                                        .hidden = level.hidden,
                                        .weights = model_->graphBlockWeights(index),
                                        .workspace = graphWorkspace_};
    if (choice_.fusedGraph) {
        const double rows = 1.0 * shape_.batch * vertices;
        const double bytes =
            rows * (level.pitch + kHiddenWidth) * static_cast<double>(elementBytes(element_)) +
            rows * 3 * sizeof(float) + static_cast<double>(model_->graphBlockBytes(index));
        step({"graph block", bytes, stepFlop(kGraphSteps[index])}, [&] {
            launchGraphBlock(stream, precisionOutsideHypothesisBlock(precision_), limits_,
                             arguments);
        });
    } else {
        libraryGraph_[index].enqueue(stream, arguments, level.points, step);
    }
    const bool last = index + 1 == levels_.size();
    const std::string name = last ? "coarse" : fmt::format("level{}", index + 1);
    report(hooks, name, results_ + level.result, ElementType::float32, {vertices, 3});
    if (!last) report(hooks, name + "_hidden", level.hidden, element_, {vertices, kHiddenWidth});
}

void DeviceNetwork::unpool(std::size_t index, const NetworkHooks& hooks) {
    const Level& below = levels_[index];
    const Level& above = levels_[index + 1];
    const UnpoolArguments arguments{.points = results_ + below.result,
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
    stepHook(hooks, runStepName(kGraphSteps[index]), contexts_->main)(
        {"unpool", 1.0 * shape_.batch * (below.vertices + above.vertices) * rowBytes},
        [&] { launchUnpool(contexts_->main, arguments); });
    report(hooks, fmt::format("level{}_unpooled", index + 1), above.points, ElementType::float32,
           {static_cast<std::size_t>(above.vertices), 3});
}

void DeviceNetwork::hypothesisBlock(std::size_t block, const NetworkHooks& hooks) {
    const NvtxRange range(nvtxName(kBlockSteps[block]));
    const int vertices = levels_.back().vertices;
    const float* points =
        block == 0 ? results_ + levels_.back().result : results_ + refinedOffsets_[block - 1];
    float* scores = shape_.keepsScores() ? results_ + scoreOffsets_[block] : nullptr;
    const library::OperationHook step =
        stepHook(hooks, runStepName(kBlockSteps[block]), contexts_->main);
    HypothesisArguments arguments{.points = points,
                                  .moved = results_ + refinedOffsets_[block],
                                  .scores = scores,
                                  .batch = static_cast<int>(shape_.batch),
                                  .vertices = vertices,
                                  .transforms = reinterpret_cast<const ViewTransform*>(inputs_),
                                  .views = static_cast<int>(shape_.views),
                                  .maps = {},
                                  .weights = model_->hypothesisBlockWeights(block),
                                  .ranges = hooks.quantisationRanges[block]};
    std::ranges::copy(cnn2_.maps(workspace2_), arguments.maps);
    if (choice_.fusedHypotheses) {
        double bytes = 2.0 * shape_.batch * vertices * 3 * sizeof(float) +
                       static_cast<double>(model_->hypothesisBlockBytes(block));
        for (const DeviceMap& map : arguments.maps)
            bytes += 1.0 * shape_.batch * shape_.views * map.side * map.side * map.channels *
                     static_cast<double>(elementBytes(element_));
        step({"hypothesis block", bytes, stepFlop(kBlockSteps[block])},
             [&] { launchHypothesisBlock(contexts_->main, precision_, limits_, arguments); });
    } else {
        libraryBlock_->enqueue(contexts_->main, arguments, blockWorkspace_, step);
    }
    if (hooks.onTensor) {
        reportFeatures(block, points, hooks);
        const auto rows = static_cast<std::size_t>(vertices);
        report(hooks, fmt::format("score_{}", block + 1), scores, ElementType::float32,
               {rows, static_cast<std::size_t>(model_->hypothesisCount())});
        report(hooks, fmt::format("refined_{}", block + 1), results_ + refinedOffsets_[block],
               ElementType::float32, {rows, 3});
    }
}

double DeviceNetwork::stepFlop(RunStep step) const {
    return static_cast<double>(shape_.batch) *
           threefold::stepFlop(model_->model(), step, shape_.views);
}

PoolingArguments DeviceNetwork::pooling(const float* points, int count, const library::Cnn& cnn,
                                        const std::byte* workspace) const {
    PoolingArguments pooling;
    pooling.points = points;
    pooling.pointCount = count;
    pooling.transforms = reinterpret_cast<const ViewTransform*>(inputs_);
    pooling.views = static_cast<int>(shape_.views);
    const std::vector<DeviceMap> maps = cnn.maps(workspace);
    std::ranges::copy(maps, pooling.maps);
    pooling.mapCount = static_cast<int>(maps.size());
    pooling.element = element_;
    return pooling;
}

void DeviceNetwork::reportFeatures(std::size_t block, const float* points,
                                   const NetworkHooks& hooks) {
    // The fused block keeps its features on the chip: pool them again for the hook.
    const int count = std::min(static_cast<int>(kProbedVertices), levels_.back().vertices);
    PoolingArguments features = pooling(points, count, cnn2_, workspace2_);
    features.offsets = model_->hypotheses();
    features.offsetCount = model_->hypothesisCount();
    features.out = features_;
    features.pitch = static_cast<int>(kFeaturePitch);
    launchPooling(contexts_->main, features);
    report(hooks, fmt::format("stage2_features_{}", block + 1), features_, element_,
           {static_cast<std::size_t>(count), static_cast<std::size_t>(model_->hypothesisCount()),
            kStage2FeatureWidth},
           kFeaturePitch);
}

void DeviceNetwork::reportMaps(std::string_view prefix, const std::vector<DeviceMap>& maps,
                               const NetworkHooks& hooks) const {
    if (!hooks.onTensor) return;
    for (const DeviceMap& map : maps) {
        const auto side = static_cast<std::size_t>(map.side);
        report(hooks, fmt::format("{}_map_{}", prefix, map.channels), map.values, element_,
               {shape_.views, side, side, static_cast<std::size_t>(map.channels)});
    }
}

void DeviceNetwork::report(const NetworkHooks& hooks, std::string_view name, const void* values,
                           ElementType element, std::vector<std::size_t> shape,
                           std::size_t pitch) const {
    if (!hooks.onTensor) return;
    const std::size_t width = shape.back();
    hooks.onTensor({name, std::move(shape), values, element, pitch == 0 ? width : pitch});
}

std::vector<Reconstruction> DeviceNetwork::finish(std::size_t slot) {
    const struct Release {
        BatchSlots& slots;
        std::size_t slot;
        ~Release() { slots.release(slot); }
    } release{*slots_, slot};
    const float* values = slots_->results(slot).data();
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
        const int last = levels_.back().vertices;
        reconstruction.stages =
            stagesWithoutVertices(meshStages(levels_.size(), refinedOffsets_.size()));
        for (std::size_t level = 0; level < levels_.size(); ++level)
            reconstruction.stages[level].vertices =
                pointsAt(levels_[level].result, levels_[level].vertices, sample);
        const std::span blocks = std::span(reconstruction.stages).subspan(levels_.size());
        for (std::size_t block = 0; block < blocks.size(); ++block)
            blocks[block].vertices = pointsAt(refinedOffsets_[block], last, sample);
        if (!shape_.keepsScores()) continue;
        const auto rows = static_cast<std::size_t>(last);
        const auto width = static_cast<std::size_t>(model_->hypothesisCount());
        const auto entropyAt = [&](std::size_t first) {
            return rowEntropies({values + first + sample * rows * width, rows * width}, width);
        };
        for (std::size_t block = 0; block < blocks.size(); ++block)
            blocks[block].channels.emplace(kEntropyChannel, entropyAt(scoreOffsets_[block]));
    }
    return reconstructions;
}

}  // namespace threefold::cuda
