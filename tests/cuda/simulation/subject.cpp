#include "tests/cuda/simulation/subject.h"

#include <cstdlib>
#include <filesystem>

#include "engine/sample/ground_truth.h"
#include "engine/sample/sample_views.h"
#include "tests/support/models.h"

namespace threefold::cuda::simulation {
namespace {

std::filesystem::path samplesFolder() {
    return std::filesystem::path(THREEFOLD_RESOURCES) / "samples" / "ShapeNetRendering";
}

}  // namespace

std::shared_ptr<const Model> Subject::model() const {
    static const std::shared_ptr<const Model> bundled = loadModel(test::bundledModelFile());
    auto model = std::make_shared<Model>(*bundled);
    model->sampler = sampler;
    return model;
}

NetworkInput Subject::input() const {
    return loadViews(findSample(samplesFolder() / location), views);
}

Points Subject::truth() const {
    return loadGroundTruth(findSample(samplesFolder() / location), views.front()).points;
}

const std::vector<Subject>& subjects() {
    ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 0);
    static const std::vector<Subject> all = {{.name = "plane_each",
                                              .location = "02691156/p0001",
                                              .sampler = SamplerKind::bilinearPerView},
                                             {.name = "chair_each",
                                              .location = "03001627/p0001",
                                              .sampler = SamplerKind::bilinearPerView},
                                             {.name = "car_published",
                                              .location = "02958343/p0001",
                                              .sampler = SamplerKind::nearestInFirstView}};
    return all;
}

const std::vector<Subject>& subjectsOfOtherViews() {
    static const std::vector<Subject> all = {
        {"chair_views_1_2", "03001627/p0001", SamplerKind::bilinearPerView, {1, 2}},
        {"chair_views_5_11", "03001627/p0001", SamplerKind::bilinearPerView, {5, 11}}};
    return all;
}

Calibration bundledCalibration(const Subject& subject, Network& network) {
    Calibration calibration{};
    network.calibrate(calibration);
    for (const auto& folder : listSamples(samplesFolder())) {
        if (folder == samplesFolder() / subject.location) continue;
        Network(subject.model(), loadViews(findSample(folder), kPublishedViews))
            .calibrate(calibration);
    }
    return calibration;
}

}  // namespace threefold::cuda::simulation
