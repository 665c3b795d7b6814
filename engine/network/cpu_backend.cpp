#include "engine/network/cpu_backend.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/compute/aligned_buffer.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/network/cnn.h"
#include "engine/network/graph_block.h"
#include "engine/network/hypothesis_block.h"
#include "engine/profile/stopwatch.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

/// Measures the time of one step and reports the step's progress. The constructor throws Cancelled
/// if the batch is cancelled.
class StepRun {
  public:
    StepRun(RunStep step, const BatchOptions& options, StepTimings& timings)
        : step_(step), options_(&options), timings_(&timings) {
        if (options.cancel.stop_requested()) throw Cancelled();
        advance(0.0F);
    }

    void advance(float fraction) const {
        if (options_->progress) options_->progress({step_, fraction});
    }

    std::function<void(float)> progress() const {
        return [this](float fraction) { advance(fraction); };
    }

    void finish() const { timings_->push_back({step_, watch_.milliseconds()}); }

    /// Finishes the step, and moves `pooling` of its milliseconds to the projection's entry,
    /// timings[projectionTiming].
    void finish(double pooling, std::size_t projectionTiming) const {
        finish();
        timings_->back().milliseconds -= pooling;
        (*timings_)[projectionTiming].milliseconds += pooling;
    }

  private:
    RunStep step_;
    const BatchOptions* options_;
    StepTimings* timings_;
    Stopwatch watch_;
};

/// Appends an entry of 0 ms; returns its index.
std::size_t addTiming(RunStep step, StepTimings& timings) {
    timings.push_back({step, 0});
    return timings.size() - 1;
}

std::span<const float> flat(const Points& points) {
    return {&points.data()->x, points.size() * 3};
}

std::vector<float> valuesOf(const FeatureMap& map, std::size_t views) {
    const std::size_t count = views * map.side * map.side * map.channels;
    if (const auto* const float32 = std::get_if<const float*>(&map.values))
        return {*float32, *float32 + count};
    const auto* const bfloat16 = std::get<const std::uint16_t*>(map.values);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = std::bit_cast<float>(std::uint32_t{bfloat16[i]} << 16);
    return values;
}

const simd::NetworkKernels& chosenKernels(const std::string& name) {
    for (const simd::NetworkKernels* kernels : simd::runnableNetworkKernels()) {
        if (name.empty() || kernels->name == name) return *kernels;
    }
    throw DeviceError({"processor", "", fmt::format("cannot run the '{}' kernels", name),
                       "Choose kernels for this processor (`doctor`)."});
}

/// Precision of stage 2 except the products of hypothesis blocks.
constexpr Precision stage2Precision(Precision products) {
    return products == Precision::int8 ? Precision::bfloat16 : products;
}

class CpuBackend final : public SerialBackend {
  public:
    CpuBackend(std::shared_ptr<const Model> model, const CpuOptions& options)
        : model_(std::move(model)),
          precision_(options.precision),
          threads_(resolveThreadCount(options.threads)),
          kernels_(chosenKernels(options.instructions)),
          cnn1_(*model_, "stage1.cnn", kCnnLayers.size(), kStage1FirstTap, kCnnTaps.size()) {
        if (model_->hypothesisBlocks() > 0)
            cnn2_.emplace(*model_, "stage2.cnn", kStage2LayerCount, 0, kStage2TapCount,
                          stage2Precision(precision_));
        for (std::size_t level = 0; level < kGraphBlockLayerCounts.size(); ++level)
            graph_.emplace_back(*model_, level, threads_, kernels_);
        for (std::size_t block = 0; block < model_->hypothesisBlocks(); ++block)
            blocks_.emplace_back(*model_, block, stage2Precision(precision_), threads_, kernels_);
        // OpenMP starts a team of threads for each calling thread: for this thread, and for a
        // thread that measures meshes.
        requireThreads(2 * static_cast<std::size_t>(threads_ - 1));
        if (precision_ == Precision::int8) quantiseBlocks(options.quantisationSamples);
        auto faces = std::make_shared<std::vector<Faces>>();
        for (const TemplateLevel& level : model_->templateMesh.levels)
            faces->push_back(level.faces);
        faces_ = std::move(faces);
    }

    std::string description() const override {
        return fmt::format("CPU · {} · {} thread{} · {}", processorName(), threads_,
                           threads_ == 1 ? "" : "s", precisionName(precision_));
    }
    Precision precision() const override { return precision_; }
    std::shared_ptr<const Model> model() const override { return model_; }

  private:
    Reconstruction compute(const NetworkInput& input, const BatchOptions& options) override {
        requireValidInput(input);
        const onednn::ThreadLimit limit(threads_);
        Reconstruction result;
        result.stages = stagesWithoutVertices(model_->stages);
        result.levelFaces = faces_;
        result.templateMesh = {model_, &model_->templateMesh};
        const std::vector<FeatureProjection> projections =
            projectionsFrom(input.cameras, input.depthOffset);
        prepare(input, options, result.timings);
        stage1(projections, options, result);
        if (blocks_.empty()) {
            subtractDepthOffset(result, input.depthOffset);
            return result;
        }
        if (options.onCoarseMesh) {
            Reconstruction partial = result;
            subtractDepthOffset(partial, input.depthOffset);
            options.onCoarseMesh(partial);
        }
        stage2(projections, options, result);
        subtractDepthOffset(result, input.depthOffset);
        return result;
    }

    /// Replaces the hypothesis blocks by 8-bit ones, with value ranges measured on the samples in
    /// bfloat16. A quarter of the vertices suffices: neighbours pool similar features, and vertices
    /// are independent of each other in stage 2.
    void quantiseBlocks(std::span<const NetworkInput> samples) {
        if (blocks_.empty()) return;
        std::vector<OperandRanges> ranges(blocks_.size());
        const BatchOptions options;
        for (const NetworkInput& sample : samples) {
            requireValidInput(sample);
            Reconstruction result;
            result.stages = stagesWithoutVertices(model_->stages);
            const std::vector<FeatureProjection> projections =
                projectionsFrom(sample.cameras, sample.depthOffset);
            prepare(sample, options, result.timings);
            stage1(projections, options, result);
            const FeaturePooling pooling = poolingOfStage2(projections, options, result);
            Points points;
            const Points& coarse = result.stages[graph_.size() - 1].vertices;
            for (std::size_t i = 0; i < coarse.size(); i += 4) points.push_back(coarse[i]);
            for (std::size_t block = 0; block < blocks_.size(); ++block) {
                HypothesisBlock::ExtraOutputs extra;
                extra.ranges = &ranges[block];
                points = blocks_[block]
                             .run(
                                 points, pooling, {}, [](float) {}, extra)
                             .points;
            }
        }
        blocks_.clear();
        for (std::size_t block = 0; block < ranges.size(); ++block)
            blocks_.emplace_back(*model_, block, Precision::int8, threads_, kernels_,
                                 ranges[block]);
    }

    void prepare(const NetworkInput& input, const BatchOptions& options, StepTimings& timings) {
        const StepRun run(RunStep::preprocess, options, timings);
        const std::size_t views = input.images.size();
        const std::size_t pixels = std::size_t{kInputSide} * kInputSide * 3;
        if (images_.size() != views * pixels) images_ = AlignedBuffer<float>(views * pixels);
        parallelFor(threads_, views, options.cancel, [&](std::size_t view, std::size_t) {
            preprocess(input.images[view], images_.span().subspan(view * pixels, pixels));
        });
        run.finish();
        probe(options, "image", images_.span(), {views, kInputSide, kInputSide, 3});
    }

    std::vector<FeatureMap> convolve(Cnn& cnn, RunStep step, const char* prefix, std::size_t views,
                                     const BatchOptions& options, StepTimings& timings) {
        const StepRun run(step, options, timings);
        std::vector<FeatureMap> maps =
            cnn.run(images_.data(), views, options.cancel, run.progress());
        run.finish();
        if (options.probe) {
            for (const FeatureMap& map : maps) {
                const std::vector<float> values = valuesOf(map, views);
                probe(options, fmt::format("{}_map_{}", prefix, map.channels), values,
                      {views, map.side, map.side, map.channels});
            }
        }
        return maps;
    }

    void stage1(const std::vector<FeatureProjection>& projections, const BatchOptions& options,
                Reconstruction& result) {
        const FeaturePooling pooling(
            projections,
            convolve(cnn1_, RunStep::cnn1, "stage1", projections.size(), options, result.timings),
            model_->sampler, kernels_);
        if (options.probe) probeFeatures(pooling, options);

        const std::size_t projectionTiming = addTiming(RunStep::project1, result.timings);
        Points points = model_->templateMesh.vertices;
        std::vector<float> hidden;
        for (std::size_t level = 0; level < graph_.size(); ++level) {
            StageMesh& target = result.stages[level];
            const MeshStage& stage = target.stage;
            const StepRun run(stage.step, options, result.timings);
            GraphBlock::Output output =
                graph_[level].run(points, hidden, pooling, options.cancel, run.progress());
            run.finish(output.poolingMilliseconds, projectionTiming);
            const Points& vertices = target.vertices = std::move(output.points);
            probe(options, stage.name, flat(vertices), {vertices.size(), 3});
            if (level + 1 == graph_.size()) break;
            const TemplateLevel& mesh = model_->templateMesh.levels[level];
            points = GraphBlock::unpool(vertices, mesh);
            hidden = GraphBlock::unpool(output.hidden, mesh);
            probe(options, stage.name + "_hidden", output.hidden, {vertices.size(), kHiddenWidth});
            probe(options, stage.name + "_unpooled", flat(points), {points.size(), 3});
        }
    }

    FeaturePooling poolingOfStage2(const std::vector<FeatureProjection>& projections,
                                   const BatchOptions& options, Reconstruction& result) {
        // The published stage 2 always samples each view's own maps bilinearly, independent of
        // stage 1's sampler.
        return {
            projections,
            convolve(*cnn2_, RunStep::cnn2, "stage2", projections.size(), options, result.timings),
            SamplerKind::bilinearPerView, kernels_};
    }

    void stage2(const std::vector<FeatureProjection>& projections, const BatchOptions& options,
                Reconstruction& result) {
        const FeaturePooling pooling = poolingOfStage2(projections, options, result);
        const std::size_t projectionTiming = addTiming(RunStep::project2, result.timings);
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            StageMesh& target = result.stages[graph_.size() + block];
            const Points& before = result.stages[graph_.size() + block - 1].vertices;
            HypothesisBlock::Output output = deform(block, target.stage.step, before, pooling,
                                                    options, result.timings, projectionTiming);
            target.vertices = std::move(output.points);
            target.channels.emplace(kEntropyChannel, std::move(output.entropy));
        }
    }

    HypothesisBlock::Output deform(std::size_t block, RunStep step, const Points& points,
                                   const FeaturePooling& pooling, const BatchOptions& options,
                                   StepTimings& timings, std::size_t projectionTiming) {
        const std::size_t hypotheses = model_->templateMesh.hypothesisOffsets.size();
        std::vector<float> scores;
        HypothesisBlock::ExtraOutputs extra;
        if (options.probe) {
            extra.scores = &scores;
            extra.features = [&](std::span<const float> values, std::size_t rows) {
                probe(options, fmt::format("stage2_features_{}", block + 1), values,
                      {rows, hypotheses, kStage2FeatureWidth});
            };
        }
        const StepRun run(step, options, timings);
        HypothesisBlock::Output output =
            blocks_[block].run(points, pooling, options.cancel, run.progress(), extra);
        run.finish(output.poolingMilliseconds, projectionTiming);
        probe(options, fmt::format("score_{}", block + 1), scores, {points.size(), hypotheses});
        probe(options, fmt::format("refined_{}", block + 1), flat(output.points),
              {output.points.size(), 3});
        return output;
    }

    void probeFeatures(const FeaturePooling& pooling, const BatchOptions& options) const {
        const Points& points = model_->templateMesh.vertices;
        std::vector<float> values(points.size() * pooling.width());
        for (std::size_t i = 0; i < points.size(); ++i)
            pooling.pool(points[i], values.data() + i * pooling.width());
        probe(options, "stage1_features_1", values, {points.size(), pooling.width()});
    }

    static void probe(const BatchOptions& options, std::string_view name,
                      std::span<const float> values, std::vector<std::size_t> shape) {
        if (options.probe) options.probe(name, values, shape);
    }

    std::shared_ptr<const Model> model_;
    Precision precision_;
    int threads_;
    const simd::NetworkKernels& kernels_;
    Cnn cnn1_;
    std::optional<Cnn> cnn2_;  // nullopt if the model has no hypothesis blocks
    std::vector<GraphBlock> graph_;
    std::vector<HypothesisBlock> blocks_;
    std::shared_ptr<const std::vector<Faces>> faces_;
    AlignedBuffer<float> images_;
};

}  // namespace

std::vector<Precision> supportedProcessorPrecisions() {
    std::vector<Precision> precisions = {Precision::float32};
    if (!processorHasBfloat16()) return precisions;
    precisions.push_back(Precision::bfloat16);
    if (processorHasVnni()) precisions.push_back(Precision::int8);
    return precisions;
}

std::string processorPrecisionNames() {
    std::string names;
    const std::vector<Precision> precisions = supportedProcessorPrecisions();
    for (std::size_t i = 0; i < precisions.size(); ++i) {
        if (i > 0) names += i + 1 == precisions.size() ? " or " : ", ";
        names += precisionName(precisions[i]);
    }
    return names;
}

std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model,
                                        const CpuOptions& options) {
    if (!kProcessorKind.has(options.precision))
        throw DeviceError({"processor", "",
                           fmt::format("{} is for GPUs", precisionName(options.precision)),
                           fmt::format("Use {} (`precision`), or a GPU where there is one "
                                       "(`backend=cuda`).",
                                       processorPrecisionNames())});
    if (options.precision != Precision::float32 && !processorHasBfloat16())
        throw DeviceError({processorName(), "", "has no bfloat16 arithmetic (AVX-512 BF16)",
                           fmt::format("Use {} (`precision`).", processorPrecisionNames())});
    if (options.precision == Precision::int8 && !processorHasVnni())
        throw DeviceError({processorName(), "", "has no 8-bit products (AVX-512 VNNI)",
                           fmt::format("Use {} (`precision`).", processorPrecisionNames())});
    const onednn::ThreadLimit limit(resolveThreadCount(options.threads));
    return std::make_unique<CpuBackend>(std::move(model), options);
}

}  // namespace threefold
