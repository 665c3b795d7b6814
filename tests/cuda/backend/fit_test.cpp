#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/backend/allowed_deviation.h"
#include "cuda/backend/cuda_backend.h"
#include "cuda/backend/cuda_device_api.h"
#include "cuda/backend/cuda_fit_solver.h"
#include "cuda/backend/device.h"
#include "cuda/runtime/handles.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/fitting/cpu_fit_solver.h"
#include "engine/fitting/fit_mesh.h"
#include "engine/network/serial_backend.h"
#include "engine/network/service/network_service.h"
#include "tests/cuda/backend/plain_cuda.h"
#include "tests/cuda/backend/small_model.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::cuda {
namespace {

using threefold::test::inView;
using threefold::test::ringOfCameras;
using threefold::test::sphereTemplate;
using threefold::test::sphereVertices;
using threefold::test::viewsOf;

/// Back end that fits on the processor, as SerialBackend does by default.
class ProcessorBackend final : public SerialBackend {
  public:
    std::string description() const override { return "CPU"; }
    Precision precision() const override { return Precision::float32; }
    std::shared_ptr<const Model> model() const override { return test::smallModel(); }
    Reconstruction compute(const NetworkInput&, const BatchOptions&) override { return {}; }
};

/// Fits a ball to the silhouettes of an ellipsoid, on a device that plain C++ emulates.
class CudaFit : public testing::Test {
  protected:
    void setUpViews(int cameras, int subdivisions = 3) {
        const TemplateMesh mesh = sphereTemplate(subdivisions);
        levels_ = fitting::MeshLevels(mesh);
        cameras_ = ringOfCameras(cameras);
        const auto scaled = [&](glm::vec3 radii) {
            Points world = sphereVertices(mesh);
            for (glm::vec3& point : world) point *= radii;
            return inView(world, cameras_.front());
        };
        ball_ = scaled(glm::vec3(0.16F));
        views_ = viewsOf(scaled({0.24F, 0.12F, 0.15F}), levels_.faces(), cameras_);
    }

    std::unique_ptr<Backend> backend(std::size_t memoryBytes = 0) {
        CudaOptions options;
        options.tuning.memoryBytes = memoryBytes;
        options.precision = Precision::float16;
        options.tuning.warmUpRuns = 0;
        options.tuning.planFolder = "/dev/null/no-folder";
        options.log = [this](LogLevel, std::string_view line) { logged_.emplace_back(line); };
        return makeCudaBackend(test::smallModel(), options);
    }
    FitResult fit(Backend& backend, const FitOptions& options = {}) const {
        return backend.meshOperations().fit(ball_, levels_, cameras_.front(), views_, options);
    }
    /// Largest distance of a vertex of `fitted` from the same vertex of the processor's fits whose
    /// start meshes are moved by one ULP along an axis.
    double maxDistanceOfPerturbedFits(const Points& fitted) const {
        double furthest = 0;
        for (int axis = 0; axis < 3; ++axis) {
            for (const float towards : {-1.0F, 1.0F}) {
                Points start = ball_;
                for (glm::vec3& point : start) point[axis] = std::nextafter(point[axis], towards);
                const Points other = fitMesh(start, levels_, cameras_.front(), views_, {}).vertices;
                furthest = std::max(furthest, distanceQuantile(other, fitted, 1));
            }
        }
        return furthest;
    }
    FitResult byProcessor() const { return fitMesh(ball_, levels_, cameras_.front(), views_, {}); }

    fitting::MeshLevels levels_{0, {}};
    std::vector<Camera> cameras_;
    Points ball_;
    std::vector<MaskedView> views_;
    std::vector<std::string> logged_;
};

TEST_F(CudaFit, findsTheProcessorsShape) {
    for (const int cameras : {1, 3, 8}) {
        SCOPED_TRACE(cameras);
        setUpViews(cameras);
        const auto device = backend();
        const FitResult ours = fit(*device);
        const FitResult theirs = byProcessor();
        // A fit is not continuous. So the device may deviate kDeviationMargin times as far as the
        // processor's own fits do when their start meshes differ by one ULP.
        EXPECT_LE(distanceQuantile(ours.vertices, theirs.vertices, 1),
                  kDeviationMargin * maxDistanceOfPerturbedFits(theirs.vertices));
        constexpr double kStepAllowed = 1e-4;
        EXPECT_NEAR(ours.steps.front().meanEnergy, theirs.steps.front().meanEnergy,
                    kStepAllowed * theirs.steps.front().meanEnergy);
        ASSERT_EQ(ours.agreements.size(), theirs.agreements.size());
    }
}

TEST_F(CudaFit, givesTheSameBits_eachTime) {
    setUpViews(2, 2);
    const auto device = backend();
    const FitResult first = fit(*device);
    const FitResult second = fit(*device);
    EXPECT_EQ(first.vertices, second.vertices);
    ASSERT_EQ(first.steps.size(), second.steps.size());
    for (std::size_t i = 0; i < first.steps.size(); ++i)
        EXPECT_EQ(first.steps[i].meanEnergy, second.steps[i].meanEnergy);
}

TEST_F(CudaFit, showsItsProgress_andCanBeCancelled) {
    setUpViews(2, 2);
    const auto device = backend();
    FitOptions options;
    Points last;
    options.progress = [&](const Points& vertices, double) { last = vertices; };
    EXPECT_EQ(fit(*device, options).vertices, last);
    std::stop_source stop;
    options.cancel = stop.get_token();
    int calls = 0;
    options.progress = [&](const Points&, double) {
        ++calls;
        stop.request_stop();
    };
    EXPECT_THROW(fit(*device, options), Cancelled);
    EXPECT_EQ(calls, 1);
}

TEST_F(CudaFit, throwsDeviceLost_andContinuesOnTheProcessor) {
    setUpViews(2, 2);
    const auto device = backend();
    test::failCopy(3);
    EXPECT_THROW(fit(*device), DeviceLost);
    NetworkServiceOptions options;
    options.listener.log = [this](LogLevel, std::string_view line) { logged_.emplace_back(line); };
    NetworkService network(
        oneDevice(backend(), [] { return std::make_unique<ProcessorBackend>(); }),
        std::move(options));
    test::failCopy(20);  // fails during a later step of the fit
    EXPECT_EQ(network.withDevice([&](Backend& each) { return fit(each).vertices; }),
              byProcessor().vertices);
    EXPECT_THAT(logged_, testing::Contains(testing::HasSubstr("The GPU was lost")));
}

TEST_F(CudaFit, leavesTheFitToTheProcessor_whenMemoryIsShort) {
    setUpViews(8, 2);
    const std::size_t enough = backend()->memoryUse()->peakPoolBytes;
    const auto device = backend(enough);
    EXPECT_EQ(fit(*device).vertices, byProcessor().vertices);
    EXPECT_THAT(logged_, testing::Contains(testing::HasSubstr("the processor fits the mesh")));
}

/// Term that pulls every vertex to the origin.
class Inward final : public fitting::VertexTerm {
  public:
    void addTo(const Points& vertices, const Points& normals, const fitting::FitScale& scale,
               fitting::VertexEquations& sum) override {
        EXPECT_EQ(scale.level, 1U);
        ASSERT_EQ(normals.size(), vertices.size());
        EXPECT_NEAR(glm::length(normals.front()), 1, 1e-6);
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            constexpr float kWeight = 3e4F;
            sum.matrices[v].xx += kWeight;
            sum.matrices[v].yy += kWeight;
            sum.matrices[v].zz += kWeight;
            sum.rhs[v] -= kWeight * vertices[v];
            sum.energy += kWeight * glm::dot(vertices[v], vertices[v]);
        }
    }
};

TEST_F(CudaFit, addsFurtherTerms_asTheProcessorDoes) {
    setUpViews(2, 2);
    Inward inward;
    fitting::FitTerms terms;
    std::vector<fitting::ViewOutline> outlines;
    for (const MaskedView& view : views_)
        outlines.emplace_back(*fitting::Outline::of(*view.mask, 100), cameras_.front(),
                              view.camera);
    for (const auto& each : outlines) terms.outlines.push_back(&each);
    const DeviceInfo device = chooseDevice(0, Precision::float32);
    CudaDeviceApi api(device);
    const OwnedStream stream = makeStream();
    MemoryPool memory(api, MemoryKind::device);
    const auto ours = makeCudaFitSolver(device.limits, memory, stream.get(), {});
    fitting::CpuFitSolver theirs(1, {});
    const fitting::FitStart start{ball_, std::vector<float>(ball_.size(), 0.001F)};
    double energyWithout = 0;
    for (const bool hasFurtherTerm : {false, true}) {
        terms.vertexTerms.clear();
        if (hasFurtherTerm) terms.vertexTerms.push_back(&inward);
        for (fitting::FitSolver* solver : {ours.get(), static_cast<fitting::FitSolver*>(&theirs)})
            solver->begin(levels_, start, terms, ball_);
        const FitStep a = ours->step({.level = 1});
        const FitStep b = theirs.step({.level = 1});
        EXPECT_NEAR(a.meanEnergy, b.meanEnergy, 1e-5 * b.meanEnergy);
        EXPECT_NEAR(a.meanMovement, b.meanMovement, 1e-2 * b.meanMovement);
        EXPECT_LT(distanceQuantile(ours->vertices(), theirs.vertices(), 1), 1e-2 * b.meanMovement);
        EXPECT_TRUE(!hasFurtherTerm || b.meanEnergy > 2 * energyWithout);
        energyWithout = b.meanEnergy;
    }
}

}  // namespace
}  // namespace threefold::cuda
