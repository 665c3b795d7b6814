#include "ui/files/mesh_export.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/texturing/bake_texture.h"
#include "ui/document/photograph_paint.h"
#include "ui/document/shown_values.h"
#include "ui/document/value_range.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

constexpr glm::vec3 kNoValue(0.5F);

ExportSource::Colours coloursOf(const SurfaceValues& surface, const render::ValueColours& map) {
    ExportSource::Colours made;
    if (!surface.values) return made;
    made.values = *surface.values;
    made.colours.reserve(made.values.size());
    for (const float value : made.values) {
        made.colours.push_back(std::isnan(value) ? kNoValue
                                                 : render::colourAt(map.map, shareOf(value, map)));
    }
    return made;
}

struct ExportedKind {
    MeshRole role;
    const char* ending;
    Points Reconstruction::*points = nullptr;
};

const ExportedKind& exportedKind(ExportedMesh mesh) {
    static constexpr ExportedKind kExportedKinds[] = {
        {MeshRole::coarse, "_coarse", &Reconstruction::coarse},
        {MeshRole::refined, "_refined1", &Reconstruction::refined1},
        {MeshRole::refined, "_refined", &Reconstruction::refined},
        {MeshRole::opened1, "_compared"},
        {MeshRole::fitted, "_fitted", &Reconstruction::fitted}};
    return kExportedKinds[static_cast<std::size_t>(mesh)];
}

Points moved(Points points, const Camera& camera, bool toWorld) {
    for (glm::vec3& point : points) {
        const glm::dvec3 from(point);
        point = glm::vec3(toWorld ? camera.toWorld(from) : camera.toView(from));
    }
    return points;
}

/// Less Sample::photoOrigin().
Points inOwnWorld(Points world, const ExportSource& source) {
    if (!source.result || !source.result->sample->photos) return world;
    const Sample& sample = *source.result->sample;
    const glm::dvec3 origin = sample.photoOrigin();
    for (glm::vec3& point : world)
        point = glm::vec3(sample.toPhotoWorld(glm::dvec3(point)) - origin);
    return world;
}

Mesh meshOf(const ExportSource& source, ExportedMesh mesh, MeshSpace space) {
    if (mesh == ExportedMesh::comparison) {
        const render::SceneMesh& opened = *source.comparison->mesh;
        if (space == MeshSpace::world || !source.result)
            return {inOwnWorld(opened.vertices, source), opened.faces};
        return {moved(opened.vertices, source.result->referenceCamera(), false), opened.faces};
    }
    const Reconstruction& meshes = source.result->reconstruction;
    const Points& points = meshes.*exportedKind(mesh).points;
    const Faces& faces = mesh == ExportedMesh::fitted ? meshes.facesOfFitted() : meshes.faces();
    if (space == MeshSpace::view) return {points, faces};
    return {inOwnWorld(moved(points, source.result->referenceCamera(), true), source), faces};
}

}  // namespace

bool ExportSource::has(ExportedMesh mesh) const {
    if (mesh == ExportedMesh::comparison) return comparison != nullptr;
    if (mesh == ExportedMesh::fitted) return result && result->fitted;
    return result && (mesh != ExportedMesh::refined1 || !result->reconstruction.refined1.empty());
}

ExportSource exportSource(const Document& document, bool coloured) {
    ExportSource source{document.result(), document.opened(), {}};
    if (!coloured) return source;
    const Quantity quantity = document.quantity();
    if (quantity == Quantity::photographs && source.result)
        source.photographs = photographsOf(*source.result);
    for (const ExportedMesh mesh : kAllExported) {
        if (!source.has(mesh)) continue;
        const MeshRole role = exportedKind(mesh).role;
        // The refined mesh at its own stage, whatever stage the panes show.
        const SurfaceValues values = mesh == ExportedMesh::refined
                                         ? morphedValues(*source.result, kMorphRefined, quantity)
                                     : mesh == ExportedMesh::refined1
                                         ? morphedValues(*source.result, kMorphRefined1, quantity)
                                         : surfaceValues(document, role, quantity);
        ExportSource::Colours colours = coloursOf(values, valueColours(document, role));
        if (!colours.values.empty()) source.colours.emplace(mesh, std::move(colours));
    }
    return source;
}

std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice) {
    const std::string extension = '.' + std::string(meshFormatName(choice.format));
    std::vector<ExportFile> files;
    for (const ExportedMesh mesh : kAllExported) {
        const bool wanted =
            std::find(choice.meshes.begin(), choice.meshes.end(), mesh) != choice.meshes.end();
        if (!wanted || !source.has(mesh)) continue;
        std::string name = mesh == ExportedMesh::comparison
                               ? source.comparison->path.stem().string()
                           : choice.name.empty() ? source.result->sample->name()
                                                 : choice.name;
        name.append(exportedKind(mesh).ending).append(extension);
        files.push_back({choice.folder / name, mesh});
    }
    return files;
}

void exportMeshes(const ExportSource& source, const ExportChoice& choice) {
    std::vector<TextureView> photographs;
    std::vector<std::string> unread;
    if (choice.coloured && infoOf(choice.format).carriesTextures && !source.photographs.empty())
        photographs = textureViews(*source.result->sample, source.photographs, unread);
    for (const ExportFile& file : exportFiles(source, choice)) {
        const Mesh mesh = meshOf(source, file.mesh, choice.space);
        VertexExtras extras;
        extras.zUp = choice.space == MeshSpace::world && source.result &&
                     source.result->sample->isPhotoWorldZUp();
        const auto colours = source.colours.find(file.mesh);
        if (choice.coloured && infoOf(choice.format).carriesColours &&
            colours != source.colours.end() &&
            colours->second.colours.size() == mesh.vertices.size())
            extras = {.colours = colours->second.colours,
                      .values = colours->second.values,
                      .zUp = extras.zUp};
        if (choice.space == MeshSpace::world && source.result)
            extras.origin = source.result->sample->photoOrigin();
        BakedTexture baked;
        SurfaceTexture texture;
        if (!photographs.empty() && !mesh.faces.empty()) {
            Points world = file.mesh == ExportedMesh::comparison
                               ? source.comparison->mesh->vertices
                               : moved(meshOf(source, file.mesh, MeshSpace::view).vertices,
                                       source.result->referenceCamera(), true);
            baked = bakeTexture({std::move(world), mesh.faces}, photographs, {});
            texture = {baked.coordinates, &baked.picture, {}};
            extras.texture = &texture;
        }
        writeMesh(file.path, choice.format, mesh, extras);
    }
}

}  // namespace threefold::ui
