#include "app/reconstruct/sample_writer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/pipeline/pipeline.h"
#include "engine/sample_steps/texture_views.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Throws InputError if writing would replace a file that the sample is read from, or a file that
/// no earlier call wrote; otherwise throws as requireWritable() does.
void requireReplaceableMesh(const Sample& sample, const fs::path& file) {
    if (isInputOf(sample, file))
        throw InputError({file.string(), "", "is a file that the sample is read from",
                          "Choose another output folder (`output`)."});
    requireWritable(file);
    const std::string extension = file.extension().string();
    const bool isReplaced = isReplaceable(
        file, [&](std::string_view beginning) { return beginsAsWritten(extension, beginning); });
    if (!isReplaced)
        throw InputError({file.string(), "",
                          fmt::format("exists, and is no {} of an earlier run", extension),
                          "Choose another output folder (`output`), or remove the file if it is "
                          "not needed."});
}

/// Moves a mesh from camera space into the world of the photographs; returns the options for
/// writing the mesh in that world.
MeshWriteOptions moveToPhotoWorld(Mesh& mesh, const Camera& camera,
                                  const PhotoWorldTransform& world) {
    MeshWriteOptions options;
    options.origin = world.origin();
    options.zUp = world.isZUp();
    for (glm::vec3& vertex : mesh.vertices)
        vertex = glm::vec3(world.fromObject(camera.toWorld(glm::dvec3(vertex))) - options.origin);
    return options;
}

}  // namespace

SampleWriter::SampleWriter(const ReconstructRequest& request, const fs::path& folder,
                           std::stop_token cancel)
    : request_(request), folder_(folder), cancel_(std::move(cancel)) {}

StepOutcome<WrittenSample> SampleWriter::write(const MeasuredSample& measured,
                                               const std::optional<SampleHull>& hull) const {
    Outcome outcome;
    outcome.value.emplace();
    try {
        writeAll(measured, hull, outcome);
    } catch (...) {
        // Kept, since the notes and remarks so far are reported even if a file cannot be written.
        outcome.failure = std::current_exception();
    }
    return outcome;
}

void SampleWriter::writeAll(const MeasuredSample& measured, const std::optional<SampleHull>& hull,
                            Outcome& outcome) const {
    const Sample& sample = *measured.loaded.sample;
    std::vector<TextureView> photographs;
    if (request_.written.texture > 0)
        photographs = textureViews(sample, viewsToFit(sample, {}, {FitViews::Kind::all}),
                                   outcome.notes, cancel_);
    const auto writeNamed = [&](const Points& vertices, const Faces& faces,
                                std::string_view ending) {
        writeFormats(measured.loaded, photographs, {vertices, faces}, ending, outcome);
    };
    const FittedReconstruction& reconstruction = measured.reconstruction;
    for (const StageMesh* mesh : reconstruction.network.published()) {
        const bool isResult = mesh == &reconstruction.network.result();
        if (request_.written.wants(mesh->stage.name, isResult))
            writeNamed(mesh->vertices, reconstruction.network.faces(*mesh),
                       isResult ? "_predict" : '_' + mesh->stage.name);
    }
    if (const auto& fitted = reconstruction.fitted)
        writeNamed(fitted->vertices, fitted->faces, "_fitted");
    if (hull) writeNamed(hull->mesh.vertices, hull->mesh.faces, "_hull");
}

std::optional<BakedTexture> SampleWriter::bake(const Mesh& world,
                                               std::span<const TextureView> photographs,
                                               const std::string& name, Outcome& outcome) const {
    if (request_.written.texture == 0) return std::nullopt;
    try {
        BakedTexture baked = bakeTexture(world, photographs,
                                         {.side = request_.written.texture,
                                          .equalisesExposure = !request_.written.keepExposure,
                                          .threads = request_.model.threads,
                                          .cancel = cancel_});
        const std::string note = exposureNote(baked.exposures);
        if (!note.empty()) outcome.notes.push_back(fmt::format("{}: {}", name, note));
        if (!baked.exposures.empty()) outcome.value->exposures.push_back({name, baked.exposures});
        return baked;
    } catch (const InputError& error) {
        setRemark(outcome.remarks, RemarkKind::texture,
                  fmt::format("{}: no texture: {}", name, error.what()));
        return std::nullopt;
    }
}

void SampleWriter::writeFormats(const LoadedSample& loaded,
                                std::span<const TextureView> photographs, Mesh mesh,
                                std::string_view ending, Outcome& outcome) const {
    const auto first = static_cast<std::size_t>(loaded.views.front());
    const Camera camera = Camera::fromRow(loaded.sample->cameraRows.at(first));
    Mesh world = mesh;
    for (glm::vec3& vertex : world.vertices) vertex = glm::vec3(camera.toWorld(glm::dvec3(vertex)));
    const std::string name = fmt::format("{}{}", loaded.sample->name(), ending);
    const auto baked = bake(world, photographs, name, outcome);
    MeshWriteOptions options;
    if (request_.written.space == MeshSpace::world)
        options = moveToPhotoWorld(mesh, camera, loaded.sample->photoWorld());
    SurfaceTexture texture;
    if (baked) texture = {baked->textureCoordinates, &baked->picture, {}};
    options.texture = baked ? &texture : nullptr;
    const fs::path seen = folder_ / (name + "_seen.png");
    const bool writesSeen = baked && request_.written.writeVisibility;
    // All files are checked before the first is written.
    if (writesSeen) requireReplaceableMesh(*loaded.sample, seen);
    for (const std::string& format : request_.written.formats) {
        const fs::path file = folder_ / fmt::format("{}.{}", name, format);
        requireReplaceableMesh(*loaded.sample, file);
        if (baked)
            for (const fs::path& beside :
                 textureFilesOf(file, meshFormatFromExtension(format).value()))
                requireReplaceableMesh(*loaded.sample, beside);
    }
    std::vector<fs::path>& files = outcome.value->files;
    for (const std::string& format : request_.written.formats)
        std::ranges::move(writeMesh(folder_ / fmt::format("{}.{}", name, format),
                                    meshFormatFromExtension(format).value(), mesh, options),
                          std::back_inserter(files));
    if (writesSeen) writePng(files.emplace_back(seen), baked->observedPicture);
}

}  // namespace threefold
