#include "ui/files/mesh_export.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QRegularExpression>

#include "engine/texturing/bake_texture.h"
#include "ui/document/photograph_paint.h"
#include "ui/document/shown_values.h"
#include "ui/document/value_range.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

constexpr glm::vec3 kNoValue(0.5F);

ExportSource::Colours coloursOf(const SurfaceValues& surface, const render::ColourScale& map) {
    ExportSource::Colours result;
    if (!surface.values) return result;
    result.values = *surface.values;
    result.colours.reserve(result.values.size());
    for (const float value : result.values) {
        result.colours.push_back(
            std::isnan(value) ? kNoValue : render::colourAt(map.map, scalePosition(value, map)));
    }
    return result;
}

Points transformed(Points points, const Camera& camera, bool toWorld) {
    for (glm::vec3& point : points) {
        const glm::dvec3 position(point);
        point = glm::vec3(toWorld ? camera.toWorld(position) : camera.toView(position));
    }
    return points;
}

/// Transforms to the photographs' world, less Sample::photoOrigin().
Points inOwnWorld(Points world, const ExportSource& source) {
    if (!source.result || !source.result->sample->photos) return world;
    const Sample& sample = *source.result->sample;
    const glm::dvec3 origin = sample.photoOrigin();
    for (glm::vec3& point : world)
        point = glm::vec3(sample.toPhotoWorld(glm::dvec3(point)) - origin);
    return world;
}

Mesh meshOf(const ExportSource& source, std::string_view mesh, MeshSpace space) {
    if (mesh == kOpenedMesh) {
        const render::SceneMesh& opened = *source.opened->mesh;
        if (space == MeshSpace::world || !source.result)
            return {inOwnWorld(opened.vertices, source), opened.faces};
        return {transformed(opened.vertices, source.result->referenceCamera(), false),
                opened.faces};
    }
    const Reconstruction& meshes = source.result->reconstruction;
    const bool fitted = mesh == kFittedMesh;
    const Points& points = fitted ? meshes.fitted : meshes.vertices(mesh);
    const Faces& faces = fitted ? meshes.facesOfFitted() : meshes.faces();
    if (space == MeshSpace::view) return {points, faces};
    return {inOwnWorld(transformed(points, source.result->referenceCamera(), true), source), faces};
}

/// An opened mesh from no file, a second network's result, has a title alone.
std::string nameOf(const OpenedMesh& opened) {
    static const QRegularExpression notInNames(QStringLiteral("[^\\w.-]+"),
                                               QRegularExpression::UseUnicodePropertiesOption);
    return opened.path.empty()
               ? QString(opened.title).replace(notInNames, QStringLiteral("_")).toStdString()
               : opened.path.stem().string();
}

bool isTextured(const ExportSource& source, const ExportChoice& choice, std::string_view mesh) {
    return choice.coloured && infoOf(choice.format).carriesTextures &&
           !source.photographs.empty() &&
           (mesh != kOpenedMesh || !source.opened->mesh->faces.empty());
}

}  // namespace

std::vector<std::string> exportableMeshes(const MeshMorph& morph) {
    std::vector<std::string> names;
    for (std::size_t stage = morph.firstPublished(); stage < morph.stages.size(); ++stage)
        names.push_back(morph.stages[stage].name);
    names.emplace_back(kOpenedMesh);
    return names;
}

bool ExportSource::has(std::string_view mesh) const {
    if (mesh == kOpenedMesh) return opened != nullptr;
    if (mesh == kFittedMesh) return result && result->mesh(MeshId::fitted);
    return result && !result->reconstruction.vertices(mesh).empty();
}

ExportSource exportSource(const ShownValues& shown, bool coloured) {
    const Document& document = shown.document;
    ExportSource source{document.result.current(), document.opened.first(), {}};
    if (!coloured) return source;
    const Quantity quantity = document.quantity();
    if (quantity == Quantity::photographs && source.result)
        source.photographs = photographsOf(*source.result);
    const auto add = [&](std::string_view mesh, MeshId id, const SurfaceValues& values) {
        ExportSource::Colours colours = coloursOf(values, colourScaleOf(shown, id));
        if (!colours.values.empty()) source.colours.emplace(mesh, std::move(colours));
    };
    if (source.result) {
        // Each mesh has the values of its own stage, whatever stage the panes show.
        const MeshMorph& morph = source.result->morph;
        for (std::size_t stage = morph.firstPublished(); stage < morph.stages.size(); ++stage) {
            const std::string& mesh = morph.stages[stage].name;
            const MeshId id = stage == morph.firstPublished() ? MeshId::first
                              : stage == morph.fitted()       ? MeshId::fitted
                                                              : MeshId::result;
            if (source.has(mesh))
                add(mesh, id,
                    morphedValues(*source.result, morphPositionOf(morph, stage), quantity));
        }
    }
    if (source.has(kOpenedMesh))
        add(kOpenedMesh, document.opened.ids().front(),
            surfaceValues(shown, document.opened.ids().front(), quantity));
    return source;
}

std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice) {
    const std::string extension = '.' + std::string(meshFormatExtension(choice.format));
    std::vector<ExportFile> files;
    for (const std::string& mesh : choice.meshes) {
        if (!source.has(mesh)) continue;
        std::string name = mesh == kOpenedMesh   ? nameOf(*source.opened)
                           : choice.name.empty() ? source.result->sample->name()
                                                 : choice.name;
        name.append("_").append(mesh).append(extension);
        ExportFile& file = files.emplace_back(ExportFile{choice.folder / name, mesh});
        if (isTextured(source, choice, mesh))
            file.texture = textureFilesOf(file.path, choice.format);
    }
    return files;
}

std::vector<std::filesystem::path> exportMeshes(const ExportSource& source,
                                                const ExportChoice& choice) {
    const std::vector<ExportFile> files = exportFiles(source, choice);
    std::vector<TextureView> photographs;
    std::vector<std::string> unread;
    if (std::ranges::any_of(
            files, [&](const ExportFile& file) { return isTextured(source, choice, file.mesh); }))
        photographs = textureViews(*source.result->sample, source.photographs, unread);
    std::vector<std::filesystem::path> written;
    for (const ExportFile& file : files) {
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
        if (!photographs.empty() && isTextured(source, choice, file.mesh)) {
            Points world = file.mesh == kOpenedMesh
                               ? source.opened->mesh->vertices
                               : transformed(meshOf(source, file.mesh, MeshSpace::view).vertices,
                                             source.result->referenceCamera(), true);
            baked = bakeTexture({std::move(world), mesh.faces}, photographs, {});
            texture = {baked.coordinates, &baked.picture, {}};
            extras.texture = &texture;
        }
        std::ranges::copy(writeMesh(file.path, choice.format, mesh, extras),
                          std::back_inserter(written));
    }
    return written;
}

}  // namespace threefold::ui
