#include "engine/sample_rendering/render_sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/sample/view_files.h"
#include "engine/sample_rendering/draw_views.h"
#include "engine/sample_rendering/view_renderer.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

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
    constexpr std::size_t kSide = kInputSide;
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

/// Writes the views into `folder`, and their statistics into `result`; returns the first view.
Image writeViews(const ViewDrawing& drawing, const StagedSample& folder, RenderedSample& result) {
    Image first;
    std::vector<Coverage> coverages(drawing.rows.size());
    std::vector<RasterTier> tiers(drawing.rows.size());
    drawViews(drawing, [&](std::size_t view, Image&& image, RasterTier tier) {
        folder.write(fs::path(kRenderingFolder) / imageName(view), encoded(image, drawing.cancel));
        coverages[view] = coverageOf(image);
        tiers[view] = tier;
        if (view == 0) first = std::move(image);
    });
    result.viewCount = drawing.rows.size();
    result.tiers.insert(tiers.begin(), tiers.end());
    for (const Coverage& coverage : coverages) {
        result.emptyViewCount += coverage.any ? 0 : 1;
        result.cutOffViewCount += coverage.atBorder ? 1 : 0;
    }
    return first;
}

}  // namespace

PreparedSample prepareRenderedSample(const SourceMesh& mesh, const fs::path& root,
                                     const RenderOptions& options, int threads,
                                     const std::stop_token& cancel) {
    requireValidOptions(options);
    SamplePaths paths = samplePathsFor(mesh, root, options);
    RenderedSample result;
    TexturedMesh textured = readTexturedMesh(
        mesh.file, {.cancel = cancel, .texturesAnywhere = options.texturesAnywhere});
    result.unreadable = textured.appearance.missing;
    if (const std::string leftOut = leftOutText(textured.mesh); !leftOut.empty())
        result.unreadable.push_back(leftOut);
    const PreparedMesh prepared = prepareMesh(std::move(textured), options.conversion, cancel);
    result.faceCount = prepared.mesh.faces.size();
    result.degenerateFaceCount = prepared.degenerateFaceCount;

    const std::string name = mesh.category + '_' + mesh.id;
    const std::vector<CameraRow> rows = planViews(options.views, name);
    StagedSample folder(root);
    const Image first = writeViews({.mesh = prepared,
                                    .rows = rows,
                                    .light = lightDirection(options.views.seed, name),
                                    .options = options,
                                    .threads = threads,
                                    .cancel = cancel},
                                   folder, result);
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
