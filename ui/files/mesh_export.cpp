#include "ui/files/mesh_export.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QRegularExpression>
#include <fmt/format.h>

#include "engine/sample_steps/texture_views.h"
#include "engine/texturing/bake_texture.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

constexpr glm::vec3 kNoValue(0.5F);

ExportSource::Colours coloursOf(const SurfaceValues& surface, const render::ColourScale& scale) {
    ExportSource::Colours result;
    if (!surface.values) return result;
    result.values = *surface.values;
    result.colours.reserve(result.values.size());
    for (const float value : result.values) {
        result.colours.push_back(std::isnan(value)
                                     ? kNoValue
                                     : render::colourAt(scale.map, scalePosition(value, scale)));
    }
    return result;
}

/// Values of a mesh at its own vertices, whatever stage the panes show.
SurfaceValues valuesOf(const ShownDocument& shown, const ExportedMesh& mesh, Quantity quantity) {
    if (mesh.id.isOpened()) return surfaceValues(shown, mesh.id, quantity);
    const Result& result = *shown.document.result.current();
    const auto stage = std::ranges::find(result.morph.stages, mesh.stage, &MorphStage::name);
    return morphedValues(result,
                         morphPositionOf(result.morph, static_cast<std::size_t>(
                                                           stage - result.morph.stages.begin())),
                         quantity);
}

Points transformed(Points points, const Camera& camera, bool toWorld) {
    for (glm::vec3& point : points) {
        const glm::dvec3 position(point);
        point = glm::vec3(toWorld ? camera.toWorld(position) : camera.toCamera(position));
    }
    return points;
}

/// Transforms points of object space to the photographs' world, relative to
/// PhotoWorldTransform::origin(). Returns the points unchanged if the sample has no such world.
Points inPhotoWorld(Points world, const ExportSource& source) {
    if (!source.result || !source.result->sample->photos) return world;
    const PhotoWorldTransform photoWorld = source.result->sample->photoWorld();
    const glm::dvec3 origin = photoWorld.origin();
    for (glm::vec3& point : world)
        point = glm::vec3(photoWorld.fromObject(glm::dvec3(point)) - origin);
    return world;
}

Mesh meshOf(const ExportSource& source, const ExportedMesh& mesh, MeshSpace space) {
    if (mesh.id.isOpened()) {
        const render::SceneMesh& opened = *source.opened.at(mesh.id)->mesh;
        if (space == MeshSpace::world || !source.result)
            return {inPhotoWorld(opened.vertices, source), opened.faces};
        return {transformed(opened.vertices, source.result->referenceCamera(), false),
                opened.faces};
    }
    const FittedReconstruction& meshes = source.result->reconstruction;
    const StageMesh* const stage =
        mesh.id == MeshId::fitted ? nullptr : meshes.network.find(mesh.stage);
    const Points& points = stage != nullptr ? stage->vertices : meshes.fitted->vertices;
    const Faces& faces = stage != nullptr ? meshes.network.faces(*stage) : meshes.fitted->faces;
    if (space == MeshSpace::camera) return {points, faces};
    return {inPhotoWorld(transformed(points, source.result->referenceCamera(), true), source),
            faces};
}

/// Name of an opened mesh in the names of files. A second network's mesh has no file, only a title.
std::string nameOf(const OpenedMesh& opened) {
    static const QRegularExpression notInNames(QStringLiteral("[^\\w.-]+"),
                                               QRegularExpression::UseUnicodePropertiesOption);
    return opened.path.empty()
               ? QString(opened.title).replace(notInNames, QStringLiteral("_")).toStdString()
               : opened.path.stem().string();
}

bool isTextured(const ExportSource& source, const ExportChoice& choice, const ExportedMesh& mesh) {
    return choice.coloured && infoOf(choice.format).carriesTextures &&
           !source.photographs.empty() &&
           (!mesh.id.isOpened() || !source.opened.at(mesh.id)->mesh->faces.empty());
}

/// `path`; if `files` has this path already, the first free one of "…_2", "…_3", …
std::filesystem::path freePath(const std::filesystem::path& path,
                               const std::vector<ExportFile>& files) {
    std::filesystem::path free = path;
    for (int number = 2; std::ranges::count(files, free, &ExportFile::path) > 0; ++number) {
        std::string name = path.stem().string();
        name.append("_").append(std::to_string(number)).append(path.extension().string());
        free.replace_filename(name);
    }
    return free;
}

}  // namespace

std::vector<ExportedMesh> exportableMeshes(const Document& document) {
    const ResultRef& result = document.result.current();
    const MeshMorph& morph = result ? result->morph : publishedMorph();
    std::vector<ExportedMesh> meshes;
    for (std::size_t stage = morph.firstPublishedIndex(); stage < morph.stages.size(); ++stage)
        meshes.push_back({stage == morph.firstPublishedIndex() ? MeshId::firstPublished
                          : stage == morph.fittedIndex()       ? MeshId::fitted
                                                               : MeshId::result,
                          morph.stages[stage].name});
    for (const MeshId id : document.opened.ids()) meshes.push_back({id});
    return meshes;
}

ExportedMesh exportableMeshAtSlider(const Document& document) {
    const ResultRef& result = document.result.current();
    const MeshMorph& morph = result ? result->morph : publishedMorph();
    const float index =
        document.look.current().morphPosition + static_cast<float>(morph.resultIndex());
    const auto last = static_cast<float>(morph.fittedIndex());
    auto stage = static_cast<std::size_t>(std::lround(std::clamp(index, 0.0F, last)));
    if (stage < morph.firstPublishedIndex() || !morph.stages[stage].mesh)
        stage = morph.resultIndex();
    const std::vector<ExportedMesh> meshes = exportableMeshes(document);
    return *std::ranges::find(meshes, morph.stages[stage].name, &ExportedMesh::stage);
}

bool ExportSource::has(const ExportedMesh& mesh) const {
    if (mesh.id.isOpened()) return opened.contains(mesh.id);
    if (mesh.id == MeshId::fitted) return result && result->mesh(MeshId::fitted);
    return result && !result->reconstruction.network.vertices(mesh.stage).empty();
}

ExportSource exportSource(const ShownDocument& shown, bool coloured) {
    const Document& document = shown.document;
    ExportSource source{document.result.current(), {}};
    for (const MeshId id : document.opened.ids())
        source.opened.emplace(id, document.opened.find(id));
    if (!coloured) return source;
    const Quantity quantity = document.shownQuantity();
    if (quantity == Quantity::photographs && source.result)
        source.photographs = photographsOf(*source.result);
    for (const ExportedMesh& mesh : exportableMeshes(document)) {
        if (!source.has(mesh)) continue;
        ExportSource::Colours colours =
            coloursOf(valuesOf(shown, mesh, quantity), colourScaleOf(shown, mesh.id));
        if (!colours.values.empty()) source.colours.emplace(mesh, std::move(colours));
    }
    return source;
}

std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice) {
    const std::string extension = '.' + std::string(meshFormatExtension(choice.format));
    std::vector<ExportFile> files;
    for (const ExportedMesh& mesh : choice.meshes) {
        if (!source.has(mesh)) continue;
        std::string name = mesh.id.isOpened()    ? nameOf(*source.opened.at(mesh.id))
                           : choice.name.empty() ? source.result->sample->name()
                                                 : choice.name;
        name.append("_").append(mesh.name()).append(extension);
        ExportFile file{freePath(choice.folder / name, files), mesh};
        if (isTextured(source, choice, mesh))
            file.texture = textureFilesOf(file.path, choice.format);
        files.push_back(std::move(file));
    }
    return files;
}

ExportedFiles exportMeshes(const ExportSource& source, const ExportChoice& choice) {
    const std::vector<ExportFile> files = exportFiles(source, choice);
    std::vector<TextureView> photographs;
    ExportedFiles written;
    if (std::ranges::any_of(
            files, [&](const ExportFile& file) { return isTextured(source, choice, file.mesh); }))
        photographs = textureViews(*source.result->sample, source.photographs, written.notes);
    for (const ExportFile& file : files) {
        const Mesh mesh = meshOf(source, file.mesh, choice.space);
        MeshWriteOptions extras;
        extras.zUp = choice.space == MeshSpace::world && source.result &&
                     source.result->sample->photoWorld().isZUp();
        const auto colours = source.colours.find(file.mesh);
        if (choice.coloured && infoOf(choice.format).carriesColours &&
            colours != source.colours.end() &&
            colours->second.colours.size() == mesh.vertices.size())
            extras = {.colours = colours->second.colours,
                      .scalars = colours->second.values,
                      .zUp = extras.zUp};
        if (choice.space == MeshSpace::world && source.result)
            extras.origin = source.result->sample->photoWorld().origin();
        BakedTexture baked;
        SurfaceTexture texture;
        if (!photographs.empty() && isTextured(source, choice, file.mesh)) {
            Points world = file.mesh.id.isOpened()
                               ? source.opened.at(file.mesh.id)->mesh->vertices
                               : transformed(meshOf(source, file.mesh, MeshSpace::camera).vertices,
                                             source.result->referenceCamera(), true);
            try {
                baked = bakeTexture({std::move(world), mesh.faces}, photographs, {});
                texture = {baked.textureCoordinates, &baked.picture, {}};
                extras.texture = &texture;
            } catch (const InputError& error) {
                written.notes.push_back(
                    fmt::format("{}: no texture: {}", file.path.filename().string(), error.what()));
            }
        }
        std::ranges::copy(writeMesh(file.path, choice.format, mesh, extras),
                          std::back_inserter(written.files));
    }
    return written;
}

}  // namespace threefold::ui
