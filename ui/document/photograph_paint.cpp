#include "ui/document/photograph_paint.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/texturing/atlas.h"

namespace threefold::ui {
namespace {

// Opaque pixels show the object.
TextureView opaquePartOf(const TakenView& view) {
    constexpr std::uint8_t kOpaque = 128;
    const Image& image = *view.image;
    Mask mask{image.width, image.height, std::vector<std::uint8_t>(image.rgba.size() / 4)};
    for (std::size_t i = 0; i < mask.inside.size(); ++i)
        mask.inside[i] = image.rgba[4 * i + 3] >= kOpaque ? 1 : 0;
    return {view.camera, view.image, std::move(mask)};
}

// The photographs beside each other.
render::SceneTexture sideBySide(std::span<const TakenView> views) {
    render::SceneTexture texture;
    for (const TakenView& view : views) {
        texture.width += view.image->width;
        texture.height = std::max(texture.height, view.image->height);
    }
    const auto row = 4 * static_cast<std::size_t>(texture.width);
    texture.pixels.assign(row * static_cast<std::size_t>(texture.height), 255);
    std::size_t left = 0;
    for (const TakenView& view : views) {
        const auto wide = 4 * static_cast<std::size_t>(view.image->width);
        for (int y = 0; y < view.image->height; ++y) {
            std::memcpy(&texture.pixels[static_cast<std::size_t>(y) * row + left],
                        &view.image->rgba[static_cast<std::size_t>(y) * wide], wide);
        }
        left += wide;
    }
    return texture;
}

// Half a pixel inside of the photograph, so that its neighbour does not show.
float within(double place, int size) {
    return static_cast<float>(std::clamp(place, 0.5, size - 0.5));
}

}  // namespace

std::vector<int> photographsOf(const Result& result) {
    std::vector<int> views = result.views;
    if (!result.fit) return views;
    for (const int view : result.fit->views)
        if (std::ranges::find(views, view) == views.end()) views.push_back(view);
    return views;
}

std::vector<TakenView> takenViews(
    const Result& result,
    const std::function<std::shared_ptr<const Image>(const Sample& sample, int view)>& read) {
    std::vector<TakenView> taken;
    for (const int view : photographsOf(result)) {
        const auto row = static_cast<std::size_t>(view);
        taken.push_back(
            {Camera::fromRow(result.sample->cameraRows[row]), read(*result.sample, view)});
    }
    return taken;
}

render::SceneTextureRef projectPhotographs(const render::SceneMesh& mesh,
                                           std::span<const TakenView> views) {
    if (mesh.faces.empty() || views.empty()) return nullptr;
    const Mesh shape{mesh.vertices, mesh.faces};
    std::vector<TextureView> photographs;
    for (const TakenView& view : views) photographs.push_back(opaquePartOf(view));
    std::vector<texturing::SeenMesh> seen;
    for (const TextureView& view : photographs) seen.emplace_back(shape, view, std::stop_token());
    const std::vector<std::uint32_t> best = texturing::chooseViews(shape, seen);

    auto texture = std::make_shared<render::SceneTexture>(sideBySide(views));
    std::vector<int> left{0};
    for (const TakenView& view : views) left.push_back(left.back() + view.image->width);
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    texture->corners.reserve(3 * mesh.faces.size());
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
        for (int corner = 0; corner < 3; ++corner) {
            const std::uint32_t view = best[face];
            const auto place =
                view != texturing::kNoView
                    ? seen[view].place(glm::dvec3(mesh.vertices[mesh.faces[face][corner]]))
                    : std::nullopt;
            if (!place) {
                texture->corners.emplace_back(kNone, kNone);
                continue;
            }
            const Image& image = *views[view].image;
            const float x = within(place->x, image.width);
            const float y = within(place->y, image.height);
            texture->corners.emplace_back(
                (static_cast<float>(left[view]) + x) / static_cast<float>(texture->width),
                y / static_cast<float>(texture->height));
        }
    }
    return texture;
}

PhotographPaint::PhotographPaint(Document& document, std::shared_ptr<ViewCache> cache)
    : QObject(&document), document_(document), cache_(std::move(cache)) {
    document.add(*this);
    connectAll(&document, this, &PhotographPaint::follow, &Document::resultChanged,
               &Document::openedChanged, &Document::fitAdvanced, &Document::lookChanged);
    follow();
}

render::SceneTextureRef PhotographPaint::on(const render::SceneMeshRef& mesh) const {
    const auto known = std::ranges::find(*painted_, mesh, &Painted::mesh);
    return known != painted_->end() ? known->texture : nullptr;
}

std::vector<render::SceneMeshRef> PhotographPaint::wanted() const {
    std::vector<render::SceneMeshRef> meshes;
    const ResultRef& result = document_.result();
    if (!result || document_.quantity() != Quantity::photographs) return meshes;
    const auto add = [&](const render::SceneMeshRef& mesh) {
        if (mesh && !mesh->faces.empty()) meshes.push_back(mesh);
    };
    for (const render::SceneMeshRef& stage : result->morph.stages) add(stage);
    add(result->truth);
    for (const MeshRole role : document_.openedRoles()) add(document_.opened(role)->mesh);
    return meshes;
}

void PhotographPaint::follow() {
    const ResultRef& result = document_.result();
    if (of_ != result) {
        of_ = result;
        painted_ = std::make_shared<const PaintedMeshes>();
        asked_.clear();
        request_.cancel();
    }
    std::vector<render::SceneMeshRef> meshes = wanted();
    if (meshes.empty() || meshes == asked_) return;
    asked_ = meshes;
    ++running_;
    tryInBackground(
        this,
        [result, meshes, cache = cache_, known = painted_, cancel = request_.start()] {
            const std::vector<TakenView> views = takenViews(
                *result, [&](const Sample& sample, int view) { return cache->read(sample, view); });
            auto painted = std::make_shared<PaintedMeshes>();
            for (const render::SceneMeshRef& mesh : meshes) {
                if (cancel.stop_requested()) break;
                const auto kept = std::ranges::find(*known, mesh, &Painted::mesh);
                painted->push_back(
                    kept != known->end() ? *kept : Painted{mesh, projectPhotographs(*mesh, views)});
            }
            return std::shared_ptr<const PaintedMeshes>(std::move(painted));
        },
        [this, meshes](const Outcome<std::shared_ptr<const PaintedMeshes>>& outcome) {
            --running_;
            if (meshes != asked_ || !outcome.value) return;
            painted_ = *outcome.value;
            Q_EMIT changed();
        });
}

}  // namespace threefold::ui
