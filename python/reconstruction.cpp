#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/network/backend.h"
#include "engine/network/service/network_service.h"
#include "engine/network/service/open_devices.h"
#include "engine/pipeline/doubtful_masks.h"
#include "engine/pipeline/fit_from_hull.h"
#include "engine/pipeline/fit_reconstruction.h"
#include "engine/pipeline/masked_views.h"
#include "engine/resources.h"
#include "python/interruptible.h"
#include "python/numbers.h"
#include "python/samples.h"

namespace threefold::python {
namespace {

struct Result {
    Reconstruction made;
    Camera camera;  ///< of the first view
    std::optional<FitResult> fit = {};
    std::optional<PhotographSurface> surface = {};  ///< of fit()
    std::string choice = {};                        ///< of fit()

    bool fitted() const { return !made.fitted.empty(); }
};

/// Opens devices as `--backend` does: a GPU if usable, else the processor. Throws as openDevices().
NetworkDevices open(const std::filesystem::path& file, const std::string& backend,
                    const std::optional<std::string>& word, int threads) {
    DeviceRequest request;
    request.backend = backendKindFromName(backend);
    if (request.backend == nullptr && backend != "auto")
        throw UsageError({"backend", "", "'" + backend + "' is none", "Use auto, cpu or cuda."});
    if (word) request.precision = precisionFromName(*word);
    request.threads = threads;
    request.gpu.entropy = true;
    return openDevices(loadModel(file), request).devices;
}

/// State of Reconstructor.
class Network {
  public:
    explicit Network(NetworkDevices devices)
        : service_(std::make_unique<NetworkService>(std::move(devices))) {}
    ~Network() {
        // The threads to wait for are not in a child of fork().
        if (!isOfThisProcess()) static_cast<void>(service_.release());
    }
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// Throws UsageError in a child of fork().
    NetworkService& service() {
        if (!isOfThisProcess())
            throw UsageError({"Reconstructor", "", "was made before fork(), in another process",
                              "Make one in each process, or start them with 'spawn'."});
        return *service_;
    }

  private:
    bool isOfThisProcess() const { return ::getpid() == process_; }

    std::unique_ptr<NetworkService> service_;
    ::pid_t process_ = ::getpid();  ///< process that the threads belong to
};

Result reconstruct(Network& network, const NetworkInput& input, const std::stop_token& cancel) {
    RunOptions options;
    options.cancel = cancel;
    NetworkResult made = network.service().submit({&input, 1}, Urgency::list, options).collect();
    return {std::move(made.meshes.front()), input.cameras.front()};
}

/// Views for fit() and hull(): photographs in the resolution of the sample's files, or the images
/// of a sample in memory.
LoadedViews fitViews(const PythonSample& sample, const ResolvedFit& resolved,
                     const std::stop_token& cancel) {
    if (sample.source)
        return withRepairedMasks(
            *sample.source,
            std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                *sample.source, viewsToFit(*sample.source, sample.views, resolved),
                readViewPhotograph, cancel, needsPhotographs(*sample.source, resolved))),
            0, cancel);
    std::vector<MaskedView> photographs;
    for (std::size_t i = 0; i < sample.views.size(); ++i) {
        const Image& image = sample.input.images[i];
        photographs.push_back(
            {sample.views[i], sample.input.cameras[i], foregroundOf(image), "", image});
    }
    return {std::make_shared<const std::vector<MaskedView>>(std::move(photographs)), {}};
}

/// Runs the fit as fitSample() does.
void fit(Result& result, const PythonSample& sample, const FitRequest& asked,
         SurfaceFitOptions options) {
    const Sample& source = sample.source ? *sample.source : Sample{};
    const ResolvedFit resolved = resolveFit(source, asked).value_or(ResolvedFit{});
    options.colour = resolved.colour;
    options.vertices = resolved.vertices;
    LoadedViews loaded = fitViews(sample, resolved, options.cancel);
    const std::vector<MaskedView>& photographs = *loaded.views;
    const Camera& space = sample.input.cameras.front();
    result.fit = fitReconstruction(result.made, space, photographs, options);
    SurfaceOutcome outcome =
        fitFromHull(result.made, space, photographs, resolved.surface,
                    mayUseDepth(source, resolved.surface), options, nullptr, *result.fit);
    std::ranges::move(loaded.notes, std::back_inserter(result.fit->notes));
    result.surface = std::move(outcome.surface);
    result.choice = std::move(outcome.choice);
}

HullResult hull(const PythonSample& sample, const HullOptions& options) {
    LoadedViews loaded = fitViews(sample, {FitRequest::Kind::all}, options.cancel);
    HullResult carved = visualHull(*loaded.views, options);
    std::ranges::move(loaded.notes, std::back_inserter(carved.notes));
    for (glm::vec3& vertex : carved.mesh.vertices)
        vertex = glm::vec3(sample.input.cameras.front().toView(glm::dvec3(vertex)));
    return carved;
}

/// Vertices of a stage; None if the model has no such stage.
auto stageRows(Result& result, std::string_view name) {
    Points empty;
    const auto match = std::ranges::find(result.made.stages, name,
                                         [](const StageMesh& each) { return each.stage.name; });
    return rowsOrNone<float>(match != result.made.stages.end() ? match->vertices : empty);
}

using DepthMap = OutputArray<float, nb::ndim<2>>;

std::optional<std::map<std::size_t, DepthMap>> depthMaps(Result& result) {
    if (!result.surface || !result.surface->depth) return std::nullopt;
    std::map<std::size_t, DepthMap> maps;
    for (ViewDepths& each : result.surface->depth->maps) {
        const auto side = static_cast<std::size_t>(each.side);
        maps.emplace(each.view, DepthMap(each.depth.data(), {side, side}));
    }
    return maps;
}

void defineResult(nb::module_& module) {
    nb::class_<Result>(module, "Result",
                       "Meshes of one object, object units, in the first view's space; arrays are "
                       "views of the result's memory.")
        .def_prop_ro(
            "coarse", [](Result& it) { return stageRows(it, kPublishedMeshes.front()); },
            "Vertices of stage 1, (2466, 3) float32.")
        .def_prop_ro(
            "refined", [](Result& it) { return stageRows(it, kPublishedMeshes.back()); },
            "Vertices of stage 2, (2466, 3) float32; None of a model without stage 2.")
        .def_prop_ro(
            "stages",
            [](Result& it) {
                nb::dict stages;
                for (StageMesh& each : it.made.stages)
                    stages[each.stage.name.c_str()] =
                        nb::cast(rows<float>(each.vertices), nb::rv_policy::reference_internal,
                                 nb::find(it));
                return stages;
            },
            "Vertices of every mesh of the model by name, (V, 3) float32, in the model's order.")
        .def_prop_ro(
            "fitted", [](Result& it) { return rowsOrNone<float>(it.made.fitted); },
            "Vertices of the fitted mesh, (V, 3) float32, or None before fit().")
        .def_prop_ro(
            "coarse_faces", [](Result& it) { return rows<const std::uint32_t>(it.made.faces()); },
            "Faces of coarse and refined, (4928, 3) uint32, counter-clockwise outside.")
        .def_prop_ro(
            "vertices",
            [](Result& it) {
                return rows<float>(it.fitted() ? it.made.fitted : it.made.stages.back().vertices);
            },
            "Vertices of fitted, else of refined, (V, 3) float32.")
        .def_prop_ro(
            "faces",
            [](Result& it) {
                return rows<const std::uint32_t>(it.fitted() ? it.made.facesOfFitted()
                                                             : it.made.faces());
            },
            "Faces of `vertices`, (F, 3) uint32.")
        .def_prop_ro(
            "entropy",
            [](Result& it) {
                const std::vector<float>& bits = it.made.result().channel(kEntropyChannel);
                using Bits = OutputArray<const float, nb::ndim<1>>;
                return bits.empty() ? std::nullopt
                                    : std::optional(Bits(bits.data(), {bits.size()}));
            },
            "Entropy of the last step's weights, (2466,) float32, bits, 0 (sure) to 5.43; or None.")
        .def_prop_ro(
            "timings",
            [](const Result& it) {
                std::map<std::string, double> times;
                for (const StepTiming& each : it.made.timings)
                    times[std::string(runStepName(each.step))] = each.milliseconds;
                return times;
            },
            "Milliseconds of each run step by name.")
        .def_prop_ro(
            "milliseconds", [](const Result& it) { return it.made.milliseconds(); },
            "Milliseconds from views to meshes.")
        .def_ro("camera", &Result::camera,
                "Camera of the first view; to_world() leads out of the meshes' space.")
        .def_prop_ro(
            "overlaps",
            [](const Result& it) {
                return it.fit ? std::optional(std::pair(it.fit->meanOverlapBefore(),
                                                        it.fit->meanOverlapAfter()))
                              : std::nullopt;
            },
            "Mean overlap of silhouettes with the masks, 0 to 1, before and after fit(); or None.")
        .def_prop_ro(
            "notes",
            [](const Result& it) { return it.fit ? it.fit->notes : std::vector<std::string>(); },
            "Remarks of fit(), a sentence each: photographs that were left out, and why.")
        .def_ro("choice", &Result::choice,
                "Surface that fit() chose with surface auto, and why, a sentence; or empty.")
        .def_prop_ro(
            "surface",
            [](const Result& it) {
                return it.fitted()
                           ? std::optional(std::string(surfaceName(surfaceFrom(it.surface))))
                           : std::nullopt;
            },
            "Surface that `fitted` is made of: network, hull or depth; None before fit().")
        .def_prop_ro(
            "hull",
            [](Result& it) {
                return it.surface
                           ? std::optional(std::pair(rows<float>(it.surface->hull.vertices),
                                                     rows<std::uint32_t>(it.surface->hull.faces)))
                           : std::nullopt;
            },
            "Vertices and faces of the hull before depths moved it, or None.")
        .def_prop_ro("depth_maps", &depthMaps,
                     "Depths by view, (side, side) float32, along the viewing direction, object "
                     "units, where other views agree, else 0; of all that the camera's picture of "
                     "224×224 pixels shows. None before fit(), and without depth.")
        .def_prop_ro(
            "depth_sure",
            [](const Result& it) {
                return it.surface && it.surface->depth ? std::optional(it.surface->depth->sure)
                                                       : std::nullopt;
            },
            "Fraction of the surface with such depths, 0 to 1, or None.");
}

void defineNetwork(nb::module_& module) {
    nb::class_<Network>(module, "Network")
        .def("__init__",
             [](Network* self, const std::optional<std::filesystem::path>& model,
                const std::string& backend, const std::optional<std::string>& precision,
                int threads) {
                 requireNumber("threads", threads, 0, kMaxThreads);
                 new (self) Network(interruptible([&](const std::stop_token&) {
                     const auto file = model ? *model : defaultModelFile();
                     return open(file, backend, precision, threads);
                 }));
             })
        .def("reconstruct",
             [](Network& self, const PythonSample& sample) {
                 return interruptible([&](const std::stop_token& cancel) {
                     return reconstruct(self, sample.input, cancel);
                 });
             })
        .def_prop_ro("description", [](Network& it) { return it.service().info().description; })
        .def_prop_ro("model_hash", [](Network& it) { return it.service().info().model->hash; });
}

}  // namespace

void defineReconstruction(nb::module_& module) {
    defineResult(module);
    defineNetwork(module);
    module.def("fit", [](Result result, const PythonSample& sample, const std::string& views,
                         int threads) {
        requireNumber("threads", threads, 0, kMaxThreads);
        const FitRequest fitRequest = fitRequestFromName(views);
        SurfaceFitOptions options;
        options.threads = threads;
        interruptible([&](const std::stop_token& cancel) {
            options.cancel = cancel;
            fit(result, sample, fitRequest, options);
        });
        return result;
    });
    module.def("hull", [](const PythonSample& sample, double vertices, int threads) {
        requireNumber("vertices", vertices, kMinFitVertices, kMaxFitVertices);
        if (vertices != std::floor(vertices))
            throw UsageError({"vertices", "", fmt::format("{}: expected a whole number", vertices),
                              "Give a number without a fraction."});
        requireNumber("threads", threads, 0, kMaxThreads);
        HullResult made = interruptible([&](const std::stop_token& cancel) {
            return hull(sample, {static_cast<std::size_t>(vertices), cancel, threads, nullptr});
        });
        return nb::make_tuple(owning<float>(std::move(made.mesh.vertices)),
                              owning<std::uint32_t>(std::move(made.mesh.faces)), made.notes);
    });
}

}  // namespace threefold::python
