#include "ui/document/photograph_paint.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/texturing/bake_texture.h"

namespace threefold::ui {

std::vector<int> photographsOf(const Result& result) {
    std::vector<int> views = result.views;
    if (!result.fit) return views;
    for (const int view : result.fit->views)
        if (std::ranges::find(views, view) == views.end()) views.push_back(view);
    return views;
}

render::SceneTextureRef projectPhotographs(const render::SceneMesh& mesh,
                                           std::span<const TextureView> views,
                                           const std::stop_token& cancel) {
    if (mesh.faces.empty() || views.empty()) return nullptr;
    BakedTexture baked;
    try {
        baked = bakeTexture({mesh.vertices, mesh.faces}, views, {.cancel = cancel});
    } catch (const InputError&) {
        return nullptr;  // no photograph shows it, or it has too many faces
    }
    auto texture = std::make_shared<render::SceneTexture>();
    texture->width = baked.picture.width;
    texture->height = baked.picture.height;
    texture->pixels = std::move(baked.picture.rgba);
    texture->corners = std::move(baked.coordinates);
    for (glm::vec2& corner : texture->corners) corner.y = 1 - corner.y;
    return texture;
}

PhotographPaint::PhotographPaint(Document& document) : QObject(&document), document_(document) {
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
        [result, meshes, known = painted_, cancel = request_.start()] {
            std::vector<std::string> unread;  // the run that used them has said so
            const std::vector<TextureView> views =
                textureViews(*result->sample, photographsOf(*result), unread, cancel);
            auto painted = std::make_shared<PaintedMeshes>();
            for (const render::SceneMeshRef& mesh : meshes) {
                const auto kept = std::ranges::find(*known, mesh, &Painted::mesh);
                painted->push_back(kept != known->end()
                                       ? *kept
                                       : Painted{mesh, projectPhotographs(*mesh, views, cancel)});
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
