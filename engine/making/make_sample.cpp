#include "engine/making/make_sample.h"

#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/image_readers.h"
#include "engine/making/sample_folder.h"
#include "engine/making/truth_writing.h"
#include "engine/network/parallel.h"
#include "engine/sample/view_files.h"

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

/// The truth's files, gone again unless the sample is finished.
class TruthFiles {
  public:
    TruthFiles(const fs::path& root, const ItemMesh& mesh)
        : pickle_(truthOf(root, mesh, ".dat")), ply_(truthOf(root, mesh, ".ply")) {}
    ~TruthFiles() {
        std::error_code ignored;
        if (kept_) return;
        for (const fs::path& file : written_) fs::remove(file, ignored);
    }
    TruthFiles(const TruthFiles&) = delete;
    TruthFiles& operator=(const TruthFiles&) = delete;

    void write(const Image& image, const SurfaceSamples& samples) {
        fs::create_directories(pickle_.parent_path());
        written_.push_back(ply_);
        writeFileWhole(ply_, formatTruthPly(samples));
        written_.push_back(pickle_);
        writeFileWhole(pickle_, formatTruthPickle(image, samples));
    }
    void keep() { kept_ = true; }
    const fs::path& pickle() const { return pickle_; }

  private:
    fs::path pickle_;
    fs::path ply_;
    std::vector<fs::path> written_;
    bool kept_ = false;
};

SurfaceSamples truthIn(const Camera& camera, const Subject& subject, std::size_t count) {
    Mesh seen{{}, subject.mesh.faces};
    seen.vertices.reserve(subject.mesh.vertices.size());
    for (const glm::vec3& vertex : subject.mesh.vertices)
        seen.vertices.emplace_back(camera.toView(glm::dvec3(vertex)));
    return sampleSurface(seen, count);
}

/// The views into `folder`; the first one comes back.
Image drawViews(const Subject& subject, const std::vector<CameraRow>& rows, glm::vec3 light,
                int size, int threads, const fs::path& folder, const std::stop_token& cancel) {
    Image first;
    std::vector<std::optional<ViewRenderer>> renderers(static_cast<std::size_t>(threads));
    parallelFor(threads, rows.size(), cancel, [&](std::size_t view, std::size_t thread) {
        std::optional<ViewRenderer>& renderer = renderers[thread];
        if (!renderer) renderer.emplace(subject, size, light, 1);
        Image image = renderer->render(Camera::fromRow(rows[view]), cancel);
        writeFileWhole(folder / imageName(view), encodePng(image));
        if (view == 0) first = std::move(image);
    });
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

MadeSample makeSample(const ItemMesh& mesh, const fs::path& root, const SampleSettings& settings,
                      int threads, const std::stop_token& cancel) {
    checkSettings(settings);
    MadeSample made;
    made.folder = folderOf(root, mesh);
    if (!settings.overwrite && isThere(made.folder))
        throw InputError({made.folder.string(), "", "is there already",
                          "Choose another -o, or replace it with --overwrite."});
    TexturedMesh textured = readTexturedMesh(mesh.file, {cancel});
    made.missing = textured.missing;
    const Subject subject = makeSubject(std::move(textured), settings.placing);
    made.faces = subject.mesh.faces.size();
    made.withoutArea = subject.withoutArea;

    const std::string name = mesh.category + '_' + mesh.item;
    const std::vector<CameraRow> rows = planViews(settings.views, name);
    made.views = rows.size();
    SampleFolder folder(root);
    const fs::path rendering = folder.path() / kRenderingName;
    fs::create_directory(rendering);
    const Image first = drawViews(subject, rows, lightOf(settings.views.seed, name), settings.size,
                                  threads, rendering, cancel);
    std::string names;
    for (std::size_t view = 0; view < rows.size(); ++view) names += imageName(view) + '\n';
    writeFileWhole(rendering / "renderings.txt", names);
    writeFileWhole(rendering / kMetadataName, formatRenderingMetadata(rows));

    if (cancel.stop_requested()) throw Cancelled();
    TruthFiles truth(root, mesh);
    truth.write(first, truthIn(Camera::fromRow(rows.front()), subject, settings.points));
    folder.publish(made.folder, settings.overwrite);
    truth.keep();
    made.truth = truth.pickle();
    return made;
}

}  // namespace threefold
