#include "tests/cuda/simulation/subject.h"

#include <filesystem>

#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold::cuda::simulation {
namespace {

std::filesystem::path samplesFolder() {
    return std::filesystem::path(THREEFOLD_RESOURCES) / "samples" / "ShapeNetRendering";
}

}  // namespace

std::shared_ptr<const Model> Subject::model() const {
    static const std::shared_ptr<const Model> bundled =
        loadModel(std::filesystem::path(THREEFOLD_RESOURCES) / "models" / "default.safetensors");
    auto model = std::make_shared<Model>(*bundled);
    model->sampler = sampler;
    return model;
}

NetworkInput Subject::input() const {
    return loadViews(findSample(samplesFolder() / location), kPublishedViews);
}

Points Subject::truth() const {
    return loadGroundTruth(findSample(samplesFolder() / location), 0).points;
}

const std::vector<Subject>& subjects() {
    static const std::vector<Subject> all = {
        {"plane_each", "02691156/p0001", SamplerKind::bilinearEach},
        {"chair_each", "03001627/p0001", SamplerKind::bilinearEach},
        {"car_each", "02958343/p0001", SamplerKind::bilinearEach},
        {"car_published", "02958343/p0001", SamplerKind::nearestFirst}};
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
