#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include "app/bench/bench.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/network/cuda_plugin.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/raster/rasterize.h"
#include "engine/system/processor.h"

namespace threefold {
namespace {

constexpr const char* kRasterExamples =
    R"(Draws a ball of each number of --triangles, with both sides of its surface, with every tier of the
rasteriser: face index and barycentrics of each pixel. "ms" is the median time of one image, from
vertices to pixels. --mesh FILE adds a mesh of your own: six views of it, one from each side of its
box, drawn in one call and timed together. Rates are those of the first vectorised tier: triangles
drawn and pixels covered per second. "× basic" is the ratio of medians.

Examples:
  threefold bench raster
  threefold bench raster --instructions avx512,avx2,portable
  threefold bench raster --mesh bunny.ply --triangles 10000 --cuda
  threefold bench raster --triangles 10000,1000000 --size 1024 --runs 50 --json)";

/// Default instruction set: the widest of this processor.
constexpr const char* kWidest = "automatic";

struct RasterBenchOptions {
    std::vector<std::size_t> triangles = {1'000, 5'000, 10'000, 20'000, 100'000, 1'000'000};
    std::filesystem::path mesh;  ///< mesh file to draw as well; empty: none
    std::uint32_t size = 1024;   ///< width and height of the image, pixels
    int runs = 20;
    int warmup = 2;
    int threads = 0;  ///< threads of the parallel tiers; 0: all available
    std::vector<std::string> instructions = {kWidest};
    bool cuda = false;  ///< also measure the GPU's tier
    int device = 0;     ///< CUDA number of the GPU
};

/// Times of one tier on one mesh.
struct TierTime {
    RasterTier tier = RasterTier::basic;
    std::string_view instructions = {};  ///< instruction set of the tier `vectorised`
    double medianMilliseconds = 0;
    double minMilliseconds = 0;
};

/// Times of one mesh.
struct RasterRow {
    std::string name;
    std::size_t views = 0;  ///< number of views; times and pixels cover all views together
    std::size_t triangles = 0;
    std::size_t pixels = 0;  ///< pixels that are not background
    std::vector<TierTime> tiers = {};

    double medianOf(RasterTier tier) const {
        return std::ranges::find(tiers, tier, &TierTime::tier)->medianMilliseconds;
    }
};

/// Deterministic dented ball of about `triangles` triangles; both sides of its surface are drawn.
Mesh dentedBall(std::size_t triangles) {
    const auto rings =
        std::max<std::size_t>(3, std::lround(std::sqrt(static_cast<double>(triangles) / 4)));
    const std::size_t around =
        std::max<std::size_t>(3, (triangles + 2 * rings - 1) / (2 * (rings - 1)));
    Mesh mesh;
    constexpr double kPi = std::numbers::pi;
    for (std::size_t r = 0; r <= rings; ++r) {
        const double polar = kPi * static_cast<double>(r) / static_cast<double>(rings);
        for (std::size_t a = 0; a < around; ++a) {
            const double rotation = 2 * kPi * static_cast<double>(a) / static_cast<double>(around);
            const double radius =
                1 + 0.05 * std::sin(5 * rotation) * std::sin(polar) * std::sin(polar);
            mesh.vertices.emplace_back(radius * std::sin(polar) * std::cos(rotation),
                                       radius * std::cos(polar),
                                       radius * std::sin(polar) * std::sin(rotation));
        }
    }
    const auto vertex = [around](std::size_t ring, std::size_t a) {
        return static_cast<std::uint32_t>(ring * around + a % around);
    };
    for (std::size_t r = 0; r < rings; ++r) {
        for (std::size_t a = 0; a < around; ++a) {
            // At a pole one of the two triangles would have no area.
            if (r > 0) mesh.faces.emplace_back(vertex(r, a), vertex(r, a + 1), vertex(r + 1, a));
            if (r + 1 < rings)
                mesh.faces.emplace_back(vertex(r, a + 1), vertex(r + 1, a + 1), vertex(r + 1, a));
        }
    }
    return mesh;
}

using Centres = std::vector<glm::vec3>;

/// Camera that shows the ball large, with its poles off centre.
const Centres kAside = {{1.2F, 1.5F, 1.6F}};
/// Six views of anything that fits into the ball.
const Centres kSixSides = {{2.5F, 0, 0},  {-2.5F, 0, 0},    {0, 0, 2.5F},
                           {0, 0, -2.5F}, {0, 2.5F, 1e-3F}, {0, -2.5F, 1e-3F}};

std::vector<glm::vec4> seenFrom(const glm::vec3& centre, const Points& points) {
    constexpr float kFieldOfView = 0.9F;
    constexpr float kNear = 0.1F;
    constexpr float kFar = 10;
    const glm::mat4 camera = glm::lookAt(centre, glm::vec3(0), {0, 1, 0});
    const glm::mat4 matrix = glm::perspective(kFieldOfView, 1.0F, kNear, kFar) * camera;
    std::vector<glm::vec4> clip;
    clip.reserve(points.size());
    for (const glm::vec3& p : points) clip.push_back(matrix * glm::vec4(p, 1));
    return clip;
}

/// Loads a mesh, moved and scaled so that the corners of its bounding box lie on the unit sphere.
/// Throws InputError if the mesh has no faces; otherwise throws as readMesh() does.
Mesh loadScaledMesh(const std::filesystem::path& file) {
    LoadedMesh read = readMesh(file);
    if (read.faces.empty())
        throw InputError(
            {file.string(), "", "has no faces", "Name a mesh, not a cloud of points."});
    const Box3f box = boundsOf(read.vertices);
    const float diagonal = glm::distance(box.min, box.max);
    for (glm::vec3& p : read.vertices)
        p = (p - (box.min + box.max) / 2.0F) * (diagonal > 0 ? 2 / diagonal : 1.0F);
    return {std::move(read.vertices), std::move(read.faces)};
}

/// Measures every tier on one mesh. Changes the tier after every run, so that all tiers meet the
/// same conditions of the machine. Reuses the image's memory, as a caller with many images would.
RasterRow measureMesh(const Mesh& mesh, std::string name, const Centres& centres,
                      const RasterBenchOptions& options, const std::stop_token& cancel) {
    std::vector<std::vector<glm::vec4>> clip;
    for (const glm::vec3& centre : centres) clip.push_back(seenFrom(centre, mesh.vertices));
    const std::vector<std::span<const glm::vec4>> views(clip.begin(), clip.end());
    RasterOptions raster;
    raster.width = raster.height = options.size;
    raster.threads = options.threads;
    raster.cancel = cancel;
    raster.choice.deviceRaster = cudaRasterFactory(options.device);
    RasterRow row{std::move(name), centres.size()};
    row.tiers = {{RasterTier::basic}, {RasterTier::tiled}};
    for (const std::string& chosen : options.instructions)
        row.tiers.push_back({RasterTier::vectorised,
                             chosen == kWidest ? runnableRasterInstructions().front() : chosen});
    if (options.cuda) row.tiers.push_back({RasterTier::cuda});
    std::vector<RasterImage> images(views.size());
    std::vector<std::vector<double>> times(row.tiers.size());
    for (int run = -options.warmup; run < options.runs; ++run)
        for (std::size_t c = 0; c < row.tiers.size(); ++c) {
            if (cancel.stop_requested()) throw Cancelled();
            raster.choice.tier = row.tiers[c].tier;
            raster.instructions = row.tiers[c].instructions;
            const Stopwatch watch;
            rasterize(views, mesh.faces, raster, images);
            if (run >= 0) times[c].push_back(watch.milliseconds());
        }
    row.triangles = mesh.faces.size();
    for (const RasterImage& image : images)
        row.pixels += image.facePlusOne.size() - static_cast<std::size_t>(std::ranges::count(
                                                     image.facePlusOne, std::uint32_t{0}));
    for (std::size_t c = 0; c < row.tiers.size(); ++c) {
        row.tiers[c].medianMilliseconds = *medianOf(times[c]);
        row.tiers[c].minMilliseconds = *std::min_element(times[c].begin(), times[c].end());
    }
    return row;
}

BenchRow benchRow(const RasterRow& mesh) {
    constexpr double kMillion = 1e6;
    BenchRow row;
    row.addLabel("mesh", mesh.name);
    row.addNumber("views", std::to_string(mesh.views));
    row.addNumber("triangles", std::to_string(mesh.triangles));
    row.json = {{"mesh", mesh.name},
                {"views", mesh.views},
                {"triangles", mesh.triangles},
                {"pixels", mesh.pixels}};
    for (const TierTime& cell : mesh.tiers) {
        std::string name(rasterTierName(cell.tier));
        nlohmann::ordered_json tier = {
            {"tier", name},
            {"medianMs", cell.medianMilliseconds},
            {"minMs", cell.minMilliseconds},
            {"trianglesPerSecond", perSecond(mesh.triangles * mesh.views, cell.medianMilliseconds)},
            {"pixelsPerSecond", perSecond(mesh.pixels, cell.medianMilliseconds)}};
        if (cell.tier == RasterTier::vectorised) {
            tier["instructions"] = cell.instructions;
            name += fmt::format(" ({})", cell.instructions);
        }
        row.json["tiers"].push_back(std::move(tier));
        row.addNumber(name + " ms", fmt::format("{:.2f}", cell.medianMilliseconds));
    }
    const double fastest = mesh.medianOf(RasterTier::vectorised);
    const double ratio = mesh.medianOf(RasterTier::basic) / fastest;
    row.addNumber("× basic", fmt::format("{:.1f}", ratio));
    row.addNumber(
        "Mtriangles/s",
        fmt::format("{:.2f}", perSecond(mesh.triangles * mesh.views, fastest) / kMillion));
    row.addNumber("Mpixels/s", fmt::format("{:.1f}", perSecond(mesh.pixels, fastest) / kMillion));
    row.json["vectorisedToBasic"] = ratio;
    return row;
}

BenchReport runRaster(const RasterBenchOptions& options, const ModelOptions&,
                      const std::stop_token& cancel, const BenchProgress& progress) {
    BenchReport report;
    report.heading =
        fmt::format("{}\n{} × {} pixels, median of {} runs after {} to warm up\n", processorName(),
                    options.size, options.size, options.runs, options.warmup);
    report.jsonHeader = {
        {"processor", processorName()}, {"instructions", runnableRasterInstructions().front()},
        {"size", options.size},         {"runs", options.runs},
        {"warmup", options.warmup},     {"threads", options.threads}};
    report.rowsKey = "meshes";
    const auto add = [&](const Mesh& mesh, std::string name, const Centres& centres) {
        report.rows.push_back(
            benchRow(measureMesh(mesh, std::move(name), centres, options, cancel)));
        progress(report);
    };
    if (!options.mesh.empty())
        add(loadScaledMesh(options.mesh), options.mesh.filename().string(), kSixSides);
    for (const std::size_t triangles : options.triangles)
        add(dentedBall(triangles), "ball", kAside);
    return report;
}

void addOptions(CLI::App& command, RasterBenchOptions& options) {
    constexpr std::size_t kMaxTriangles = 100'000'000;
    addValue(
        command, "--triangles", options.triangles, "N,N,...",
        fmt::format("Numbers of triangles; {} if not given", fmt::join(options.triangles, ",")))
        ->delimiter(',')
        ->check(numberValidator(NumberRange::wholeNumber(12, kMaxTriangles)));
    addValue(command, "--mesh", options.mesh, "FILE", "Also draw six views of this mesh");
    addValue(command, "--size", options.size, "N",
             fmt::format("Width and height, {} pixels if not given", options.size))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxRasterSide)));
    addRunOptions(command, options.runs, options.warmup);
    addSetting(command, setting::threads, options.threads);
    addValue(command, "--instructions", options.instructions, "NAME,NAME,...",
             "Instruction sets of the vectorised tier: avx512, avx2, portable; the widest "
             "of this processor if not given")
        ->delimiter(',')
        ->check(CLI::IsMember({kWidest, "avx512", "avx2", "portable"}).description(""));
    command.add_flag("--cuda", options.cuda,
                     "Also measure the GPU, with the transfers of each image");
    addValue(command, "--device", options.device, "N",
             fmt::format("CUDA number of the GPU; {} if not given", options.device))
        ->check(numberValidator(NumberRange::wholeNumber(0, 1024)));
}

}  // namespace

extern const Bench kRasterBench{"raster", "Compare the rasteriser's tiers", kRasterExamples, false,
                                prepared<RasterBenchOptions, addOptions, runRaster>};

}  // namespace threefold
