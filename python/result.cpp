#include "python/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/views/left_out_view.h"

namespace threefold::python {
namespace {

/// Vertices of a stage; None if the model has no such stage.
auto stageRows(PythonResult& result, std::string_view name) {
    Points empty;
    const auto match = std::ranges::find(result.reconstruction.network.stages, name,
                                         [](const StageMesh& each) { return each.stage.name; });
    return rowsViewOrNone<float>(
        match != result.reconstruction.network.stages.end() ? match->vertices : empty);
}

nb::dict stagesOf(PythonResult& result) {
    nb::dict byName;
    for (StageMesh& each : result.reconstruction.network.stages)
        byName[each.stage.name.c_str()] = nb::cast(
            rowsView<float>(each.vertices), nb::rv_policy::reference_internal, nb::find(result));
    return byName;
}

auto verticesOf(PythonResult& result) {
    return rowsView<float>(result.fitted() ? result.reconstruction.fitted->vertices
                                           : result.reconstruction.network.stages.back().vertices);
}

auto facesOf(PythonResult& result) {
    const Reconstruction& network = result.reconstruction.network;
    return rowsView<const std::uint32_t>(result.fitted() ? result.reconstruction.fitted->faces
                                                         : network.faces(network.result()));
}

using Bits = OutputArray<const float, nb::ndim<1>>;

std::optional<Bits> entropyOf(PythonResult& result) {
    const std::vector<float>& bits =
        result.reconstruction.network.result().channel(kEntropyChannel);
    return bits.empty() ? std::nullopt : std::optional(Bits(bits.data(), {bits.size()}));
}

std::map<std::string, double> timingsOf(const PythonResult& result) {
    std::map<std::string, double> times;
    for (const StepTiming& each : result.reconstruction.network.timings)
        times[std::string(runStepName(each.step))] = each.milliseconds;
    return times;
}

std::optional<std::pair<double, double>> overlapsOf(const PythonResult& result) {
    if (!result.fit) return std::nullopt;
    return std::pair(result.fit->meanOverlapBefore(), result.fit->meanOverlapAfter());
}

std::vector<std::string> notesOf(const PythonResult& result) {
    return result.fit ? remarksOf(result.fit->leftOut, result.fitNotes)
                      : std::vector<std::string>();
}

std::optional<std::string> surfaceOf(const PythonResult& result) {
    if (!result.fitted()) return std::nullopt;
    return std::string(fitSourceName(sourceOf(result.hullFit)));
}

auto hullMeshOf(PythonResult& result) {
    return result.hullFit
               ? std::optional(std::pair(rowsView<float>(result.hullFit->hull.vertices),
                                         rowsView<std::uint32_t>(result.hullFit->hull.faces)))
               : std::nullopt;
}

using DepthMap = OutputArray<float, nb::ndim<2>>;

std::optional<std::map<std::size_t, DepthMap>> depthMapsOf(PythonResult& result) {
    if (!result.hullFit || !result.hullFit->depth) return std::nullopt;
    std::map<std::size_t, DepthMap> maps;
    for (ViewDepthMap& each : result.hullFit->depth->maps) {
        const auto side = static_cast<std::size_t>(each.side);
        maps.emplace(each.view, DepthMap(each.depth.data(), {side, side}));
    }
    return maps;
}

std::optional<double> depthSureOf(const PythonResult& result) {
    if (!result.hullFit || !result.hullFit->depth) return std::nullopt;
    return result.hullFit->depth->sureFraction;
}

}  // namespace

void defineResult(nb::module_& module) {
    nb::list published;
    for (const std::string_view name : kPublishedStageNames) published.append(std::string(name));
    module.attr("PUBLISHED_STAGES") = nb::tuple(published);
    nb::class_<PythonResult>(
        module, "Result",
        "Meshes of one object, in object units, in the first view's camera space; arrays are "
        "views of the result's memory.")
        .def_prop_ro(
            "coarse", [](PythonResult& it) { return stageRows(it, kPublishedStageNames.front()); },
            "Vertices of stage 1, (V, 3) float32; V is 2466 for the bundled model.")
        .def_prop_ro(
            "refined", [](PythonResult& it) { return stageRows(it, kPublishedStageNames.back()); },
            "Vertices of stage 2, (V, 3) float32, as many as of stage 1; None for a model without "
            "stage 2.")
        .def_prop_ro(
            "stages", &stagesOf,
            "Vertices of every mesh of the model by name, (V, 3) float32, in the model's order.")
        .def_prop_ro(
            "fitted",
            [](PythonResult& it) {
                auto& fitted = it.reconstruction.fitted;
                return fitted ? std::optional(rowsView<float>(fitted->vertices)) : std::nullopt;
            },
            "Vertices of the fitted mesh, (V, 3) float32, or None before fit().")
        .def_prop_ro(
            "coarse_faces",
            [](PythonResult& it) {
                const Reconstruction& network = it.reconstruction.network;
                return rowsView<const std::uint32_t>(network.faces(*network.published().front()));
            },
            "Faces of coarse and refined, (F, 3) uint32, counter-clockwise outside; F is 4928 for "
            "the bundled model.")
        .def_prop_ro("vertices", &verticesOf,
                     "Vertices of fitted, else of the model's last stage, (V, 3) float32.")
        .def_prop_ro("faces", &facesOf, "Faces of `vertices`, (F, 3) uint32.")
        .def_prop_ro("entropy", &entropyOf,
                     "Entropy of the last step's weights at each vertex of the network's result, "
                     "(V,) float32, bits, 0 (sure) to 5.43; or None.")
        .def_prop_ro("timings", &timingsOf, "Milliseconds of each run step, by its name.")
        .def_prop_ro(
            "milliseconds",
            [](const PythonResult& it) { return it.reconstruction.network.milliseconds(); },
            "Milliseconds from views to meshes.")
        .def_ro("camera", &PythonResult::camera,
                "Camera of the first view; to_world() transforms the meshes to world space.")
        .def_prop_ro(
            "overlaps", &overlapsOf,
            "Mean overlap of silhouettes with the masks, 0 to 1, before and after fit(); or None.")
        .def_prop_ro("notes", &notesOf,
                     "Remarks of fit(), a sentence each: photographs that were left out, and why.")
        .def_ro("choice", &PythonResult::choiceReason,
                "Surface that fit() chose with surface auto, and why, a sentence; or empty.")
        .def_prop_ro("surface", &surfaceOf,
                     "Surface that fit() started from: network, hull or depth; None before fit().")
        .def_prop_ro("hull", &hullMeshOf,
                     "Vertices and faces of the hull before depths moved it, or None.")
        .def_prop_ro("depth_maps", &depthMapsOf,
                     "Depth maps by view number, (side, side) float32, object units along the "
                     "viewing direction; 0 where other views do not confirm the depth. "
                     "They cover the network's picture of 224×224 pixels. None before fit(), and "
                     "if the fit computed no depth.")
        .def_prop_ro("depth_sure", &depthSureOf,
                     "Fraction of the object's pixels whose depth other views confirm, 0 to 1, or "
                     "None as depth_maps.");
}

}  // namespace threefold::python
