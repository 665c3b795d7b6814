#include "ui/document/photograph_textures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/sample_steps/texture_views.h"
#include "engine/texturing/bake_texture.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/results/morphed_mesh.h"

namespace threefold::ui {

std::vector<int> photographsOf(const Result& result) {
    std::vector<int> views = result.views;
    if (!result.fitted()) return views;
    for (const int view : result.fitted()->fit.views)
        if (std::ranges::find(views, view) == views.end()) views.push_back(view);
    return views;
}

render::SceneTextureRef bakePhotographs(const render::SceneMesh& mesh,
                                        std::span<const TextureView> views,
                                        const std::stop_token& cancel) {
    if (mesh.faces.empty() || views.empty()) return nullptr;
    BakedTexture baked;
    try {
        baked = bakeTexture({mesh.vertices, mesh.faces}, views, {.cancel = cancel});
    } catch (const InputError&) {
        return nullptr;  // visible in no photograph, or too many faces
    }
    auto texture = std::make_shared<render::SceneTexture>();
    texture->width = baked.picture.width;
    texture->height = baked.picture.height;
    texture->pixels = std::move(baked.picture.rgba);
    texture->texCoords = std::move(baked.textureCoordinates);
    for (glm::vec2& corner : texture->texCoords) corner.y = 1 - corner.y;
    return texture;
}

PhotographTextures::PhotographTextures(Document& document)
    : QObject(&document), document_(document) {
    connectChanged(this, &PhotographTextures::bakeNext, document.result, document.opened,
                   document.look);
    connect(&document.fit, &FitModel::convergingMeshChanged, this, &PhotographTextures::bakeNext);
    bakeNext();
}

render::SceneTextureRef PhotographTextures::texture(const render::SceneMeshRef& mesh) const {
    const auto found = std::ranges::find(baked_, mesh, &BakedMesh::mesh);
    return found != baked_.end() ? found->texture : nullptr;
}

bool PhotographTextures::isPending(const render::SceneMeshRef& mesh) const {
    const std::vector<render::SceneMeshRef> meshes = texturableMeshes();
    return std::ranges::find(meshes, mesh) != meshes.end() &&
           std::ranges::find(baked_, mesh, &BakedMesh::mesh) == baked_.end();
}

std::vector<render::SceneMeshRef> PhotographTextures::texturableMeshes() const {
    std::vector<render::SceneMeshRef> meshes;
    const ResultRef& result = document_.result.current();
    if (!result) return meshes;
    const auto add = [&](const render::SceneMeshRef& mesh) {
        if (mesh && !mesh->faces.empty()) meshes.push_back(mesh);
    };
    if (std::ranges::count(document_.look.current().panes, MeshId::textured) > 0)
        add(result->mesh(MeshId::textured));
    if (document_.shownQuantity() != Quantity::photographs) return meshes;
    add(morphedMesh(*result, std::round(document_.look.current().morphPosition)));
    for (const render::SceneMeshRef& mesh :
         {result->mesh(MeshId::result), result->mesh(MeshId::fitted), result->mesh(MeshId::hull),
          result->mesh(MeshId::firstPublished), result->mesh(MeshId::truth)})
        add(mesh);
    for (const MeshId id : document_.opened.ids()) add(document_.opened.find(id)->mesh);
    return meshes;
}

render::SceneMeshRef PhotographTextures::nextMesh() const {
    for (const render::SceneMeshRef& mesh : texturableMeshes())
        if (std::ranges::find(baked_, mesh, &BakedMesh::mesh) == baked_.end()) return mesh;
    return nullptr;
}

void PhotographTextures::bakeNext() {
    const ResultRef& result = document_.result.current();
    if (result_ != result) {
        result_ = result;
        baked_.clear();
        views_.reset();
        current_.reset();
        bakingTask_.cancel();
        if (result_) firstPictureGate_.close();
    }
    if (firstPictureGate_.isClosed()) return;
    const render::SceneMeshRef next = nextMesh();
    if (!next) views_.reset();
    if (!next || next == current_) return;
    current_ = next;
    ++running_;
    using ViewsAndTexture = std::pair<Views, render::SceneTextureRef>;
    inBackground(
        this,
        [result, mesh = current_, views = views_,
         cancel = bakingTask_.restart()]() -> ViewsAndTexture {
            std::vector<std::string> unread;  // reported by the run that used them
            const Views loaded =
                views ? views
                      : std::make_shared<const std::vector<TextureView>>(
                            textureViews(*result->sample, photographsOf(*result), unread, cancel));
            return {loaded, bakePhotographs(*mesh, *loaded, cancel)};
        },
        [this, mesh = current_](const TaskResult<ViewsAndTexture>& outcome) {
            --running_;
            const bool cancelled = !outcome.value && !outcome.problem;
            if (mesh != current_ || cancelled) return;
            if (outcome.value) views_ = outcome.value->first;
            baked_.push_back({mesh, outcome.value ? outcome.value->second : nullptr});
            current_.reset();
            if (outcome.problem) Q_EMIT failed(*outcome.problem);
            Q_EMIT changed();
            bakeNext();
        });
}

}  // namespace threefold::ui
