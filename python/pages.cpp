#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/geometry/nearest.h"
#include "engine/measures/scores.h"
#include "engine/measures/truth_distances.h"
#include "engine/web_page/sample_result.h"
#include "engine/web_page/web_page.h"
#include "python/interruptible.h"
#include "python/module.h"
#include "python/samples.h"

namespace threefold::python {
namespace {

/// Column of a page: name, mesh, and WebMesh::definesViewAndRange.
using GivenColumn = std::tuple<std::string, GivenMesh, bool>;

/// The colouring that show() names: "values", "plain" or "normals".
WebColouring colouringOf(std::string_view name) {
    if (name == "plain") return WebColouring::plain;
    return name == "normals" ? WebColouring::normals : WebColouring::values;
}

/// Converts a sample's views to photographs of a page.
std::vector<WebPhoto> photographsOf(const PythonSample& sample) {
    std::vector<WebPhoto> photographs;
    for (std::size_t i = 0; i < sample.views.size(); ++i)
        photographs.push_back({fmt::format("view {}", sample.views[i]), sample.input.images[i],
                               sample.input.cameras[i]});
    return photographs;
}

/// Distances from the surface of a truth. Throws InputError.
TruthDistances surfaceDistances(const GivenMesh& given) {
    GroundTruth truth;
    truth.surface = meshOf(given);
    truth.points = truth.surface.vertices;
    requireValidFaces(truth.surface.vertices.size(), truth.surface.faces);
    return TruthDistances(truth);
}

/// Converts a column; adds its measures and distances to the truth if there is a truth.
/// `distances`: computes distances to the truth's surface; null for a truth of points. Throws
/// InputError.
WebMesh columnOf(const GivenColumn& given, const std::optional<ScoredShape>& truth,
                 const TruthDistances* distances, const Camera& camera) {
    const auto& [name, mesh, definesViewAndRange] = given;
    const ScoredShape shape = scoredShapeOf(mesh);
    WebMesh column{
        .name = name,
        .mesh = {worldPoints(shape.vertices, camera), {shape.faces.begin(), shape.faces.end()}},
        .definesViewAndRange = definesViewAndRange};
    if (!truth) return column;
    if (distances != nullptr) {
        if (!std::ranges::all_of(shape.vertices, isFinite))
            throw InputError({name, "", "has a coordinate that is not finite", "Repair it."});
        column.values = distances->distancesOf(shape.vertices);
    } else {
        const Neighbours nearest = nearestNeighbours(shape.vertices, truth->vertices);
        for (const double squared : nearest.squaredDistances)
            column.values.push_back(static_cast<float>(std::sqrt(squared)));
    }
    const Scores scores = score(shape, *truth, {});
    std::optional<Scores> surface;
    if (!shape.faces.empty()) surface = score(shape, *truth, {.protocol = Protocol::surface});
    column.numbers =
        webNumbers({.truthScores = &scores, .surfaceScores = surface ? &*surface : nullptr});
    return column;
}

}  // namespace

void definePages(nb::module_& module) {
    module.def(
        "page",
        [](const std::string& title, const PythonSample* sample, const Camera* given,
           const std::vector<GivenColumn>& columns, const std::optional<GivenMesh>& truth,
           const std::optional<GivenMesh>& surface, bool showTruth, const std::string& colour) {
            WebPage page{.title = title, .measures = webMeasures()};
            page.colours.initialColouring = colouringOf(colour);
            const Camera camera = given != nullptr ? *given : Camera();  // no camera: world space
            return interruptible([&](const std::stop_token&) {
                WebResult& result = page.results.emplace_back();
                result.name = title;
                if (sample != nullptr) result.photographs = photographsOf(*sample);
                const auto shape = truth ? std::optional(scoredShapeOf(*truth)) : std::nullopt;
                const auto distances =
                    surface ? std::optional(surfaceDistances(*surface)) : std::nullopt;
                for (const GivenColumn& each : columns)
                    result.meshes.push_back(
                        columnOf(each, shape, distances ? &*distances : nullptr, camera));
                if (shape && showTruth) {
                    WebMesh points{.name = "truth",
                                   .mesh = {worldPoints(shape->vertices, camera), {}},
                                   .definesViewAndRange = columns.empty()};
                    if (!result.meshes.empty())
                        setDistancesToMesh(points, result.meshes.back(), kTau);
                    result.meshes.push_back(std::move(points));
                }
                page.colours = withSharedRange(page.colours, page.results);
                return webPageHtml(page);
            });
        },
        nb::arg("title"), nb::arg("sample").none(), nb::arg("camera").none(), nb::arg("columns"),
        nb::arg("truth").none(), nb::arg("surface").none(), nb::arg("show_truth"),
        nb::arg("colour"));
}

}  // namespace threefold::python
