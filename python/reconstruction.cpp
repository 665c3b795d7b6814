#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/masks/masked_views.h"
#include "engine/network/backend.h"
#include "engine/network/service/network_service.h"
#include "engine/network/service/open_devices.h"
#include "engine/resources.h"
#include "engine/sample_steps/fit_sample.h"
#include "engine/views/foreground.h"
#include "engine/views/left_out_view.h"
#include "python/interruptible.h"
#include "python/module.h"
#include "python/numbers.h"
#include "python/result.h"
#include "python/samples.h"

namespace threefold::python {
namespace {

/// The kind of back end with that name; null for "auto". Throws UsageError.
const BackendKind* requestedBackend(const std::string& name) {
    const BackendKind* const kind = backendKindFromName(name);
    if (kind != nullptr || name == "auto") return kind;
    const std::span<const BackendOpener> openers = backendOpeners();
    std::string names = "auto";
    for (const BackendOpener& each : openers)
        names += fmt::format("{}{}", &each == &openers.back() ? " or " : ", ", each.kind.name);
    throw UsageError({"backend", "", "'" + name + "' is unknown", fmt::format("Use {}.", names)});
}

/// Opens the devices of a back end, as `--backend` does; "auto": a GPU if usable, else the
/// processor. Throws as openDevices().
NetworkDevices openNetworkDevices(const std::filesystem::path& model, const std::string& backend,
                                  const std::optional<std::string>& precision, int threads) {
    DeviceSettings settings;
    settings.backend = requestedBackend(backend);
    if (precision) settings.precision = precisionFromName(*precision);
    settings.threads = threads;
    settings.gpu.entropy = true;
    return openDevices(loadModel(model), settings).devices;
}

/// Base class of Python's Reconstructor: a network service that refuses calls in a child of fork().
class ReconstructorBase {
  public:
    explicit ReconstructorBase(NetworkDevices devices)
        : service_(std::make_unique<NetworkService>(std::move(devices))) {}
    ~ReconstructorBase() {
        // The threads that the destructor waits for do not exist in a child of fork().
        if (!isOfThisProcess()) static_cast<void>(service_.release());
    }
    ReconstructorBase(const ReconstructorBase&) = delete;
    ReconstructorBase& operator=(const ReconstructorBase&) = delete;

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
    ::pid_t process_ = ::getpid();  ///< process that started the threads
};

PythonResult reconstruct(ReconstructorBase& reconstructor, const NetworkInput& input,
                         const std::stop_token& cancel) {
    BatchOptions options;
    options.cancel = cancel;
    NetworkResult result =
        reconstructor.service().submit({&input, 1}, Urgency::list, options).collect();
    return {std::move(result.reconstructions.front()), input.cameras.front()};
}

/// Views for fit() and hull(): photographs in the resolution of the sample's files, or the images
/// of a sample in memory.
RepairedViews loadedViewsOf(const PythonSample& sample, const ResolvedFit& resolved,
                            const std::stop_token& cancel) {
    if (sample.source)
        return withRepairedMasks(
            *sample.source,
            std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                *sample.source, viewsToFit(*sample.source, sample.views, resolved.views),
                readViewPhoto, cancel, needsPhotographs(*sample.source, resolved))),
            0, cancel);
    std::vector<MaskedView> photographs;
    for (std::size_t i = 0; i < sample.views.size(); ++i) {
        const Image& image = sample.input.images[i];
        photographs.push_back(
            {sample.views[i], sample.input.cameras[i], foregroundOf(image), "", image});
    }
    return {std::make_shared<const std::vector<MaskedView>>(std::move(photographs)), {}};
}

/// Fits the result to the sample's photographs, as fitSample() does.
void fit(PythonResult& result, const PythonSample& sample, const FitRequest& request,
         const FitOptions& options) {
    const Sample& source = sample.source ? *sample.source : Sample{};
    const ResolvedFit resolved = resolveFit(source, request).value_or(ResolvedFit{});
    RepairedViews loaded = loadedViewsOf(sample, resolved, options.cancel);
    FittedMesh fitted = fitToPhotos({.sample = source,
                                     .fit = resolved,
                                     .referenceCamera = sample.input.cameras.front(),
                                     .photographs = *loaded.views,
                                     .options = options},
                                    result.reconstruction.network);
    result.reconstruction.fitted = std::move(fitted.mesh);
    result.fit = std::move(fitted.result);
    result.fitNotes = std::move(fitted.notes);
    std::ranges::move(loaded.notes, std::back_inserter(result.fitNotes));
    result.hullFit = std::move(fitted.hullFit);
    result.choiceReason = std::move(fitted.choiceReason);
}

HullResult hull(const PythonSample& sample, const HullOptions& options) {
    RepairedViews loaded = loadedViewsOf(sample, {FitViews{FitViews::Kind::all}}, options.cancel);
    HullResult result = visualHull(*loaded.views, options);
    std::ranges::move(loaded.notes, std::back_inserter(result.notes));
    for (glm::vec3& vertex : result.mesh.vertices)
        vertex = glm::vec3(sample.input.cameras.front().toCamera(glm::dvec3(vertex)));
    return result;
}

/// The argument `vertices` of fit() and hull(). Throws UsageError unless it is a whole number
/// within the limits of a fitted mesh.
std::size_t vertexCount(double vertices) {
    requireNumber("vertices", vertices, kMinFitVertices, kMaxFitVertices);
    if (vertices != std::floor(vertices))
        throw UsageError({"vertices", "", fmt::format("{}: expected a whole number", vertices),
                          "Give a number without a fraction."});
    return static_cast<std::size_t>(vertices);
}

/// The argument `views` of fit(). Throws UsageError, which names the argument.
FitRequest fitRequestFromViews(const std::string& views) {
    try {
        return fitRequestFromName(views);
    } catch (const UsageError& error) {
        ErrorReport report = error.report();
        report.subject = "views";
        throw UsageError(report);
    }
}

void defineReconstructor(nb::module_& module) {
    nb::class_<ReconstructorBase>(module, "ReconstructorBase")
        .def("__init__",
             [](ReconstructorBase* self, const std::optional<std::filesystem::path>& model,
                const std::string& backend, const std::optional<std::string>& precision,
                int threads) {
                 requireNumber("threads", threads, 0, kMaxRequestedThreads);
                 new (self) ReconstructorBase(interruptible([&](const std::stop_token&) {
                     const auto file = model ? *model : defaultModelFile();
                     return openNetworkDevices(file, backend, precision, threads);
                 }));
             })
        .def("reconstruct",
             [](ReconstructorBase& self, const PythonSample& sample) {
                 return interruptible([&](const std::stop_token& cancel) {
                     return reconstruct(self, sample.input, cancel);
                 });
             })
        .def_prop_ro("description",
                     [](ReconstructorBase& it) { return it.service().info().description; })
        .def_prop_ro("model_hash",
                     [](ReconstructorBase& it) { return it.service().info().model->hash; });
}

}  // namespace

void defineReconstruction(nb::module_& module) {
    defineResult(module);
    defineReconstructor(module);
    module.attr("DEFAULT_HULL_VERTICES") = HullOptions{}.vertexCount;
    module.def(
        "fit",
        [](PythonResult result, const PythonSample& sample, const std::string& views,
           const std::optional<std::string>& surface, bool colour, std::optional<double> vertices,
           int threads) {
            requireNumber("threads", threads, 0, kMaxRequestedThreads);
            FitRequest fitRequest = fitRequestFromViews(views);
            if (surface) fitRequest.source = fitSourceFromName(*surface);
            if (colour) fitRequest.photometric = true;
            if (vertices) fitRequest.vertices = vertexCount(*vertices);
            FitOptions options;
            options.threads = threads;
            interruptible([&](const std::stop_token& cancel) {
                options.cancel = cancel;
                fit(result, sample, fitRequest, options);
            });
            return result;
        },
        nb::arg("result"), nb::arg("sample"), nb::arg("views"), nb::arg("surface").none(),
        nb::arg("colour"), nb::arg("vertices").none(), nb::arg("threads"));
    module.def("hull", [](const PythonSample& sample, double vertices, int threads) {
        const std::size_t count = vertexCount(vertices);
        requireNumber("threads", threads, 0, kMaxRequestedThreads);
        HullResult result = interruptible([&](const std::stop_token& cancel) {
            return hull(sample, {count, cancel, threads, nullptr});
        });
        return nb::make_tuple(ownedArray<float>(std::move(result.mesh.vertices)),
                              ownedArray<std::uint32_t>(std::move(result.mesh.faces)),
                              remarksOf(result.leftOut, result.notes));
    });
}

}  // namespace threefold::python
