#include "engine/sample_rendering/render_sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/sample/view_files.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& root, const SourceMesh& mesh) {
    return root / mesh.category / mesh.id;
}

fs::path truthOf(const fs::path& root, const SourceMesh& mesh, const char* extension) {
    return root / "gt" / fmt::format("{}_{}_00{}", mesh.category, mesh.id, extension);
}

std::string imageName(std::size_t view) {
    return fmt::format("{:02}.png", view);
}

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

std::vector<float> truthRows(const SurfaceSamples& samples) {
    std::vector<float> values;
    values.reserve(samples.points.size() * 6);
    for (std::size_t i = 0; i < samples.points.size(); ++i)
        for (const glm::vec3& vector : {samples.points[i], samples.normals[i]})
            values.insert(values.end(), {vector.x, vector.y, vector.z});
    return values;
}

Array networkImageArray(const Image& image) {
    constexpr std::size_t kSide = kImageSize;
    std::vector<float> input(kSide * kSide * 3);
    preprocess(image, input);
    Array array{DType::u8, {kSide, kSide, 3}, {}};
    array.data.reserve(input.size());
    for (std::size_t pixel = 0; pixel < kSide * kSide; ++pixel)
        for (std::size_t channel = 0; channel < 3; ++channel)  // from the network's BGR
            array.data.push_back(
                static_cast<std::byte>(std::lround(input[3 * pixel + 2 - channel] * 255)));
    return array;
}

/// Positions and normals as a little-endian PLY of points.
std::string formatTruthPly(const SurfaceSamples& samples) {
    std::string ply = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment camera space of view 00\n"
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\nend_header\n",
        samples.points.size());
    const std::vector<float> values = truthRows(samples);
    const std::size_t header = ply.size();
    ply.resize(header + values.size() * sizeof(float));
    if (!values.empty()) std::memcpy(&ply[header], values.data(), values.size() * sizeof(float));
    return ply;
}

struct Coverage {
    bool any = false;
    bool atBorder = false;
};

Coverage coverageOf(const Image& image) {
    Coverage coverage;
    const int last = image.width - 1;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto pixel = static_cast<std::size_t>(y * image.width + x);
            if (image.rgba[4 * pixel + 3] == 0) continue;
            coverage.any = true;
            coverage.atBorder |= x == 0 || y == 0 || x == last || y == image.height - 1;
        }
    return coverage;
}

/// Encodes like encodePng(), but can be cancelled: a large picture takes a tenth of a second.
/// Throws Cancelled.
std::vector<std::byte> encoded(const Image& image, const std::stop_token& cancel) {
    constexpr std::size_t kRowsAtOnce = 32;
    PngWriter png(image.width, image.height);
    const std::span<const std::uint8_t> pixels(image.rgba);
    const std::size_t step = kRowsAtOnce * 4 * static_cast<std::size_t>(image.width);
    for (std::size_t offset = 0; offset < pixels.size(); offset += step) {
        if (cancel.stop_requested()) throw Cancelled();
        png.addRows(pixels.subspan(offset, std::min(step, pixels.size() - offset)));
    }
    return png.finish();
}

/// Draws the views into `folder`; returns the first view.
Image writeViews(const PreparedMesh& prepared, const std::vector<CameraRow>& rows, glm::vec3 light,
                 const RenderOptions& options, int threads, const StagedSample& folder,
                 const std::stop_token& cancel, RenderedSample& result) {
    Image first;
    std::vector<Coverage> coverages(rows.size());
    std::vector<RasterTier> tiers(rows.size());
    drawViews(prepared, rows, light, options, threads, cancel,
              [&](std::size_t view, Image&& image, RasterTier tier) {
                  folder.write(fs::path(kRenderingFolder) / imageName(view),
                               encoded(image, cancel));
                  coverages[view] = coverageOf(image);
                  tiers[view] = tier;
                  if (view == 0) first = std::move(image);
              });
    result.viewCount = rows.size();
    result.tiers.insert(tiers.begin(), tiers.end());
    for (const Coverage& coverage : coverages) {
        result.emptyViewCount += coverage.any ? 0 : 1;
        result.cutOffViewCount += coverage.atBorder ? 1 : 0;
    }
    return first;
}

}  // namespace

SurfaceSamples sampleTruth(const PreparedMesh& prepared, const Camera& camera, std::size_t count) {
    Mesh inCamera{{}, prepared.mesh.faces};
    inCamera.vertices.reserve(prepared.mesh.vertices.size());
    for (const glm::vec3& vertex : prepared.mesh.vertices)
        inCamera.vertices.emplace_back(camera.toCamera(glm::dvec3(vertex)));
    return sampleSurface(inCamera, count);
}

void drawViews(const PreparedMesh& prepared, std::span<const CameraRow> rows, glm::vec3 light,
               const RenderOptions& options, int threads, const std::stop_token& cancel,
               const DrawnViewFunction& drawn) {
    std::vector<std::optional<ViewRenderer>> renderers(static_cast<std::size_t>(threads));
    parallelFor(threads, rows.size(), cancel, [&](std::size_t view, std::size_t thread) {
        std::optional<ViewRenderer>& renderer = renderers[thread];
        if (!renderer) renderer.emplace(prepared, options.side, light, 1, options.raster);
        Camera camera = Camera::fromRow(rows[view]);
        camera.zoom = 1;  // one lens for all distances, as ShapeNet's renderings have
        Image image = renderer->render(camera, cancel);
        drawn(view, std::move(image), renderer->tier());
    });
}

bool isRendered(const fs::path& root, const SourceMesh& mesh) {
    const fs::path folder = folderOf(root, mesh) / kRenderingFolder;
    const fs::path truth = truthOf(root, mesh, ".dat");
    if (!pathExists(folder / kMetadataName) || !pathExists(truth)) return false;
    const auto requireContent = [](const fs::path& file) {
        std::error_code missing;
        if (fs::file_size(file, missing) > 0 && !missing) return;
        throw InputError({file.string(), "",
                          missing ? "is missing, so that the sample is not whole"
                                  : "is empty, so that the sample is not whole",
                          "Make the sample again (`overwrite`)."});
    };
    requireContent(folder / kMetadataName);
    requireContent(truth);
    std::ifstream list(folder / kRenderingListName);
    for (std::string name; std::getline(list, name);) {
        if (name.ends_with('\r')) name.pop_back();
        if (!name.empty()) requireContent(folder / name);
    }
    return true;
}

bool isNewerThanSample(const fs::path& root, const SourceMesh& mesh) {
    std::error_code error;
    const auto changed = fs::last_write_time(mesh.file, error);
    if (error) return false;
    const auto written = fs::last_write_time(truthOf(root, mesh, ".dat"), error);
    return !error && changed > written;
}

void requireValidOptions(const RenderOptions& options) {
    planViews(options.views, "");
    if (options.side < kMinRenderingSide || options.side > kMaxRenderingSide)
        throw UsageError({"`size`", "",
                          fmt::format("{} pixels, {} to {} can be made", options.side,
                                      kMinRenderingSide, kMaxRenderingSide),
                          "Choose another size."});
    if (options.points < 1 || options.points > kMaxTruthPoints)
        throw UsageError(
            {"`points`", "",
             fmt::format("{} points, 1 to {} can be made", options.points, kMaxTruthPoints),
             "Choose another number."});
}

SamplePaths samplePathsFor(const SourceMesh& mesh, const fs::path& root,
                           const RenderOptions& options) {
    SamplePaths sample{folderOf(root, mesh), truthOf(root, mesh, ".dat")};
    if (!pathExists(sample.folder)) return sample;
    if (!options.overwrite)
        throw InputError({sample.folder.string(), "", "exists already",
                          "Choose another folder (`output`), or replace it (`overwrite`)."});
    // The whole folder is deleted: it must not be the one with the meshes.
    if (!isFolder(sample.folder))
        throw InputError(
            {sample.folder.string(), "", "is not a folder", "Choose another folder (`output`)."});
    for (const fs::path& entry :
         listFolder(sample.folder, "Choose another folder (`output`), one that you may read.")) {
        if (entry.filename() == kRenderingFolder) continue;
        throw InputError(
            {sample.folder.string(), "",
             fmt::format("holds '{}', which does not belong to a sample and would be deleted",
                         entry.filename().string()),
             "Choose another folder (`output`), or move it away."});
    }
    return sample;
}

PreparedSample prepareRenderedSample(const SourceMesh& mesh, const fs::path& root,
                                     const RenderOptions& options, int threads,
                                     const std::stop_token& cancel) {
    requireValidOptions(options);
    SamplePaths paths = samplePathsFor(mesh, root, options);
    RenderedSample result;
    TexturedMesh textured = readTexturedMesh(
        mesh.file, {.cancel = cancel, .texturesAnywhere = options.texturesAnywhere});
    result.unreadable = textured.missing;
    if (const std::string leftOut = leftOutText(textured.mesh); !leftOut.empty())
        result.unreadable.push_back(leftOut);
    const PreparedMesh prepared = prepareMesh(std::move(textured), options.conversion, cancel);
    result.faceCount = prepared.mesh.faces.size();
    result.degenerateFaceCount = prepared.degenerateFaceCount;

    const std::string name = mesh.category + '_' + mesh.id;
    const std::vector<CameraRow> rows = planViews(options.views, name);
    StagedSample folder(root);
    const Image first = writeViews(prepared, rows, lightDirection(options.views.seed, name),
                                   options, threads, folder, cancel, result);
    if (result.emptyViewCount == result.viewCount)
        throw InputError({mesh.file.string(), "", "is visible in no view",
                          "Centre and scale it (without `as_is`), or move it to the origin, "
                          "about half a unit wide."});
    std::string names;
    for (std::size_t view = 0; view < rows.size(); ++view) names += imageName(view) + '\n';
    folder.write(fs::path(kRenderingFolder) / kRenderingListName, names);
    folder.write(fs::path(kRenderingFolder) / kMetadataName, formatRenderingMetadata(rows));
    const SurfaceSamples truth =
        sampleTruth(prepared, Camera::fromRow(rows.front()), options.points);
    folder.writeTruth(".ply", formatTruthPly(truth));
    // METHOD.md §10: the image as the network sees it, RGB 224×224×3; positions and normals N×6.
    folder.writeTruth(
        ".dat", formatPickle(std::array{networkImageArray(first),
                                        makeArray(truthRows(truth), {truth.points.size(), 6})}));
    if (cancel.stop_requested()) throw Cancelled();
    return {std::move(result), std::move(paths), std::move(folder)};
}

RenderedSample publishSample(PreparedSample prepared, bool overwrite) {
    fs::path truth = prepared.paths.truth;
    prepared.folder.publish(prepared.paths.folder, truth.replace_extension(), overwrite);
    return std::move(prepared.sample);
}

}  // namespace threefold
