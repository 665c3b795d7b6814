#include "cuda/backend/device_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/backend/cuda_backend.h"
#include "cuda/backend/device.h"
#include "cuda/backend/device_model.h"
#include "cuda/backend/peak_rates.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/fitting/fit_mesh.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/network/roofline.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/foreground.h"

namespace threefold::cuda {
namespace {

constexpr int kTimedRuns = 20;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kAllowedDistance = 1e-5;
constexpr double kAllowedMatching = 1e-3;

/// Step of the network, with the tensors that its check compares.
struct CheckedStep {
    const char* name;
    const char* tensors;  ///< prefix of the tensors' names
    std::optional<RunStep> runStep;
    /// Allowed error, relative to the tensor's largest magnitude. Deviation::maxVertex is in object
    /// units, which makes little difference: the largest coordinate of a mesh in camera space is
    /// about 1.
    double Deviation::*allowed;
};
constexpr std::array kSteps = {
    CheckedStep{"preprocessing", "image", RunStep::preprocess, &Deviation::maps},
    CheckedStep{"convolutions of stage 1", "stage1_map_", RunStep::cnn1, &Deviation::maps},
    CheckedStep{"pooling", "stage1_features_1", std::nullopt, &Deviation::maps},
    CheckedStep{"graph block 1", "level1", RunStep::graph1, &Deviation::levels},
    CheckedStep{"graph block 2", "level2", RunStep::graph2, &Deviation::levels},
    CheckedStep{"graph block 3", "coarse", RunStep::graph3, &Deviation::levels},
    CheckedStep{"convolutions of stage 2", "stage2_map_", RunStep::cnn2, &Deviation::maps},
    CheckedStep{"hypothesis block 1", "refined_1", RunStep::block1, &Deviation::maxVertex},
    CheckedStep{"hypothesis block 2", "refined_2", RunStep::block2, &Deviation::maxVertex},
};

struct CheckedSample {
    NetworkInput input;
    Points truth;  ///< empty if unknown
};

CheckedSample loadCheckedSample(const CudaOptions& options) {
    if (!options.quantisationSamples.empty()) return {options.quantisationSamples.front(), {}};
    for (const auto& folder : bundledSamples()) {
        const Sample sample = findSample(folder);
        if (!sample.truth) continue;
        return {loadViews(sample, kPublishedViews), loadGroundTruth(sample, 0).points};
    }
    throw InputError({"GPU check", bundledSamplesFolder().string(), "there is no sample to run on",
                      "Install Threefold's bundled samples."});
}

using Tensors = std::map<std::string, std::vector<float>>;

struct ProbedRun {
    Tensors tensors;
    Reconstruction reconstruction;
};

ProbedRun probe(Backend& backend, const NetworkInput& input) {
    ProbedRun probed;
    BatchOptions options;
    options.probe = [&](std::string_view name, std::span<const float> values,
                        std::span<const std::size_t>) {
        probed.tensors[std::string(name)].assign(values.begin(), values.end());
    };
    probed.reconstruction = backend.reconstruct(input, options);
    return probed;
}

/// The larger error; NaN if either is NaN.
double largerError(double a, double b) {
    return a <= b || std::isnan(b) ? b : a;
}

/// Largest difference relative to the largest expected magnitude. NaN, which fails every check, if
/// a value is not finite or the sizes differ.
double relativeError(const std::vector<float>& actual, const std::vector<float>& expected) {
    if (actual.size() != expected.size()) return kNaN;
    double worst = 0;
    double largest = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::abs(double{actual[i]} - double{expected[i]});
        if (!std::isfinite(difference)) return kNaN;
        worst = std::max(worst, difference);
        largest = std::max(largest, std::abs(double{expected[i]}));
    }
    return largest > 0 ? worst / largest : worst;
}

double stepError(const Tensors& actual, const Tensors& expected, const std::string& prefix) {
    double worst = 0;
    bool matched = false;
    for (const auto& [name, values] : expected) {
        if (!name.starts_with(prefix)) continue;
        matched = true;
        const auto match = actual.find(name);
        worst =
            largerError(worst, match == actual.end() ? kNaN : relativeError(match->second, values));
    }
    return matched ? worst : kNaN;
}

bool sameBits(const Points& a, const Points& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(glm::vec3)) == 0;
}

/// Median times of kTimedRuns reconstructions, in milliseconds: the time of each run step, and the
/// wall time of a whole reconstruction.
struct Times {
    std::map<RunStep, double> runSteps;
    double whole = 0;
};

Times measureTimes(Backend& backend, const NetworkInput& input) {
    std::map<RunStep, std::vector<double>> runSteps;
    std::vector<double> whole;
    for (int i = 0; i < kTimedRuns; ++i) {
        const Reconstruction reconstruction = backend.reconstruct(input, {});
        for (const StepTiming& timing : reconstruction.timings)
            runSteps[timing.step].push_back(timing.milliseconds);
        whole.push_back(reconstruction.wallMilliseconds);
    }
    Times times;
    for (const auto& [step, values] : runSteps) times.runSteps[step] = medianOf(values).value_or(0);
    times.whole = medianOf(whole).value_or(0);
    return times;
}

/// Checks of a device, one precision after the other.
class PrecisionChecks {
  public:
    /// Keeps references to `subject` and `reference`, the processor's run.
    PrecisionChecks(std::shared_ptr<const Model> model, const CudaOptions& options,
                    const DeviceLimits& limits, const CheckedSample& subject,
                    const ProbedRun& reference)
        : model_(std::move(model)),
          options_(options),
          limits_(limits),
          sample_(subject),
          reference_(reference) {
        options_.tuning.stepTimes = true;
    }

    /// Runs all checks in this precision. Throws DeviceError.
    void run(Precision precision) {
        options_.precision = precision;
        const std::unique_ptr<Backend> backend = makeCudaBackend(model_, options_);
        if (const auto use = backend->memoryUse()) addMemory(precision, *use);
        const ProbedRun actual = probe(*backend, sample_.input);
        const Times times = measureTimes(*backend, sample_.input);
        addSteps(precision, actual, times);
        addMesh(precision, actual.reconstruction.result().vertices, times);
        addRepeat(*backend, precision);
        if (precision == Precision::float32) {
            float32Mesh_ = actual.reconstruction.result().vertices;
            addMeshOperations(backend->meshOperations());
            addFit(backend->meshOperations());
        }
        if (const auto use = backend->memoryUse()) addPools(precision, *use);
    }

    /// Adds the failure of a precision, whose checks could not be completed.
    void addFailure(Precision precision, const DeviceError& error) {
        GpuCheck& check = checks_.emplace_back();
        check.name = fmt::format("the network, {}", precisionName(precision));
        check.note = error.what();
    }

    std::vector<GpuCheck> take() { return std::move(checks_); }

  private:
    GpuCheck& add(std::string name, double error, double allowed, std::string remark = {}) {
        GpuCheck& check = checks_.emplace_back();
        check.name = std::move(name);
        check.relativeError = error;
        check.maxRelativeError = allowed;
        check.passed = error <= allowed;  // false for NaN
        check.note = std::move(remark);
        return check;
    }

    /// Adds a line without a comparison, which always passes.
    void addNote(std::string name, std::string text) {
        add(std::move(name), 0, 0, std::move(text));
    }

    Deviation allowed(Precision precision) const {
        const auto hypotheses = static_cast<int>(model_->templateMesh.hypothesisOffsets.size());
        const KernelChoice choice = KernelChoice::on(
            limits_, precision, hypotheses,
            options_.tuning.libraryKernels ? KernelSource::library : KernelSource::fused);
        return allowedDeviation(precision, choice.source(), model_->sampler);
    }

    void addSteps(Precision precision, const ProbedRun& actual, const Times& times) {
        for (const CheckedStep& step : kSteps) {
            GpuCheck& check = add(fmt::format("{}, {}", step.name, precisionName(precision)),
                                  stepError(actual.tensors, reference_.tensors, step.tensors),
                                  allowed(precision).*step.allowed);
            if (!step.runStep) continue;
            const auto time = times.runSteps.find(*step.runStep);
            check.milliseconds = time == times.runSteps.end() ? 0.0 : time->second;
            const bool hypothesisBlock =
                step.runStep == RunStep::block1 || step.runStep == RunStep::block2;
            check.peakFraction = peakFraction(
                hypothesisBlock ? precision : precisionOutsideHypothesisBlocks(precision),
                *step.runStep, check.milliseconds);
        }
    }

    /// Reports the memory of a captured network for one mesh, before anything else ran.
    void addMemory(Precision precision, const DeviceMemoryUse& use) {
        constexpr double kMega = 1e6;
        addNote(
            fmt::format("memory at batch 1, {}", precisionName(precision)),
            fmt::format("peak {:.0f} MB, of which weights and buffers {:.0f} MB, without the bare "
                        "context",
                        static_cast<double>(use.peakBytes) / kMega,
                        static_cast<double>(use.peakPoolBytes) / kMega));
    }

    /// Reports pool use after all checks of the precision.
    void addPools(Precision precision, const DeviceMemoryUse& use) {
        addNote(fmt::format("memory pools, {}", precisionName(precision)), poolUseText(use.pools));
    }

    void addMesh(Precision precision, const Points& refined, const Times& times) {
        const Deviation allowedError = allowed(precision);
        const Points& exact = reference_.reconstruction.result().vertices;
        const std::string_view name = precisionName(precision);
        add(fmt::format("whole mesh, {}", name), distanceQuantile(refined, exact, kTypicalQuantile),
            allowedError.typicalVertex, "object units, 99.5 % of the vertices")
            .milliseconds = times.whole;
        add(fmt::format("furthest vertex, {}", name), distanceQuantile(refined, exact, 1),
            allowedError.maxVertex, "object units");
        if (precision == Precision::float16 && !float32Mesh_.empty())
            add("whole mesh, float16 against the GPU's float32",
                distanceQuantile(refined, float32Mesh_, kTypicalQuantile),
                allowedError.typicalVertex, "object units, 99.5 % of the vertices");
        if (!sample_.truth.empty())
            add(fmt::format("F-score, {}", name), scoreDifference(refined, exact),
                allowedError.scorePoints, "percentage points");
    }

    double scoreDifference(const Points& actual, const Points& expected) const {
        return std::abs(chamferAndFScores(actual, sample_.truth).atTau().fScore -
                        chamferAndFScores(expected, sample_.truth).atTau().fScore);
    }

    void addRepeat(Backend& backend, Precision precision) {
        const Reconstruction first = backend.reconstruct(sample_.input, {});
        const Reconstruction second = backend.reconstruct(sample_.input, {});
        const bool same = std::ranges::equal(first.stages, second.stages,
                                             [](const StageMesh& one, const StageMesh& other) {
                                                 return sameBits(one.vertices, other.vertices);
                                             });
        add(fmt::format("same input twice, {}", precisionName(precision)),
            distanceQuantile(first.result().vertices, second.result().vertices, 1), 0.0,
            "bit for bit")
            .passed = same;
    }

    static Points randomCloud(std::size_t count, unsigned seed, float halfWidth = 0.5F) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> coordinate(-halfWidth, halfWidth);
        Points points(count);
        for (glm::vec3& p : points)
            p = {coordinate(random), coordinate(random), coordinate(random)};
        return points;
    }

    void addMeshOperations(MeshOperations& device) {
        // Sizes of a mesh and of a typical truth.
        const Points first = randomCloud(2466, 1);
        const Points second = randomCloud(6500, 2);
        const CloudPair pair{first, second};
        const std::span<const CloudPair> pairs(&pair, 1);

        const BidirectionalNeighbours actual = device.nearestNeighbours(pairs).pairs[0];
        const BidirectionalNeighbours expected = bidirectionalNeighbours(pairs).pairs[0];
        const auto distanceError = [](const Neighbours& one, const Neighbours& other) {
            const auto floats = [](const std::vector<double>& values) {
                return std::vector<float>(values.begin(), values.end());
            };
            return relativeError(floats(one.squaredDistances), floats(other.squaredDistances));
        };
        const double error =
            largerError(distanceError(actual.firstToSecond, expected.firstToSecond),
                        distanceError(actual.secondToFirst, expected.secondToFirst));
        std::vector<double> times(kTimedRuns);
        for (double& time : times) time = device.nearestNeighbours(pairs).milliseconds;
        add("nearest neighbours both ways, 2466 and 6500 points", error, kAllowedDistance)
            .milliseconds = medianOf(times).value_or(0);

        addMatching(device, "earth mover's matching, 300 and 777 points", randomCloud(777, 4), {});
        addMatching(device, "earth mover's distance, with relaxation that oscillates",
                    randomCloud(777, 4, 1), {0, 100, 1.95});
    }

    /// Fits the reference mesh to the photographs on the device and on the processor.
    void addFit(MeshOperations& device) {
        const NetworkInput& input = sample_.input;
        std::vector<MaskedView> views;
        for (std::size_t i = 0; i < input.images.size(); ++i)
            views.push_back({static_cast<int>(i), input.cameras[i], foregroundOf(input.images[i])});
        const fitting::MeshLevels levels(model_->templateMesh);
        const Points& start = reference_.reconstruction.result().vertices;
        const Camera& meshCamera = input.cameras.front();
        const FitResult expected = fitMesh(start, levels, meshCamera, views, {});
        const FitResult first = device.fit(start, levels, meshCamera, views, {});
        const FitResult actual = device.fit(start, levels, meshCamera, views, {});
        add("fit, same input twice", distanceQuantile(actual.vertices, first.vertices, 1), 0.0,
            "bit for bit")
            .passed = sameBits(actual.vertices, first.vertices);
        if (actual.steps.empty() || expected.steps.empty()) return;
        const double energy = expected.steps.front().meanEnergy;
        add("fit, energy before the first step",
            std::abs(actual.steps.front().meanEnergy - energy) / energy, kMinDeviation);
        add("fit, furthest vertex", distanceQuantile(actual.vertices, expected.vertices, 1),
            kMaxVertexMargin * kMaxFitDeviation,
            fmt::format("object units; {} steps and {}, by the processor in {:.0f} ms",
                        actual.steps.size(), expected.steps.size(), expected.milliseconds))
            .milliseconds = actual.milliseconds;
        if (sample_.truth.empty()) return;
        add("fit, F-score", scoreDifference(actual.vertices, expected.vertices),
            kDeviationMargin * kFitScoreDeviation, "percentage points");
    }

    void addMatching(MeshOperations& device, const char* name, const Points& second,
                     const SinkhornSchedule& schedule) {
        const Points first = randomCloud(300, 3);
        const CloudPair pair{first, second};
        const TransportResults actual = device.earthMoversDistances({&pair, 1}, schedule);
        const EarthMoversDistance expected = sinkhornDistance(pair, schedule);
        const double error =
            largerError(std::abs(actual.pairs[0].distance - expected.distance),
                        std::abs(actual.pairs[0].lowerBound - expected.lowerBound));
        add(name, error / expected.distance, kAllowedMatching).milliseconds = actual.milliseconds;
    }

    double peakFraction(Precision precision, RunStep step, double milliseconds) {
        const double flop = minimumFlop(*model_, step, sample_.input.images.size());
        if (flop <= 0 || milliseconds <= 0) return 0;
        if (!teraflops_.contains(precision))
            teraflops_[precision] = measureGpuPeakRates(options_.device, precision).teraflops;
        return flop / (1e-3 * milliseconds) * 1e-12 / teraflops_.at(precision);
    }

    std::shared_ptr<const Model> model_;
    CudaOptions options_;
    DeviceLimits limits_;
    const CheckedSample& sample_;
    const ProbedRun& reference_;
    std::vector<GpuCheck> checks_ = {};
    Points float32Mesh_ = {};  ///< the device's float32 mesh; empty before the float32 run
    std::map<Precision, double> teraflops_ = {};
};

}  // namespace

std::vector<GpuCheck> checkDevice(const std::shared_ptr<const Model>& model,
                                  const CudaOptions& options) {
    const DeviceInfo device = chooseDevice(options.device, Precision::float32);
    if (!options.makeProcessorBackend)
        throw InputError({"GPU check", "", "nothing to compare with was given",
                          "Give the processor's backend."});
    const CheckedSample subject = loadCheckedSample(options);
    const std::unique_ptr<Backend> processor = options.makeProcessorBackend();
    const ProbedRun reference = probe(*processor, subject.input);
    PrecisionChecks checks(model, options, device.limits, subject, reference);
    for (const Precision precision : kAllPrecisions) {
        if (device.limits.computeCapability < minCapability(precision)) continue;
        try {
            checks.run(precision);
        } catch (const DeviceError& error) {
            checks.addFailure(precision, error);
            if (dynamic_cast<const DeviceLost*>(&error) != nullptr) break;
        }
    }
    return checks.take();
}

}  // namespace threefold::cuda
