#include "ui/document/camera_layers.h"

#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/views/network_input.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/document/photograph_textures.h"

namespace threefold::ui {
namespace {

std::vector<Camera> camerasOf(const Result& result) {
    std::vector<Camera> cameras;
    for (const int view : photographsOf(result))
        cameras.push_back(
            Camera::fromRow(result.sample->cameraRows[static_cast<std::size_t>(view)]));
    return cameras;
}

// The pyramids have no faces at the base, since a wireframe would show the diagonal between them.
render::SceneMeshRef pyramids(const std::vector<Camera>& cameras) {
    constexpr double kHalfWidth = 0.05;  // of the base; fraction of the camera's distance
    auto mesh = std::make_shared<render::SceneMesh>();
    for (const Camera& camera : cameras) {
        const double halfWidth = kHalfWidth * glm::length(camera.centre);
        const auto apex = static_cast<std::uint32_t>(mesh->vertices.size());
        mesh->vertices.emplace_back(camera.centre);
        for (const glm::vec3& corner :
             viewCorners(camera, halfWidth * kFocalLength * camera.zoom / kPrincipalPoint))
            mesh->vertices.push_back(corner);
        for (std::uint32_t i = 0; i < 4; ++i)
            mesh->faces.emplace_back(apex, apex + 1 + i, apex + 1 + (i + 1) % 4);
    }
    return mesh;
}

}  // namespace

CameraLayers::CameraLayers(Document& document, std::shared_ptr<ViewCache> cache)
    : QObject(&document), document_(document), cache_(std::move(cache)) {
    connectChanged(this, &CameraLayers::updateBackdrops, document.result, document.look);
    updateBackdrops();
}

Points CameraLayers::cameraCentres() const {
    Points centres;
    if (result_)
        for (const Camera& camera : camerasOf(*result_)) centres.emplace_back(camera.centre);
    return centres;
}

std::vector<render::Layer> CameraLayers::layers(glm::vec3 colour, glm::vec3 accent,
                                                glm::vec3 background) const {
    std::vector<render::Layer> layers;
    if (document_.look.current().cameras && result_)
        for (const auto& [mesh, lineColour] :
             {std::pair(firstPyramid_, accent), {otherPyramids_, colour}}) {
            render::Layer& layer = layers.emplace_back();
            layer.mesh = mesh;
            layer.shading = render::Shading::wireframe;
            layer.plainColour = lineColour;
            layer.unlit = true;
        }
    if (document_.look.current().backdrop)
        for (const Backdrop& backdrop : backdrops_) layers.push_back(layerOf(backdrop, background));
    return layers;
}

void CameraLayers::updateBackdrops() {
    const ResultRef& result = document_.result.current();
    if (result_ != result) {
        result_ = result;
        backdrops_.clear();
        requested_.reset();
        backdropTask_.cancel();
        const std::vector<Camera> cameras = result ? camerasOf(*result) : std::vector<Camera>();
        const auto second = cameras.begin() + (cameras.empty() ? 0 : 1);
        firstPyramid_ = pyramids({cameras.begin(), second});
        otherPyramids_ = pyramids({second, cameras.end()});
    }
    if (!result || !document_.look.current().backdrop || requested_ == result) return;
    requested_ = result;
    inBackground(
        this, backdropTask_.restart(),
        [result, cache = cache_] {
            std::vector<Backdrop> backdrops;
            for (const int view : photographsOf(*result)) {
                const Camera camera =
                    Camera::fromRow(result->sample->cameraRows[static_cast<std::size_t>(view)]);
                backdrops.push_back(makeBackdrop(camera, *cache->read(*result->sample, view)));
            }
            return backdrops;
        },
        [this](std::vector<Backdrop> backdrops) {
            backdrops_ = std::move(backdrops);
            Q_EMIT changed();
        },
        // No message, since the run that used the photographs has reported the unreadable ones.
        [](const ErrorReport&) {});
}

}  // namespace threefold::ui
