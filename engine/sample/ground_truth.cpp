#include "engine/sample/ground_truth.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/geometry/surface_samples.h"
#include "engine/sample/posed_photos/object_frame.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const char* kRemedy =
    "Give a pickle of an N×6 array (position and normal), alone or as the second element of a "
    "tuple (image, array).";

/// The array of points: the root itself, or the second element of a tuple (image, array).
const Array& pointsArray(const PickleValue& root, const std::string& subject) {
    if (const auto* array = std::get_if<Array>(&root.value)) return *array;
    if (const auto* pair = std::get_if<PickleSequence>(&root.value);
        pair && pair->items.size() == 2)
        if (const auto* array = std::get_if<Array>(&pair->items.back()->value)) return *array;
    throw InputError({subject, "", "is neither an array nor a pair of image and array", kRemedy});
}

GroundTruth truthOfMesh(LoadedMesh mesh) {
    GroundTruth truth;
    truth.source = mesh.source;
    truth.origin = mesh.origin;
    if (const std::string leftOut = leftOutText(mesh); !leftOut.empty())
        truth.notes.push_back(fmt::format("{}: {}", truth.source.string(), leftOut));
    if (mesh.faces.empty()) {
        truth.points = std::move(mesh.vertices);
        truth.normals = std::move(mesh.normals);
        return truth;
    }
    truth.surface = {std::move(mesh.vertices), std::move(mesh.faces)};
    try {
        SurfaceSamples samples = sampleSurface(truth.surface);
        truth.points = std::move(samples.points);
        truth.normals = std::move(samples.normals);
    } catch (const InputError& error) {  // the error does not name the file
        throw InputError(
            {truth.source.string(), "", error.report().problem, error.report().remedy});
    }
    return truth;
}

/// Values as floats; for doubles far from 0, sets `origin` and subtracts it from columns 0 to 2.
std::vector<float> valuesOf(const Array& array, glm::dvec3& origin) {
    std::vector<float> values = array.toFloat();
    if (array.dtype != DType::f64) return values;
    const std::vector<double> wide = array.toDouble();
    const std::size_t width = array.shape[1];
    Box3d box;
    for (std::size_t i = 0; i < wide.size(); i += width) {
        box.include({wide[i], wide[i + 1], wide[i + 2]});
    }
    const auto point = [&](std::size_t row) {
        const double* at = wide.data() + row * width;
        return glm::dvec3(at[0], at[1], at[2]);
    };
    if (array.shape[0] > 0) origin = originFor(box, array.shape[0], point);
    if (origin == glm::dvec3(0.0)) return values;
    for (std::size_t i = 0; i < wide.size(); ++i)
        if (const auto column = static_cast<int>(i % width); column < 3)
            values[i] = static_cast<float>(wide[i] - origin[column]);
    return values;
}

GroundTruth truthOfPickle(std::span<const std::byte> bytes, const std::filesystem::path& file) {
    const std::string subject = file.string();
    const PickleRef root = decodePickle(bytes, file);
    const Array& array = pointsArray(*root, subject);
    if (array.shape.size() != 2 || (array.shape[1] != 3 && array.shape[1] != 6))
        throw InputError({subject, "",
                          fmt::format("holds an array of shape {}, expected [N, 6] or [N, 3]",
                                      shapeText(array.shape)),
                          kRemedy});
    const std::size_t count = array.shape[0];
    const std::size_t width = array.shape[1];
    if (count == 0) throw InputError({subject, "", "holds no points", kRemedy});

    GroundTruth truth;
    truth.source = file;
    const std::vector<float> values = valuesOf(array, truth.origin);
    truth.points.reserve(count);
    if (width == 6) truth.normals.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float* row = values.data() + i * width;
        if (!std::all_of(row, row + width, [](float value) { return std::isfinite(value); }))
            throw InputError({subject, fmt::format("row {}", i), "has a value that is not finite",
                              "Remove the row or repair it."});
        truth.points.emplace_back(row[0], row[1], row[2]);
        if (width == 6) truth.normals.emplace_back(row[3], row[4], row[5]);
    }
    return truth;
}

/// Diagonal of a truth's bounding box.
double diagonalOf(const GroundTruth& truth) {
    const Box3f box =
        boundsOf(truth.surface.vertices.empty() ? truth.points : truth.surface.vertices);
    return glm::distance(glm::dvec3(box.min), glm::dvec3(box.max));
}

/// Scale from a truth's coordinates to object units: kObjectDiagonal if the truth is as large as
/// ShapeNet's own models, else 1.
double scaleToObjectUnits(const GroundTruth& truth) {
    constexpr double kDiagonal = 1;
    constexpr double kTolerance = 0.03;  // sampled points miss the corners of the box
    const bool isShapeNet = std::abs(diagonalOf(truth) - kDiagonal) <= kTolerance;
    return isShapeNet ? kObjectDiagonal : 1;
}

/// Maximum number of views: file names have two digits for the view.
constexpr int kMaxTruthViews = 100;

/// Rank of a format in the search for ground truths, lowest first: arrays come before meshes.
int searchOrderOf(MeshFormat format) {
    switch (format) {
        case MeshFormat::npz:
            return 0;
        case MeshFormat::npy:
            return 1;
        default:
            return 2;
    }
}

/// Extensions of truths, in search order.
const std::vector<std::string>& truthExtensions() {
    static const auto kExtensions = [] {
        std::vector<MeshFormat> formats = meshFormats();
        std::ranges::stable_sort(formats, {}, searchOrderOf);
        std::vector<std::string> found{".dat", ".pkl"};
        for (const MeshFormat format : formats)
            for (const std::string_view extension : infoOf(format).extensions)
                if (!extension.empty()) found.push_back(fmt::format(".{}", extension));
        return found;
    }();
    return kExtensions;
}

/// The first existing file `base` + extension, in search order.
std::optional<Path> withExtension(const Path& base) {
    for (const std::string& extension : truthExtensions()) {
        Path file = base;
        file += extension;
        if (isFile(file)) return file;
    }
    return std::nullopt;
}

/// Throws InputError: no truth; no camera for `firstView`, or for the truth's view if the truth is,
/// or may be, in that view's camera space.
void requireValidTruthViews(const Sample& sample, int firstView) {
    if (!sample.truth)
        throw InputError(
            {sample.folder.string(), "", "no ground truth was found",
             fmt::format(
                 "Put {}.dat into the folder of truths that was named, or into a folder 'gt' "
                 "beside the data set.",
                 sample.name())});
    const auto requireView = [&](const Path& subject, int view) {
        if (view < 0 || static_cast<std::size_t>(view) >= sample.viewCount())
            throw InputError({subject.string(), fmt::format("view {}", view),
                              fmt::format("has no camera: the sample has {} views, counted from 0",
                                          sample.viewCount()),
                              "Choose a view that the sample has."});
    };
    const MeshSpace space =
        sample.truth->space.value_or(sample.photos ? MeshSpace::world : MeshSpace::camera);
    if (space == MeshSpace::camera) requireView(sample.truth->file, sample.truthView);
    requireView(sample.folder, firstView);
}

Pose rowPose(const Sample& sample, int view) {
    return Camera::fromRow(sample.cameraRows[static_cast<std::size_t>(view)]);
}

/// Transform from the space of a truth's file to a view's camera space.
class TruthToCamera {
  public:
    /// `scale`: scaleToObjectUnits() of the truth.
    TruthToCamera(const Sample& sample, MeshSpace space, double scale, int firstView)
        : world_(sample.photoWorld()),
          isPhotoWorld_(sample.photos && space == MeshSpace::world),
          scale_(scale),
          from_(space == MeshSpace::camera ? rowPose(sample, sample.truthView) : Pose{}),
          to_(rowPose(sample, firstView)) {
        // The photographs' world is object space rotated, moved and scaled.
        const glm::dmat3 photoRotation =
            isPhotoWorld_ ? sample.photos->frame.photosToObjectSpace.rotation : glm::dmat3(1.0);
        rotation_ = to_.rotation * glm::transpose(from_.rotation) * photoRotation;
    }

    glm::vec3 point(glm::dvec3 filePoint) const {
        if (isPhotoWorld_) return glm::vec3(to_.toCamera(scale_ * world_.toObject(filePoint)));
        if (scale_ == 1) return glm::vec3(transformBetweenCameras(from_, to_, filePoint));
        return glm::vec3(to_.toCamera(scale_ * from_.toWorld(filePoint)));
    }
    glm::vec3 normal(glm::vec3 fileNormal) const {
        return glm::vec3(rotation_ * glm::dvec3(fileNormal));
    }

  private:
    PhotoWorldTransform world_;
    bool isPhotoWorld_;
    double scale_;
    Pose from_;  // pose of the truth's space; the default for world space
    Pose to_;
    glm::dmat3 rotation_;
};

}  // namespace

GroundTruth decodeGroundTruth(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject,
                              const MeshReadOptions& options) {
    if (looksLikeMeshFile(subject)) return truthOfMesh(decodeMesh(bytes, subject, options));
    if (lowered(subject.extension().string()) == ".dat") return truthOfPickle(bytes, subject);
    try {
        return truthOfPickle(bytes, subject);
    } catch (const NotThisFormat& noPickle) {
        try {
            return truthOfMesh(decodeMesh(bytes, subject, options));
        } catch (const NotThisFormat&) {
            throw noPickle;  // a file with an unknown name is more likely a pickle
        }
    }
}

GroundTruth readGroundTruth(const std::filesystem::path& file, const MeshReadOptions& options) {
    // A glTF may need the files beside it, which only readMesh() reads.
    if (looksLikeMeshFile(file)) return truthOfMesh(readMesh(file, options));
    return decodeGroundTruth(readFile(file, kMaxContentBytes), file, options);
}

GroundTruth loadGroundTruth(const Sample& sample, int firstView) {
    requireValidTruthViews(sample, firstView);
    GroundTruth truth = readGroundTruth(sample.truth->file);
    truth.space = sample.truth->space.value_or(
        sample.photos ? MeshSpace::world : detectSpace(truth.points, truth.origin));
    const double scale = sample.photos ? 1 : scaleToObjectUnits(truth);
    if (scale != 1)
        truth.notes.push_back(
            fmt::format("{}: the bounding box's diagonal is {:.3f}, as that of ShapeNet's own "
                        "models: scaled by {} to object units",
                        truth.source.string(), diagonalOf(truth), kObjectDiagonal));
    const bool hasOrigin = truth.origin != glm::dvec3(0.0);
    if (truth.space == MeshSpace::camera && sample.truthView == firstView && scale == 1 &&
        !hasOrigin)
        return truth;
    const TruthToCamera toCamera(sample, truth.space, scale, firstView);
    for (Points* points : {&truth.points, &truth.surface.vertices})
        for (glm::vec3& point : *points) point = toCamera.point(truth.origin + glm::dvec3(point));
    truth.origin = glm::dvec3(0.0);
    for (glm::vec3& normal : truth.normals) normal = toCamera.normal(normal);
    return truth;
}

void moveOrigin(GroundTruth& truth, glm::dvec3 origin) {
    for (Points* points : {&truth.points, &truth.surface.vertices})
        moveOrigin(*points, truth.origin, origin);
    truth.origin = origin;
}

bool isTruthExtension(const Path& extension) {
    const std::vector<std::string>& extensions = truthExtensions();
    return std::ranges::find(extensions, lowered(extension.string())) != extensions.end();
}

std::optional<MeshSpace> defaultSpaceOfFormat(const Path& file) {
    const std::string extension = lowered(file.extension().string());
    const bool pickle = extension == ".dat" || extension == ".pkl" || extension.empty();
    return pickle ? std::optional(MeshSpace::camera) : std::nullopt;
}

std::optional<TruthFile> findTruthFile(const Path& folder, const std::string& category,
                                       const std::string& id, std::optional<int> view) {
    if (!isFolder(folder)) return std::nullopt;
    const std::string base = category.empty() ? id : category + '_' + id;
    const int first = view.value_or(0);
    const int last = view.value_or(kMaxTruthViews - 1);
    for (const std::string& extension : truthExtensions())
        for (int v = first; v <= last; ++v) {
            Path file = folder / fmt::format("{}_{:02}{}", base, v, extension);
            if (isFile(file)) return TruthFile{std::move(file), v};
        }
    auto file = withExtension(folder / base);
    if (!file) file = findNestedTruth(folder, category, id);
    if (!file) return std::nullopt;
    return TruthFile{std::move(*file), first};
}

std::optional<Path> findNestedTruth(const Path& folder, const std::string& category,
                                    const std::string& id) {
    if (category.empty() || !isFolder(folder / category)) return std::nullopt;
    const Path base = folder / category / id;
    for (const Path& stem : {base, base / "model", base / "models/model_normalized"})
        if (auto file = withExtension(stem)) return file;
    return std::nullopt;
}

std::optional<std::string> truthBaseOf(const Path& file) {
    if (!isTruthExtension(file.extension())) return std::nullopt;
    std::string base = file.stem().string();
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    constexpr std::size_t kViewSuffix = 3;  // "_06"
    if (base.size() > kViewSuffix && base[base.size() - kViewSuffix] == '_' &&
        isDigit(base.back()) && isDigit(base[base.size() - 2]))
        base.resize(base.size() - kViewSuffix);
    return base;
}

void downsampleRandomly(GroundTruth& truth, std::size_t count) {
    const std::size_t total = truth.points.size();
    if (count >= total) return;
    std::mt19937 random(total);  // NOLINT(cert-msc32-c,cert-msc51-cpp): deterministic
    std::size_t keptCount = 0;
    for (std::size_t i = 0; i < total && keptCount < count; ++i) {
        // Keeps the point with probability (still needed) ÷ (still to come).
        if (random() % (total - i) >= count - keptCount) continue;
        truth.points[keptCount] = truth.points[i];
        if (!truth.normals.empty()) truth.normals[keptCount] = truth.normals[i];
        ++keptCount;
    }
    truth.points.resize(keptCount);
    truth.normals.resize(truth.normals.empty() ? 0 : keptCount);
}

}  // namespace threefold
