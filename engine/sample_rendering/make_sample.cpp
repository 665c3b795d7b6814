#include "engine/sample_rendering/make_sample.h"

#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/sample/view_files.h"
#include "engine/sample_rendering/truth_writing.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& root, const ItemMesh& mesh) {
    return root / mesh.category / mesh.item;
}

fs::path truthOf(const fs::path& root, const ItemMesh& mesh, const char* extension) {
    return root / "gt" / fmt::format("{}_{}_00{}", mesh.category, mesh.item, extension);
}

bool isThere(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

std::string imageName(std::size_t view) {
    return fmt::format("{:02}.png", view);
}

SurfaceSamples truthIn(const Camera& camera, const Subject& subject, std::size_t count) {
    Mesh seen{{}, subject.mesh.faces};
    seen.vertices.reserve(subject.mesh.vertices.size());
    for (const glm::vec3& vertex : subject.mesh.vertices)
        seen.vertices.emplace_back(camera.toView(glm::dvec3(vertex)));
    return sampleSurface(seen, count);
}

struct Alpha {
    bool any = false;
    bool atBorder = false;
};

Alpha alphaOf(const Image& image) {
    Alpha alpha;
    const int last = image.width - 1;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const auto pixel = static_cast<std::size_t>(y * image.width + x);
            if (image.rgba[4 * pixel + 3] == 0) continue;
            alpha.any = true;
            alpha.atBorder |= x == 0 || y == 0 || x == last || y == image.height - 1;
        }
    }
    return alpha;
}

/// The views into `folder`; the first one comes back.
Image drawViews(const Subject& subject, const std::vector<CameraRow>& rows, glm::vec3 light,
                const SampleSettings& settings, int threads, const SampleFolder& folder,
                const std::stop_token& cancel, MadeSample& made) {
    Image first;
    std::vector<Alpha> alphas(rows.size());
    std::vector<std::optional<ViewRenderer>> renderers(static_cast<std::size_t>(threads));
    parallelFor(threads, rows.size(), cancel, [&](std::size_t view, std::size_t thread) {
        std::optional<ViewRenderer>& renderer = renderers[thread];
        if (!renderer) renderer.emplace(subject, settings.size, light, 1, settings.tier);
        Image image = renderer->render(Camera::fromRow(rows[view]), cancel);
        folder.write(fs::path(kRenderingName) / imageName(view), encodePng(image));
        alphas[view] = alphaOf(image);
        if (view == 0) first = std::move(image);
    });
    made.views = rows.size();
    for (const Alpha& alpha : alphas) {
        made.emptyViews += alpha.any ? 0 : 1;
        made.cutOffViews += alpha.atBorder ? 1 : 0;
    }
    return first;
}

}  // namespace

bool isMade(const fs::path& root, const ItemMesh& mesh) {
    return isThere(folderOf(root, mesh) / kRenderingName / kMetadataName) &&
           isThere(truthOf(root, mesh, ".dat"));
}

void checkSettings(const SampleSettings& settings) {
    planViews(settings.views, "");
    if (settings.size < kSmallestRendering || settings.size > kLargestRendering)
        throw UsageError({"--size", "",
                          fmt::format("{} pixels, {} to {} can be made", settings.size,
                                      kSmallestRendering, kLargestRendering),
                          "Choose another size."});
    if (settings.points < 1 || settings.points > kMostTruthPoints)
        throw UsageError(
            {"--points", "",
             fmt::format("{} points, 1 to {} can be made", settings.points, kMostTruthPoints),
             "Choose another number."});
}

MadeSample placeOf(const ItemMesh& mesh, const fs::path& root, const SampleSettings& settings) {
    MadeSample place;
    place.folder = folderOf(root, mesh);
    place.truth = truthOf(root, mesh, ".dat");
    if (!isThere(place.folder)) return place;
    if (!settings.overwrite)
        throw InputError({place.folder.string(), "", "is there already",
                          "Choose another -o, or replace it with --overwrite."});
    // The folder goes as a whole: it must not be the one that the meshes are in, say.
    if (!fs::is_directory(place.folder))
        throw InputError({place.folder.string(), "", "is no folder", "Choose another -o."});
    for (const auto& entry : fs::directory_iterator(place.folder)) {
        if (entry.path().filename() == kRenderingName) continue;
        throw InputError({place.folder.string(), "",
                          fmt::format("holds '{}', which is no part of a sample and would be lost",
                                      entry.path().filename().string()),
                          "Choose another -o, or move it away."});
    }
    return place;
}

PreparedSample prepareSample(const ItemMesh& mesh, const fs::path& root,
                             const SampleSettings& settings, int threads,
                             const std::stop_token& cancel) {
    checkSettings(settings);
    MadeSample made = placeOf(mesh, root, settings);
    TexturedMesh textured = readTexturedMesh(mesh.file, {cancel});
    made.missing = textured.missing;
    const Subject subject = makeSubject(std::move(textured), settings.placing);
    made.faces = subject.mesh.faces.size();
    made.withoutArea = subject.withoutArea;

    const std::string name = mesh.category + '_' + mesh.item;
    const std::vector<CameraRow> rows = planViews(settings.views, name);
    SampleFolder folder(root);
    const Image first = drawViews(subject, rows, lightOf(settings.views.seed, name), settings,
                                  threads, folder, cancel, made);
    if (made.emptyViews == made.views)
        throw InputError({mesh.file.string(), "", "is in none of its views",
                          "Let it be centred and scaled (without --as-is), or move it to where "
                          "ShapeNet's objects are: around 0, about half a unit wide."});
    std::string names;
    for (std::size_t view = 0; view < rows.size(); ++view) names += imageName(view) + '\n';
    folder.write(fs::path(kRenderingName) / "renderings.txt", names);
    folder.write(fs::path(kRenderingName) / kMetadataName, formatRenderingMetadata(rows));
    const SurfaceSamples truth = truthIn(Camera::fromRow(rows.front()), subject, settings.points);
    folder.writeTruth(".ply", formatTruthPly(truth));
    folder.writeTruth(".dat", formatTruthPickle(first, truth));
    if (cancel.stop_requested()) throw Cancelled();
    return {std::move(made), std::move(folder)};
}

MadeSample publishSample(PreparedSample prepared, bool overwrite) {
    fs::path truth = prepared.made.truth;
    prepared.folder.publish(prepared.made.folder, truth.replace_extension(), overwrite);
    return std::move(prepared.made);
}

MadeSample makeSample(const ItemMesh& mesh, const fs::path& root, const SampleSettings& settings,
                      int threads, const std::stop_token& cancel) {
    PreparedSample prepared = prepareSample(mesh, root, settings, threads, cancel);
    flushDisk(root);
    return publishSample(std::move(prepared), settings.overwrite);
}

}  // namespace threefold
