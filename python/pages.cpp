#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

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

/// Colouring that show() offers.
struct PageColouring {
    const char* name;
    WebColouring colouring;
};
constexpr PageColouring kColourings[] = {{"distance", WebColouring::values},
                                         {"plain", WebColouring::plain},
                                         {"normals", WebColouring::normals}};

/// The colouring with that name. Throws std::out_of_range if there is none.
WebColouring colouringOf(std::string_view name) {
    for (const PageColouring& each : kColourings)
        if (each.name == name) return each.colouring;
    throw std::out_of_range("no colouring has that name");
}

/// Converts a sample's views to photographs of a page.
std::vector<WebPhoto> photographsOf(const PythonSample& sample) {
    std::vector<WebPhoto> photographs;
    for (std::size_t i = 0; i < sample.views.size(); ++i)
        photographs.push_back({fmt::format("view {}", sample.views[i]), sample.input.images[i],
                               sample.input.cameras[i]});
    return photographs;
}

/// Truth of a page, with its distances.
struct PageTruth {
    const GroundTruth& truth;
    TruthDistances distances{truth};

    ScoredShape points() const { return {truth.points, {}, truth.normals}; }
};

/// Converts a column; adds its measures and distances to the truth unless `truth` is null. Throws
/// InputError.
WebMesh columnOf(const GivenColumn& given, const glm::dvec3& origin, const PageTruth* truth,
                 const Camera& camera) {
    const auto& [name, givenMesh, definesViewAndRange] = given;
    RelativeMesh mesh(givenMesh);
    mesh.moveTo(origin);
    const ScoredShape shape = mesh.shape();
    WebMesh column{
        .name = name,
        .mesh = {worldPoints(shape.vertices, camera), {shape.faces.begin(), shape.faces.end()}},
        .definesViewAndRange = definesViewAndRange};
    if (truth == nullptr) return column;
    if (truth->distances.areFromSurface() && !std::ranges::all_of(shape.vertices, isFinite))
        throw InputError({name, "", "has a coordinate that is not finite", "Repair it."});
    column.values = truth->distances.distancesOf(shape.vertices);
    const Scores scores = score(shape, truth->points(), {});
    std::optional<Scores> surface;
    if (!shape.faces.empty())
        surface = score(shape, truth->points(), {.protocol = Protocol::surface});
    column.numbers =
        webNumbers({.truthScores = &scores, .surfaceScores = surface ? &*surface : nullptr});
    return column;
}

/// Origin of a page's meshes: that of the truth; 0 in the space of a camera, whose photographs show
/// the meshes; otherwise that of the last column.
glm::dvec3 originOf(const std::vector<GivenColumn>& columns, const GroundTruth* truth,
                    const Camera* camera) {
    if (truth != nullptr) return truth->origin;
    if (camera != nullptr || columns.empty()) return glm::dvec3(0.0);
    return RelativeMesh(std::get<GivenMesh>(columns.back())).origin();
}

}  // namespace

void definePages(nb::module_& module) {
    nb::list colourings;
    for (const PageColouring& each : kColourings) colourings.append(each.name);
    module.attr("COLOURINGS") = nb::tuple(colourings);
    module.def(
        "page",
        [](const std::string& title, const PythonSample* sample, const Camera* given,
           const std::vector<GivenColumn>& columns, const GroundTruth* givenTruth, bool showTruth,
           const std::string& colour) {
            WebPage page{.title = title, .measures = webMeasures()};
            page.colours.initialColouring = colouringOf(colour);
            const Camera camera = given != nullptr ? *given : Camera();  // no camera: world space
            return interruptible([&](const std::stop_token&) {
                WebResult& result = page.results.emplace_back();
                result.name = title;
                if (sample != nullptr) result.photographs = photographsOf(*sample);
                std::optional<PageTruth> truth;
                if (givenTruth != nullptr) truth.emplace(PageTruth{*givenTruth});
                const glm::dvec3 origin = originOf(columns, givenTruth, given);
                for (const GivenColumn& each : columns)
                    result.meshes.push_back(
                        columnOf(each, origin, truth ? &*truth : nullptr, camera));
                if (truth && showTruth) {
                    WebMesh points{.name = "truth",
                                   .mesh = {worldPoints(givenTruth->points, camera), {}},
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
        nb::arg("truth").none(), nb::arg("show_truth"), nb::arg("colour"));
}

}  // namespace threefold::python
