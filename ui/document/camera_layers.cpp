#include "ui/document/camera_layers.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/sample/sample_views.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/document/photograph_textures.h"

namespace threefold::ui {
namespace {

// Half the width that the camera sees at a depth.
double halfWidthAt(const Camera& camera, double depth) {
    return depth * kPrincipalPoint / kFocalLength / camera.zoom;
}

// Corners of the camera's view at a depth, in world space, clockwise from the top left.
Points cornersOf(const Camera& camera, double depth) {
    const double half = halfWidthAt(camera, depth);
    Points corners;
    for (const auto& [x, y] : {std::pair(-half, half), {half, half}, {half, -half}, {-half, -half}})
        corners.emplace_back(camera.toWorld({x, y, -depth}));
    return corners;
}

std::vector<Camera> camerasOf(const Result& result) {
    std::vector<Camera> cameras;
    for (const int view : photographsOf(result))
        cameras.push_back(
            Camera::fromRow(result.sample->cameraRows[static_cast<std::size_t>(view)]));
    return cameras;
}

// Pyramids without base faces, whose diagonals a wireframe would show.
render::SceneMeshRef pyramids(const std::vector<Camera>& cameras) {
    constexpr double kHalfWidth = 0.05;  // of the base; fraction of the camera's distance
    auto mesh = std::make_shared<render::SceneMesh>();
    for (const Camera& camera : cameras) {
        const double halfWidth = kHalfWidth * glm::length(camera.centre);
        const auto apex = static_cast<std::uint32_t>(mesh->vertices.size());
        mesh->vertices.emplace_back(camera.centre);
        for (const glm::vec3& corner :
             cornersOf(camera, halfWidth * kFocalLength * camera.zoom / kPrincipalPoint))
            mesh->vertices.push_back(corner);
        for (std::uint32_t i = 0; i < 4; ++i)
            mesh->faces.emplace_back(apex, apex + 1 + i, apex + 1 + (i + 1) % 4);
    }
    return mesh;
}

// A quad that fills the camera's view behind everything around the world's origin.
render::SceneMeshRef backdropScreen(const Camera& camera) {
    constexpr double kBackdropDistance = 4;  // as a multiple of the camera's distance
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = cornersOf(camera, kBackdropDistance * glm::length(camera.centre));
    mesh->faces = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

render::SceneTextureRef textureOf(const Image& image) {
    auto texture = std::make_shared<render::SceneTexture>();
    texture->width = image.width;
    texture->height = image.height;
    texture->pixels = image.rgba;
    texture->texCoords = {{0, 0}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 1}};
    return texture;
}

// Corners around the opaque pixels of the network's image; null if none or all are opaque.
std::shared_ptr<const Points> cornersAround(const Image& image, const Camera& camera) {
    int left = image.width, right = -1, top = image.height, bottom = -1;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(x);
            if (image.rgba[4 * pixel + 3] < 128) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    const bool whole = right - left + 1 == image.width && bottom - top + 1 == image.height;
    if (right < left || whole) return nullptr;
    const double depth = glm::length(camera.centre);
    const double half = halfWidthAt(camera, depth);
    const auto corner = [&](int x, int y) {
        return glm::vec3(camera.toWorld(
            {half * (2.0 * x / image.width - 1), half * (1 - 2.0 * y / image.height), -depth}));
    };
    return std::make_shared<const Points>(Points{corner(left, top), corner(right + 1, top),
                                                 corner(left, bottom + 1),
                                                 corner(right + 1, bottom + 1)});
}

// The views of a pane of photographs, in the order of reading: `first`, then the others.
std::deque<int> viewsInOrder(const Sample& sample, const std::vector<int>& first) {
    constexpr std::size_t kMaxPanePhotographs = 24;  // 4 MB each
    std::deque<int> views(first.begin(), first.end());
    for (int view = 0; view < static_cast<int>(sample.viewCount()); ++view) {
        const bool usable = isUsableView(sample, static_cast<std::size_t>(view));
        if (usable && std::ranges::count(first, view) == 0) views.push_back(view);
    }
    views.resize(std::min(views.size(), kMaxPanePhotographs));
    return views;
}

}  // namespace

CameraLayers::CameraLayers(Document& document, std::shared_ptr<ViewCache> cache)
    : QObject(&document), document_(document), cache_(std::move(cache)) {
    connectChanged(this, &CameraLayers::updateBackdrops, document.result, document.look);
    connectChanged(this, &CameraLayers::readNextPhotograph, document.result, document.look,
                   document.run);
    updateBackdrops();
    readNextPhotograph();
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
        for (const Backdrop& backdrop : backdrops_)
            layers.push_back(layerOfBackdrop(backdrop, background));
    return layers;
}

void CameraLayers::addPhotographs(render::Pane& pane, glm::vec3 background) const {
    for (const Backdrop& photograph : photographs_)
        pane.layers.push_back(layerOfBackdrop(photograph, background));
}

render::Layer CameraLayers::layerOfBackdrop(const Backdrop& backdrop, glm::vec3 background) {
    render::Layer layer;
    layer.mesh = backdrop.mesh;
    layer.texture = backdrop.texture;
    layer.colouring = render::Colouring::texture;
    layer.plainColour = background;
    layer.unlit = true;
    layer.onlySeenFrom = backdrop.centre;
    return layer;
}

void CameraLayers::updateBackdrops() {
    const ResultRef& result = document_.result.current();
    if (result_ != result) {
        result_ = result;
        backdrops_.clear();
        requested_.reset();
        request_.cancel();
        const std::vector<Camera> cameras = result ? camerasOf(*result) : std::vector<Camera>();
        const auto second = cameras.begin() + (cameras.empty() ? 0 : 1);
        firstPyramid_ = pyramids({cameras.begin(), second});
        otherPyramids_ = pyramids({second, cameras.end()});
    }
    if (!result || !document_.look.current().backdrop || requested_ == result) return;
    requested_ = result;
    inBackground(
        this, request_.restart(),
        [result, cache = cache_] {
            Backdrops backdrops;
            for (const int view : photographsOf(*result)) {
                const Camera camera =
                    Camera::fromRow(result->sample->cameraRows[static_cast<std::size_t>(view)]);
                backdrops.push_back({glm::vec3(camera.centre), backdropScreen(camera),
                                     textureOf(*cache->read(*result->sample, view))});
            }
            return backdrops;
        },
        [this](Backdrops backdrops) {
            backdrops_ = std::move(backdrops);
            Q_EMIT changed();
        },
        // No message: the run that used the photographs has reported unreadable ones.
        [](const ErrorReport&) {});
}

// Reads one photograph after the other. While the network computes, and until the picture of its
// result is on the screen, only the first one: the others would slow them down.
void CameraLayers::readNextPhotograph() {
    if (std::ranges::count(document_.look.current().panes, MeshId::photograph) == 0) return;
    const ReconstructionRun* run = document_.run.state().reconstruction();
    const ResultRef& result = document_.result.current();
    const bool running = run != nullptr && run->sample;
    const SampleRef sample = running ? run->sample : result ? result->sample : nullptr;
    if (!sample) return;
    followSample(sample, running ? run->views : result->views);
    if (readingPhotograph_ || pending_.empty()) return;
    if (!running && closedFor_ != result) {
        closedFor_ = result;
        firstPictureGate_.close();
    }
    if ((run != nullptr || firstPictureGate_.isClosed()) && !photographs_.empty()) return;
    const int view = pending_.front();
    pending_.pop_front();
    readPhotograph(view);
}

void CameraLayers::followSample(const SampleRef& sample, const std::vector<int>& first) {
    if (sample_ == sample) return;
    sample_ = sample;
    photographs_.clear();
    photographRequest_.cancel();
    readingPhotograph_ = false;
    pending_ = viewsInOrder(*sample, first);
    Q_EMIT changed();
}

void CameraLayers::readPhotograph(int view) {
    readingPhotograph_ = true;
    const auto readNext = [this] {
        readingPhotograph_ = false;
        readNextPhotograph();
    };
    struct Read {
        Backdrop photograph;
        Camera camera;
        std::shared_ptr<const Points> corners;
    };
    inBackground(
        this, photographRequest_.restart(),
        [sample = sample_, view, cache = photographs_.empty() ? cache_ : nullptr] {
            const auto index = static_cast<std::size_t>(view);
            const Camera camera = Camera::fromRow(sample->cameraRows[index]);
            return Read{
                {glm::vec3(camera.centre), backdropScreen(camera),
                 textureOf(resampleForNetwork(*sample, view, readImage(sample->images[index]),
                                              ViewResolution::photograph))},
                camera,
                cache ? cornersAround(*cache->read(*sample, view), camera) : nullptr};
        },
        [this, readNext](Read read) {
            photographs_.push_back(std::move(read.photograph));
            if (read.corners) Q_EMIT objectSeen(read.corners, read.camera);
            Q_EMIT changed();
            readNext();
        },
        // No message: the run that used the photographs has reported unreadable ones.
        [readNext](const ErrorReport&) { readNext(); });
}

}  // namespace threefold::ui
