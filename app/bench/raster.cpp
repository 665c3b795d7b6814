#include "app/bench/raster.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>

#include "app/bench/latency.h"
#include "engine/error.h"
#include "engine/network/cuda_plugin.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr double kMedian = 0.5;

/// Where the ball fills most of the picture, with its poles out of the middle.
std::vector<glm::vec4> seenFromAside(const Points& points) {
    constexpr float kFieldOfView = 0.9F;
    constexpr float kNear = 0.1F;
    constexpr float kFar = 10;
    const glm::mat4 camera = glm::lookAt(glm::vec3(1.2F, 1.5F, 1.6F), glm::vec3(0), {0, 1, 0});
    const glm::mat4 matrix = glm::perspective(kFieldOfView, 1.0F, kNear, kFar) * camera;
    std::vector<glm::vec4> clip;
    clip.reserve(points.size());
    for (const glm::vec3& p : points) clip.push_back(matrix * glm::vec4(p, 1));
    return clip;
}

RasterBenchRow measureMesh(const Mesh& mesh, const RasterBenchOptions& options,
                           const std::stop_token& cancel) {
    const std::vector<glm::vec4> clip = seenFromAside(mesh.vertices);
    const std::span<const glm::vec4> views[] = {clip};
    RasterOptions raster;
    raster.width = raster.height = options.size;
    raster.threads = options.threads;
    raster.cancel = cancel;
    raster.deviceRaster = cudaRaster(options.device);
    RasterBenchRow row;
    row.cells = {{RasterTier::basic}, {RasterTier::tiled}};
    for (const RasterInstructions instructions : options.instructions)
        row.cells.push_back({RasterTier::vectorised, instructions});
    if (options.cuda) row.cells.push_back({RasterTier::cuda});
    RasterImage image;
    std::vector<std::vector<double>> times(row.cells.size());
    for (int run = -options.warmup; run < options.runs; ++run) {
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            if (cancel.stop_requested()) throw Cancelled();
            raster.tier = row.cells[c].tier;
            raster.instructions = row.cells[c].instructions;
            const Stopwatch watch;
            rasterize(views, mesh.faces, raster, {&image, 1});
            if (run >= 0) times[c].push_back(watch.milliseconds());
        }
    }
    row.triangles = mesh.faces.size();
    row.pixels = static_cast<std::size_t>(std::count_if(
        image.face.begin(), image.face.end(), [](std::uint32_t face) { return face != 0; }));
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
        row.cells[c].medianMs = quantile(times[c], kMedian);
        row.cells[c].leastMs = *std::min_element(times[c].begin(), times[c].end());
    }
    return row;
}

}  // namespace

const RasterBenchCell& RasterBenchRow::cell(RasterTier tier) const {
    return *std::find_if(cells.begin(), cells.end(),
                         [tier](const RasterBenchCell& c) { return c.tier == tier; });
}

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
            const double turn = 2 * kPi * static_cast<double>(a) / static_cast<double>(around);
            const double radius = 1 + 0.05 * std::sin(5 * turn) * std::sin(polar) * std::sin(polar);
            mesh.vertices.emplace_back(radius * std::sin(polar) * std::cos(turn),
                                       radius * std::cos(polar),
                                       radius * std::sin(polar) * std::sin(turn));
        }
    }
    const auto vertex = [around](std::size_t ring, std::size_t a) {
        return static_cast<std::uint32_t>(ring * around + a % around);
    };
    for (std::size_t r = 0; r < rings; ++r) {
        for (std::size_t a = 0; a < around; ++a) {
            // At a pole one of the two would have no area.
            if (r > 0) mesh.faces.emplace_back(vertex(r, a), vertex(r, a + 1), vertex(r + 1, a));
            if (r + 1 < rings) {
                mesh.faces.emplace_back(vertex(r, a + 1), vertex(r + 1, a + 1), vertex(r + 1, a));
            }
        }
    }
    return mesh;
}

std::vector<RasterBenchRow> measureRaster(const RasterBenchOptions& options,
                                          const std::stop_token& cancel) {
    std::vector<RasterBenchRow> rows;
    for (const std::size_t triangles : options.triangles) {
        rows.push_back(measureMesh(dentedBall(triangles), options, cancel));
    }
    return rows;
}

}  // namespace threefold
