#include "ui/result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/sample/ground_truth.h"

namespace threefold::ui {
namespace {

render::SceneMeshRef worldMesh(const Points& vertices, const Faces& faces, const Camera& camera) {
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices.reserve(vertices.size());
    for (const glm::vec3& vertex : vertices) {
        mesh->vertices.emplace_back(camera.toWorld(glm::dvec3(vertex)));
    }
    mesh->faces = faces;
    return mesh;
}

void judge(Result& result) {
    if (result.sample->groundTruth.empty()) return;
    try {
        const GroundTruth truth = loadGroundTruth(*result.sample, result.views.front());
        result.evaluation = evaluate(result.reconstruction, truth);
        result.truthPoints = truth.points.size();
    } catch (const Error& error) {
        result.truthProblem = error.report();
    }
}

}  // namespace

Camera Result::referenceCamera() const {
    return Camera::fromRow(sample->cameraRows.at(static_cast<std::size_t>(views.front())));
}

float percentile(std::vector<float> values, double share) {
    if (values.empty()) return 0;
    const double rank = std::ceil(share * static_cast<double>(values.size())) - 1;
    const auto index =
        static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(values.size() - 1)));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

ResultRef makeResult(SampleRef sample, std::vector<int> views, Reconstruction reconstruction) {
    auto result = std::make_shared<Result>();
    result->sample = std::move(sample);
    result->views = std::move(views);
    result->reconstruction = std::move(reconstruction);
    judge(*result);

    if (result->evaluation) {
        const auto& coarse = result->evaluation->coarse.distance;
        const auto& refined = result->evaluation->refined.distance;
        result->coarseDistance = std::make_shared<const render::SceneValues>(coarse);
        result->refinedDistance = std::make_shared<const render::SceneValues>(refined);
        std::vector<float> both = coarse;
        both.insert(both.end(), refined.begin(), refined.end());
        result->highestDistance = percentile(std::move(both), 0.99);
    }
    const Camera camera = result->referenceCamera();
    const Faces& faces = result->reconstruction.faces();
    result->coarse = worldMesh(result->reconstruction.coarse, faces, camera);
    result->refined = worldMesh(result->reconstruction.refined, faces, camera);
    auto all = std::make_shared<Points>(result->coarse->vertices);
    all->insert(all->end(), result->refined->vertices.begin(), result->refined->vertices.end());
    result->extent = std::move(all);
    return result;
}

}  // namespace threefold::ui
