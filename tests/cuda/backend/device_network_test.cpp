#include "cuda/backend/device_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/backend/captured_network.h"
#include "cuda/backend/device_tensor.h"
#include "cuda/backend/time_steps.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/roofline.h"
#include "engine/sample/sample.h"
#include "tests/cuda/backend/plain_cuda.h"
#include "tests/cuda/backend/small_model.h"
#include "tests/cuda/runtime/fake_device.h"
#include "tests/cuda/simulation/network.h"

namespace threefold::cuda {
namespace {

using test::madeSmall;
using test::smallModel;
using test::someInput;

constexpr DeviceLimits kHopper = {90, 132, 232448, true};

using Tensors = std::map<std::string, std::vector<float>>;
using Shapes = std::map<std::string, std::vector<std::size_t>>;

struct Outcome {
    Tensors tensors;
    Shapes shapes;
    std::vector<Reconstruction> meshes;
};

Outcome onProcessor(const std::shared_ptr<const Model>& model, const NetworkInput& input) {
    Outcome run;
    BatchOptions options;
    options.probe = [&](std::string_view name, std::span<const float> values,
                        std::span<const std::size_t> shape) {
        run.tensors[std::string(name)].assign(values.begin(), values.end());
        run.shapes[std::string(name)].assign(shape.begin(), shape.end());
    };
    run.meshes.push_back(makeCpuBackend(model)->reconstruct(input, options));
    return run;
}

Outcome onPlainDevice(const std::shared_ptr<const Model>& model, Precision precision,
                      const KernelChoice& choice, const std::vector<NetworkInput>& inputs,
                      const BlockQuantisationRanges& ranges = {}) {
    test::FakeDevice device;
    const BackendStreams streams;
    MemoryPool memory(device, MemoryKind::device);
    MemoryPool pinned(device, MemoryKind::pinned);
    StreamContexts contexts(streams, memory);
    const DeviceModel weights(model, {kHopper, precision, choice}, ranges, memory, contexts.main);
    const bool probed = inputs.size() == 1;
    DeviceNetwork network(weights,
                          {.batch = inputs.size(),
                           .views = inputs.front().images.size(),
                           .maxImagePixels = slotPixels(inputs),
                           .extraTensors = probed ? ExtraTensors::probes : ExtraTensors::scores},
                          {contexts, memory, pinned});
    Outcome run;
    NetworkHooks hooks;
    if (probed) {
        hooks.onTensor = [&](const DeviceTensor& tensor) {
            run.tensors[std::string(tensor.name)] = copyToHost(tensor, contexts.main);
            run.shapes[std::string(tensor.name)] = tensor.shape;
        };
    }
    test::takeWaits();
    run.meshes = network.run(inputs, hooks);
    // The streams fork once and join once, because a capture with an unjoined stream cannot end.
    const std::vector<std::pair<Stream, Stream>> expected = {{contexts.side, contexts.main},
                                                             {contexts.main, contexts.side}};
    EXPECT_EQ(test::takeWaits(), expected);
    return run;
}

double relativeError(const std::vector<float>& ours, const std::vector<float>& theirs) {
    double worst = 0;
    double largest = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const double difference = std::abs(double{ours[i]} - double{theirs[i]});
        if (!(difference <= worst)) worst = difference;
        largest = std::max(largest, std::abs(double{theirs[i]}));
    }
    return largest > 0 ? worst / largest : worst;
}

void expectSame(const Outcome& ours, const Outcome& theirs, double tolerance) {
    for (const auto& [name, values] : theirs.tensors) {
        ASSERT_TRUE(ours.tensors.contains(name)) << name << " is not shown";
        EXPECT_EQ(ours.shapes.at(name), theirs.shapes.at(name)) << name;
        ASSERT_EQ(ours.tensors.at(name).size(), values.size()) << name;
        EXPECT_LE(relativeError(ours.tensors.at(name), values), tolerance) << name;
    }
    EXPECT_EQ(ours.tensors.size(), theirs.tensors.size());
}

std::vector<float> flat(const Points& points) {
    std::vector<float> values;
    for (const glm::vec3 p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return values;
}

void expectSameMesh(const Reconstruction& ours, const Reconstruction& theirs, double tolerance) {
    ASSERT_EQ(ours.stages.size(), theirs.stages.size());
    for (std::size_t stage = 0; stage < ours.stages.size(); ++stage) {
        const Points& a = ours.stages[stage].vertices;
        const Points& b = theirs.stages[stage].vertices;
        ASSERT_EQ(a.size(), b.size());
        EXPECT_LE(relativeError(flat(a), flat(b)), tolerance);
    }
}

void expectSameEntropy(const Reconstruction& ours, const Reconstruction& theirs, double tolerance) {
    for (const char* block : {"refined1", "refined"}) {
        const std::vector<float>& bits = ours.find(block)->channel(kEntropyChannel);
        ASSERT_EQ(bits.size(), ours.vertices("coarse").size());
        EXPECT_LE(relativeError(bits, theirs.find(block)->channel(kEntropyChannel)), tolerance);
    }
}

constexpr double kTolerance = 1e-4;
constexpr double kHalfTolerance = 2e-2;
constexpr KernelChoice kFused{true, true};
constexpr KernelChoice kLibrary{false, false};

TEST(DeviceNetwork, givesEveryTensorOfTheProcessor_whenFused) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6, 7});
    const Outcome theirs = onProcessor(smallModel(), input);
    const Outcome ours = onPlainDevice(smallModel(), Precision::float32, kFused, {input});
    expectSame(ours, theirs, kTolerance);
    expectSameMesh(ours.meshes[0], theirs.meshes[0], kTolerance);
    expectSameEntropy(ours.meshes[0], theirs.meshes[0], kTolerance);
}

TEST(DeviceNetwork, givesEveryTensorOfTheProcessor_whenTheLibrariesComputeIt) {
    const NetworkInput input = someInput("03001627/p0001", {4, 1});
    const Outcome theirs = onProcessor(smallModel(), input);
    const Outcome ours = onPlainDevice(smallModel(), Precision::float32, kLibrary, {input});
    expectSame(ours, theirs, kTolerance);
    expectSameMesh(ours.meshes[0], theirs.meshes[0], kTolerance);
}

TEST(DeviceNetwork, staysClose_whenPrecisionIsFloat16) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6, 7});
    const Outcome theirs = onProcessor(smallModel(), input);
    expectSameMesh(onPlainDevice(smallModel(), Precision::float16, kFused, {input}).meshes[0],
                   theirs.meshes[0], kHalfTolerance);
    expectSameMesh(onPlainDevice(smallModel(), Precision::float16, kLibrary, {input}).meshes[0],
                   theirs.meshes[0], kHalfTolerance);
}

// Checks the simulation that tests/cuda/simulation runs at full size: the kernels differ less from
// the simulation than the simulated precision differs from float32. The kernels' difference is
// chance: values next to a rounding boundary may be rounded to either side. If the kernels and the
// simulation had independent errors of equal size, the ratio of the two differences would be 1.4.
void expectLikeSimulation(const std::shared_ptr<const Model>& model, simulation::Kernels kernels,
                          const std::vector<Precision>& precisions, double maxCoarseRatio) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6, 7});
    simulation::Network simulated(model, input);
    BlockQuantisationRanges ranges{};
    simulated.calibrate(ranges);
    const simulation::Outcome exact = simulated.run({});
    const auto median = [](const Points& a, const Points& b) {
        return distanceQuantile(a, b, 0.5);
    };
    for (const Precision precision : precisions) {
        const simulation::Outcome expected =
            simulated.run(simulation::Arithmetic::of(precision, kernels), ranges);
        const KernelChoice& choice = kernels == simulation::Kernels::fused ? kFused : kLibrary;
        const Reconstruction ours =
            onPlainDevice(model, precision, choice, {input}, ranges).meshes[0];
        EXPECT_LE(median(ours.vertices("coarse"), expected.coarse),
                  maxCoarseRatio * median(exact.coarse, expected.coarse))
            << precisionName(precision);
        EXPECT_LE(median(ours.vertices("refined1"), expected.refined1),
                  0.7 * median(exact.refined1, expected.refined1))
            << precisionName(precision);
    }
}

// Weights of the bundled model. With the test model, the precision changes the result so little
// that another processor's order of sums changes it nearly as much (0.74 of the precision's own
// deviation on SSE4.1).
std::shared_ptr<const Model> smallBundledModel() {
    return madeSmall(*loadModel(threefold::test::bundledModelFile()));
}

TEST(GoldenNetwork, deviatesLikeItsSimulation_whenPrecisionIsLower) {
    std::vector<Precision> lower(std::begin(kAllPrecisions), std::end(kAllPrecisions));
    std::erase(lower, Precision::float32);
    expectLikeSimulation(smallBundledModel(), simulation::Kernels::fused, lower, 0.3);
}

// Rounding between the layers amplifies the effect of the order of sums, and oneDNN's order depends
// on the processor: the ratio of expectLikeSimulation() is 0.25 with AVX-512, 0.50 with AVX2.
TEST(GoldenNetwork, deviatesLikeItsSimulation_withLibraryKernels) {
    expectLikeSimulation(smallBundledModel(), simulation::Kernels::library, {Precision::float16},
                         0.7);
}

TEST(DeviceNetwork, givesEachSampleItsOwnResult_whenBatched) {
    const std::vector<NetworkInput> inputs = {someInput("02691156/p0001", {0, 6}),
                                              someInput("03001627/p0001", {3, 9})};
    for (const KernelChoice& choice : {kFused, kLibrary}) {
        const Outcome together = onPlainDevice(smallModel(), Precision::float32, choice, inputs);
        ASSERT_EQ(together.meshes.size(), inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Reconstruction theirs = onProcessor(smallModel(), inputs[i]).meshes[0];
            expectSameMesh(together.meshes[i], theirs, kTolerance);
            expectSameEntropy(together.meshes[i], theirs, kTolerance);
        }
    }
}

TEST(DeviceNetwork, readsTheFirstViewsMaps_withTheSamplerNearestInFirstView) {
    auto model = std::make_shared<Model>(*smallModel());
    model->sampler = SamplerKind::nearestInFirstView;
    const NetworkInput input = someInput("02958343/p0001", {0, 6});
    expectSame(onPlainDevice(model, Precision::float32, kFused, {input}), onProcessor(model, input),
               kTolerance);
}

class CapturedNetworkTest : public testing::Test {
  protected:
    /// Makes a network for batches of one sample with two views.
    std::unique_ptr<DeviceNetwork> network(std::span<const NetworkInput> inputs,
                                           std::size_t maxUnfinishedBatches) {
        return std::make_unique<DeviceNetwork>(weights_,
                                               NetworkShape{.batch = 1,
                                                            .views = 2,
                                                            .maxImagePixels = slotPixels(inputs),
                                                            .batchSlots = maxUnfinishedBatches},
                                               NetworkResources{contexts_, memory_, pinned_});
    }

  private:
    test::FakeDevice device_;
    BackendStreams streams_;
    MemoryPool memory_{device_, MemoryKind::device};
    MemoryPool pinned_{device_, MemoryKind::pinned};
    StreamContexts contexts_{streams_, memory_};
    DeviceModel weights_{
        smallModel(), {kHopper, Precision::float32, kFused}, {}, memory_, contexts_.main};
};

TEST_F(CapturedNetworkTest, giveEachBatchItsOwnResults_whenTheNextBeginsEarly) {
    const std::vector<NetworkInput> inputs = {someInput("02691156/p0001", {0, 6}),
                                              someInput("03001627/p0001", {3, 9})};
    auto made = network(inputs, kMaxUnfinishedBatches);
    test::setReplay([&network = *made] { network.enqueue({}); });
    CapturedNetwork graph(std::move(made), std::span(inputs).first(1), CudaTuning{},
                          TimedSteps::all);
    test::setElapsed(3);
    {
        const test::RandomStreamOrder streams(
            4);  // seed 4: no operation runs before the host waits
        const std::size_t first = graph.begin(std::span(inputs).first(1), TimedSteps::all);
        const std::size_t second = graph.begin(std::span(inputs).last(1), TimedSteps::all);
        EXPECT_THROW(graph.begin(std::span(inputs).first(1), TimedSteps::all), std::logic_error);
        const std::vector<Reconstruction> theFirst = graph.finish(first);
        expectSameMesh(theFirst[0], onProcessor(smallModel(), inputs[0]).meshes[0], kTolerance);
        EXPECT_EQ(theFirst[0].timings.front().milliseconds, 3);
        // A batch that fails to begin takes no slot and does not disturb the running batch.
        test::failCopy(1);
        EXPECT_THROW(graph.begin(std::span(inputs).first(1), TimedSteps::all), DeviceLost);
        const std::size_t dropped = graph.begin(std::span(inputs).first(1), TimedSteps::all);
        expectSameMesh(graph.finish(second)[0], onProcessor(smallModel(), inputs[1]).meshes[0],
                       kTolerance);
        graph.drop(dropped);
        graph.drop(graph.begin(std::span(inputs).last(1), TimedSteps::all));
    }
    test::setReplay([] {});
}

TEST_F(CapturedNetworkTest, callsOnMarkOnceForEachMark_inTheOrderOfTheSequence) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6});
    std::vector<Mark> marks;
    NetworkHooks hooks;
    hooks.onMark = [&](Mark mark, cudaStream_t) { marks.push_back(mark); };
    network({&input, 1}, 1)->run({&input, 1}, hooks);
    const std::vector<Mark> expected = {
        beginOf(RunStep::preprocess), endOf(RunStep::preprocess), endOf(RunStep::cnn2),
        endOf(RunStep::cnn1),         beginOf(RunStep::graph1),   endOf(RunStep::graph1),
        beginOf(RunStep::graph2),     endOf(RunStep::graph2),     beginOf(RunStep::graph3),
        endOf(RunStep::graph3),       beginOf(RunStep::block1),   endOf(RunStep::block1),
        endOf(RunStep::block2)};
    EXPECT_EQ(marks, expected);
}

TEST_F(CapturedNetworkTest, timeStagesWhenAsked_andPreprocessingAlways) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6});
    for (const bool timed : {true, false}) {
        CudaTuning tuning;
        tuning.stepTimes = timed;
        CapturedNetwork graph(network({&input, 1}, 2), {&input, 1}, tuning,
                              TimedSteps::preprocessing);
        test::setElapsed(3);
        const std::size_t plain = graph.begin({&input, 1}, TimedSteps::preprocessing);
        const std::size_t staged = graph.begin({&input, 1}, TimedSteps::all);
        const StepTimings ofPlain = graph.finish(plain)[0].timings;
        const StepTimings ofStaged = graph.finish(staged)[0].timings;
        if (timed) {
            ASSERT_EQ(ofPlain.size(), 1U);
            EXPECT_EQ(ofPlain[0].step, RunStep::preprocess);
            EXPECT_EQ(ofPlain[0].milliseconds, 3);
            // All steps except load, and except the projection of stage 2, which is part of the
            // blocks' kernel.
            EXPECT_EQ(ofStaged.size(), runStepsOf(kPublishedHypothesisBlocks).size() - 2);
            const auto projection =
                std::ranges::find(ofStaged, RunStep::project1, &StepTiming::step);
            ASSERT_NE(projection, ofStaged.end());
            EXPECT_EQ(projection->milliseconds, 9) << "3 ms for each of three levels";
        } else {
            EXPECT_TRUE(ofPlain.empty());
            EXPECT_TRUE(ofStaged.empty());
        }
    }
}

/// Steps that a timing run reported.
struct Timed {
    std::vector<CapturedStep> steps;
    bool idle = true;  ///< no capture is open after the run
};

Timed timed(const KernelChoice& choice, const NetworkInput& input, std::stop_source cancel = {},
            std::size_t cancelAfter = SIZE_MAX) {
    test::FakeDevice device;
    const BackendStreams streams;
    MemoryPool memory(device, MemoryKind::device);
    MemoryPool pinned(device, MemoryKind::pinned);
    StreamContexts contexts(streams, memory);
    const DeviceModel weights(smallModel(), {kHopper, Precision::float32, choice}, {}, memory,
                              contexts.main);
    DeviceNetwork network(
        weights,
        {.batch = 1, .views = input.images.size(), .maxImagePixels = slotPixels({&input, 1})},
        {contexts, memory, pinned});
    Timed run;
    const auto report = [&](const CapturedStep& step) {
        run.steps.push_back(step);
        if (run.steps.size() == cancelAfter) cancel.request_stop();
    };
    try {
        timeNetworkSteps(network, contexts, {&input, 1}, 5, report, cancel.get_token());
    } catch (const Cancelled&) {
        EXPECT_EQ(run.steps.size(), cancelAfter);
    }
    run.idle = !test::capturing();
    return run;
}

TEST(TimeSteps, reportsEachStepInOrder_whenFused) {
    const NetworkInput input = someInput("02691156/p0001", {0, 6, 7});
    test::setElapsed(8);  // ms; longer than a replay must be, so that timing captures the work only
                          // once
    test::setNodes(2);
    test::takeReplays();
    const Timed run = timed(kFused, input);
    std::vector<std::string> names;
    for (const CapturedStep& step : run.steps) {
        names.push_back(step.runStep + ": " + step.name);
        EXPECT_EQ(step.milliseconds, 8) << step.name;
        EXPECT_EQ(step.nodeCount, 2U);
        EXPECT_GT(step.minTrafficBytes, 0) << step.name;
    }
    const std::vector<std::string> expected = {
        "preprocess: upload",       "preprocess: preprocess",   "cnn2: convolutions",
        "cnn1: convolutions",       "graph1: pooling",          "graph1: graph block",
        "graph1: unpool",           "graph2: pooling",          "graph2: graph block",
        "graph2: unpool",           "graph3: pooling",          "graph3: graph block",
        "block1: hypothesis block", "block2: hypothesis block", "download: download"};
    EXPECT_EQ(names, expected);
    EXPECT_EQ(run.steps[5].flop, minimumFlop(*smallModel(), RunStep::graph1, 3));
    EXPECT_EQ(run.steps[13].flop, minimumFlop(*smallModel(), RunStep::block2, 3));
    EXPECT_EQ(test::takeReplays(), 5 * static_cast<int>(expected.size()));
}

TEST(TimeSteps, splitsTheBlocks_whenTheLibrariesComputeThem) {
    test::setElapsed(8);
    const Timed run = timed(kLibrary, someInput("02691156/p0001", {0, 6}));
    std::map<std::string, double> flop;
    for (const CapturedStep& step : run.steps) flop[step.runStep] += step.flop;
    EXPECT_GT(run.steps.size(), 100U);
    for (const RunStep step : {RunStep::graph1, RunStep::block1}) {
        const double whole = minimumFlop(*smallModel(), step, 2);
        // Padded rows and the dense Laplacian add operations; the last layer is not counted.
        EXPECT_GT(flop[std::string(runStepName(step))], 0.95 * whole) << runStepName(step);
        EXPECT_LT(flop[std::string(runStepName(step))], 1.5 * whole) << runStepName(step);
    }
}

TEST(TimeSteps, endsBetweenSteps_whenCancelled) {
    const Timed run = timed(kFused, someInput("02691156/p0001", {0, 6}), {}, 4);
    EXPECT_EQ(run.steps.size(), 4U);
    EXPECT_TRUE(run.idle);
}

}  // namespace
}  // namespace threefold::cuda
