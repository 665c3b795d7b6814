#include "python/samples.h"

#include <numeric>
#include <optional>
#include <stop_token>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/mesh.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/data_set.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_rendering/render_in_memory.h"
#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/view_plan.h"
#include "engine/sample_steps/load_sample.h"
#include "python/interruptible.h"
#include "python/module.h"
#include "python/numbers.h"

namespace threefold::python {
namespace {

namespace fs = std::filesystem;

PythonSample loadSample(const fs::path& path, const std::optional<std::vector<int>>& views,
                        const fs::path& imageRoot, const fs::path& truthRoot,
                        const std::stop_token& cancel) {
    auto source = std::make_shared<const Sample>(
        findSample({.location = path, .imageRoot = imageRoot, .truthRoot = truthRoot}));
    LoadedSample loaded = threefold::loadSample(
        source, views ? *views : defaultViews(*source, readNetworkImage, cancel));
    std::vector<std::string> notes;
    if (source->photos) notes = source->photos->frame.notes;
    for (const std::string& note : loaded.truth.notes) notes.push_back(note);
    if (loaded.truthProblem) notes.emplace_back(Error(*loaded.truthProblem).what());
    return {source->name(),          std::move(loaded.views), std::move(loaded.input),
            std::move(loaded.truth), std::move(notes),        source};
}

PythonSample render(const fs::path& file, const std::optional<GivenMesh>& given, std::string name,
                    const RenderOptions& options, const std::stop_token& cancel) {
    requireValidOptions(options);  // throws before the file is read
    TexturedMesh textured;
    if (given) {
        const RelativeMesh relative(*given);
        Mesh mesh = relative.copy();
        requireValidFaces(mesh.vertices.size(), mesh.faces);
        textured.mesh.source = "mesh";
        textured.mesh.vertices = std::move(mesh.vertices);
        textured.mesh.faces = std::move(mesh.faces);
        textured.mesh.origin = relative.origin();
    } else {
        const SourceMesh named = nameMesh(file);
        if (name.empty()) name = named.category + '_' + named.id;
        textured = readTexturedMesh(file, {.cancel = cancel});
    }
    RenderedInMemory rendered = renderInMemory(std::move(textured), name, options, cancel);
    PythonSample sample;
    sample.name = std::move(name);
    sample.views.resize(rendered.input.images.size());
    std::iota(sample.views.begin(), sample.views.end(), 0);
    sample.input = std::move(rendered.input);
    sample.truth.points = std::move(rendered.truth.points);
    sample.truth.normals = std::move(rendered.truth.normals);
    sample.notes = std::move(rendered.unreadable);
    return sample;
}

using GivenImage = InputArray<std::uint8_t, nb::shape<-1, -1, 4>>;

PythonSample sampleFrom(const std::vector<GivenImage>& images, const std::vector<Camera>& cameras) {
    if (images.empty() || images.size() != cameras.size())
        throw InputError({"cameras", "",
                          fmt::format("are {}, for {} images", cameras.size(), images.size()),
                          "Pass a camera for each image, or a sample alone."});
    PythonSample sample;
    for (const GivenImage& given : images) {
        sample.views.push_back(static_cast<int>(sample.views.size()));
        sample.input.images.push_back({static_cast<int>(given.shape(1)),
                                       static_cast<int>(given.shape(0)),
                                       {given.data(), given.data() + given.size()}});
    }
    sample.input.cameras = cameras;
    sample.input.depthOffset = depthOffsetFor(cameras.front());
    return sample;
}

/// Applies Pose::toCamera() or toWorld() to an array.
template <auto Transform>
auto transformed(const Camera& camera, const InputRows<float>& points) {
    const Pose& pose = camera;
    Points to;
    for (const glm::vec3& point : spanOf<glm::vec3>(points))
        to.emplace_back((pose.*Transform)(glm::dvec3(point)));
    return ownedArray<float>(std::move(to));
}

auto centreOf(const Camera& camera) {
    const glm::dvec3 at = camera.centre;
    return ownedArray<double>(std::vector{at.x, at.y, at.z});
}

/// Raises a DeprecationWarning. Throws nb::python_error if Python's filters turn it into an error.
void warnOfEarlierName(const char* text) {
    if (PyErr_WarnEx(PyExc_DeprecationWarning, text, 1) != 0) throw nb::python_error();
}

void defineCamera(nb::module_& module) {
    nb::class_<Camera>(module, "Camera",
                       "A calibrated view: maps a world point p to rotation (p - centre), with x "
                       "right and y up, looking along -z. The object is around the world's origin; "
                       "the focal length of the "
                       "square picture is zoom * 248/224 of its side.")
        .def_static(
            "from_row",
            [](double azimuth, double elevation, double distance) {
                requireNumber("azimuth", azimuth, -kMaxRowDegrees, kMaxRowDegrees);
                requireNumber("elevation", elevation, -kMaxRowDegrees, kMaxRowDegrees);
                requireNumber("distance", distance, kMinRowDistance, kMaxRowDistance);
                return Camera::fromRow({azimuth, elevation, 0, distance});
            },
            nb::arg("azimuth"), nb::arg("elevation"), nb::arg("distance"),
            "Makes a camera from a row of rendering_metadata.txt: degrees, degrees, object units "
            "from the origin. Raises UsageError.")
        .def_prop_ro(
            "rotation",
            [](const Camera& camera) {
                const glm::dmat3 rows = glm::transpose(camera.rotation);
                return ownedArray<double>(std::vector{rows[0], rows[1], rows[2]});
            },
            nb::rv_policy::move,
            "Rotation from world to camera space, (3, 3) float64: the rows are the camera's x, y "
            "and z "
            "axes in world space.")
        .def_prop_ro("centre", &centreOf, nb::rv_policy::move,
                     "Centre of projection, (3,) float64, object units.")
        .def_prop_ro(
            "origin",
            [](const Camera& camera) {
                warnOfEarlierName("Camera.origin is named Camera.centre now");
                return centreOf(camera);
            },
            nb::rv_policy::move, "Earlier name of `centre`; warns.")
        .def_ro("zoom", &Camera::zoom, "Focal length, relative to 248/224 of the picture's side.")
        .def("to_camera", &transformed<&Pose::toCamera>, nb::arg("points"),
             "Transforms points (N, 3) from world to camera space.")
        .def(
            "to_view",
            [](const Camera& camera, const InputRows<float>& points) {
                warnOfEarlierName("Camera.to_view is named Camera.to_camera now");
                return transformed<&Pose::toCamera>(camera, points);
            },
            nb::arg("points"), "Earlier name of `to_camera`; warns.")
        .def("to_world", &transformed<&Pose::toWorld>, nb::arg("points"),
             "Transforms points (N, 3) from camera to world space.");
}

void defineTruth(nb::module_& module) {
    nb::class_<GroundTruth>(module, "Truth", "The true surface, in one view's space.")
        .def_prop_ro(
            "points", [](GroundTruth& truth) { return rowsView<float>(truth.points); },
            "Points of the surface, (N, 3) float32, object units, relative to `origin`.")
        .def_prop_ro(
            "origin",
            [](const GroundTruth& truth) {
                const glm::dvec3 at = truth.origin;
                return nb::make_tuple(at.x, at.y, at.z);
            },
            "Offset that `points` are relative to, (x, y, z) float64: 0, or a corner near points "
            "that lie so far from 0 that float32 would round them.")
        .def_prop_ro(
            "normals", [](GroundTruth& truth) { return rowsViewOrNone<float>(truth.normals); },
            "Unit normals of `points`, (N, 3) float32, or None.")
        .def_prop_ro(
            "surface",
            [](GroundTruth& truth) {
                return truth.surface.faces.empty()
                           ? std::nullopt
                           : std::optional(std::pair(rowsView<float>(truth.surface.vertices),
                                                     rowsView<std::uint32_t>(truth.surface.faces)));
            },
            "Surface that `points` are samples of: vertices (N, 3) float32, relative to `origin`, "
            "and "
            "faces (M, 3) uint32; or None.")
        .def_ro("source", &GroundTruth::source, "File of the truth; empty for a rendered sample.");
}

void defineSample(nb::module_& module) {
    nb::class_<PythonSample>(module, "Sample", "Views of an object, with their cameras.")
        .def(
            "__init__",
            [](PythonSample* self, const std::vector<GivenImage>& images,
               const std::vector<Camera>& cameras) {
                new (self) PythonSample(sampleFrom(images, cameras));
            },
            nb::arg("images"), nb::arg("cameras"),
            "Makes a sample of images, (height, width, 4) uint8, with as many cameras. Raises "
            "InputError.")
        .def_ro("name", &PythonSample::name, "Name of the sample.")
        .def_ro("views", &PythonSample::views,
                "Numbers of the views; meshes are in the first view's space.")
        .def_prop_ro(
            "images",
            [](const PythonSample& sample) {
                std::vector<OutputArray<const std::uint8_t, nb::shape<-1, -1, 4>>> images;
                for (const Image& image : sample.input.images)
                    images.emplace_back(image.rgba.data(),
                                        std::initializer_list<std::size_t>{
                                            static_cast<std::size_t>(image.height),
                                            static_cast<std::size_t>(image.width), 4});
                return images;
            },
            "Images as the network sees them: (height, width, 4) uint8, RGBA.")
        .def_prop_ro(
            "cameras", [](const PythonSample& sample) { return sample.input.cameras; },
            "Cameras of the views.")
        .def_prop_ro(
            "truth",
            [](PythonSample& sample) {
                return sample.truth.points.empty() ? nullptr : &sample.truth;
            },
            nb::sig("def truth(self) -> Truth | None"), "Truth in the first view's space, or None.")
        .def_ro("notes", &PythonSample::notes, "Remarks on the sample, a sentence each.");
}

}  // namespace

RelativeMesh::RelativeMesh(const GivenMesh& given) {
    const auto& [vertices, faces, normals, origin] = given;
    if (faces) given_.faces = spanOf<glm::u32vec3>(*faces);
    if (normals) given_.normals = spanOf<glm::vec3>(*normals);
    if (const auto* wide = std::get_if<InputRows<double>>(&vertices)) {
        RelativePoints relative = relativePoints(spanOf<glm::dvec3>(*wide));
        changed_ = std::move(relative.points);
        origin_ = relative.origin;
        return;
    }
    given_.vertices = spanOf<glm::vec3>(std::get<InputRows<float>>(vertices));
    if (origin)
        origin_ = std::make_from_tuple<glm::dvec3>(*origin);
    else
        moveTo(chooseOrigin(given_.vertices, [this](const glm::dvec3& nearPoints) {
            moveTo(nearPoints);
            return std::span<const glm::vec3>(changed_);
        }));
}

void RelativeMesh::moveTo(const glm::dvec3& origin) {
    if (origin == origin_) return;
    if (changed_.empty()) changed_.assign(given_.vertices.begin(), given_.vertices.end());
    moveOrigin(changed_, std::exchange(origin_, origin), origin);
}

ScoredShape RelativeMesh::shape() const {
    ScoredShape shape = given_;
    if (!changed_.empty()) shape.vertices = changed_;
    return shape;
}

Mesh RelativeMesh::copy() const {
    const ScoredShape now = shape();
    return {{now.vertices.begin(), now.vertices.end()}, {now.faces.begin(), now.faces.end()}};
}

void defineSamples(nb::module_& module) {
    defineCamera(module);
    defineTruth(module);
    defineSample(module);
    const RenderOptions rendering;
    module.attr("DEFAULT_SIDE") = rendering.side;
    module.attr("DEFAULT_POINTS") = rendering.points;
    module.attr("DEFAULT_SEED") = rendering.views.seed;
    module.def(
        "bundled_samples", [] { return bundledSamples(); },
        "Folders of the samples that come with threefold.");
    module.def("read_mesh", [](const fs::path& file) {
        LoadedMesh mesh = interruptible(
            [&](const std::stop_token& cancel) { return readMesh(file, {.cancel = cancel}); });
        const glm::dvec3 origin = mesh.origin;
        return nb::make_tuple(ownedArray<float>(std::move(mesh.vertices)),
                              ownedArrayOrNone<std::uint32_t>(std::move(mesh.faces)),
                              ownedArrayOrNone<float>(std::move(mesh.normals)),
                              nb::make_tuple(origin.x, origin.y, origin.z));
    });
    module.def("read_truth", [](const fs::path& file) {
        return interruptible([&](const std::stop_token& cancel) {
            return readGroundTruth(file, {.cancel = cancel});
        });
    });
    module.def("load_sample", [](const fs::path& path, const std::optional<std::vector<int>>& views,
                                 const fs::path& imageRoot, const fs::path& truthRoot) {
        return interruptible([&](const std::stop_token& cancel) {
            return loadSample(path, views, imageRoot, truthRoot, cancel);
        });
    });
    module.def(
        "render",
        [](const fs::path& file, const std::optional<GivenMesh>& given, const std::string& name,
           bool zUp, bool asIs, std::optional<int> views, std::uint64_t seed, int size,
           std::size_t points, const std::optional<std::string>& azimuth,
           const std::optional<std::string>& elevation,
           const std::optional<std::string>& distance) {
            RenderOptions options;
            options.conversion = {zUp, asIs};
            options.side = size;
            options.points = points;
            if (views) {
                requireNumber("views", *views, kMinPlannedViews, kMaxPlannedViews);
                options.views.count = *views;
            }
            options.views.seed = seed;
            const auto set = [](CameraParameter& values, const std::optional<std::string>& text,
                                const char* what) {
                if (text) values = parseCameraParameter(*text, what);
            };
            set(options.views.azimuth, azimuth, "azimuth");
            set(options.views.elevation, elevation, "elevation");
            set(options.views.distance, distance, "distance");
            return interruptible([&](const std::stop_token& cancel) {
                return render(file, given, name, options, cancel);
            });
        },
        nb::arg("file"), nb::arg("mesh").none(), nb::arg("name"), nb::arg("z_up"), nb::arg("as_is"),
        nb::arg("views").none(), nb::arg("seed"), nb::arg("size"), nb::arg("points"),
        nb::arg("azimuth").none(), nb::arg("elevation").none(), nb::arg("distance").none());
}

}  // namespace threefold::python
