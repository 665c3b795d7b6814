// cameras.sfm and sfm.json of Meshroom (AliceVision), sfm_data.json of OpenMVG: views, their lenses
// and poses apart, linked by numbers. A pose is a rotation, world to camera, axes of OpenCV, and
// the place of the camera. Both count pixels from the middle of the first, as their undistortion of
// pictures and AliceVision's depth maps show.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/sample/posed_photos/camera_formats.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr double kFirstMiddle = 0.5;
constexpr const char* kUndistorted =
    "Undistort the photographs first: Meshroom's node ExportImages or PrepareDenseScene, OpenMVG's "
    "openMVG_main_ExportUndistortedImages.";

/// World to camera, from a rotation and the camera's place.
PoseMatrix poseOf(const Matrix3& rotation, const std::array<double, 3>& centre) {
    PoseMatrix pose{};
    pose[3][3] = 1;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) {
            pose[row][column] = rotation[row][column];
            pose[row][3] -= rotation[row][column] * centre[column];
        }
    return pose;
}

int pixelsIn(const JsonObject& object, const char* key) {
    const double value = object.looseNumber(key);
    if (value != std::floor(value) || value <= 0 || value > 1 << 30)
        object.fail(key, fmt::format("{:g} is not a number of pixels", value));
    return static_cast<int>(value);
}

/// OpenMVG's and AliceVision's distortions, by how many parameters they have: radial, with
/// tangential ones behind.
void setDistortion(Lens& lens, const std::vector<double>& given) {
    double* const order[] = {&lens.k1, &lens.k2, &lens.k3, &lens.p1, &lens.p2};
    for (std::size_t i = 0; i < given.size() && i < std::size(order); ++i) *order[i] = given[i];
}

/// A file's version, as one number that grows.
double versionOf(const JsonObject& root) {
    if (!root.has("version")) return 0;
    double version = 0;
    for (const double part : root.looseNumbers("version", 3, 3)) version = 1000 * version + part;
    return version;
}
constexpr double kOffsets = 1'002'001;       ///< the principal point is an offset
constexpr double kPixelAspects = 1'002'005;  ///< pixelRatio is width ÷ height of a pixel

void setMeshroomFocal(Lens& lens, const JsonObject& from, double version) {
    if (from.has("pxFocalLength")) {
        const bool two = from.isList("pxFocalLength");
        lens.focalX =
            two ? from.looseNumbers("pxFocalLength", 2, 2)[0] : from.looseNumber("pxFocalLength");
        lens.focalY = two ? from.looseNumbers("pxFocalLength", 2, 2)[1] : lens.focalX;
        return;
    }
    const double sensor = from.has("sensorWidth") ? from.looseNumber("sensorWidth") : 36;
    if (!(sensor > 0)) from.fail("sensorWidth", "is not above zero");
    const double ratio = from.has("pixelRatio") ? from.looseNumber("pixelRatio") : 1;
    if (!(ratio > 0)) from.fail("pixelRatio", "is not above zero");
    lens.focalX = from.looseNumber("focalLength") / sensor * lens.width;
    lens.focalY = version < kPixelAspects ? lens.focalX / ratio : lens.focalX * ratio;
}

void setMeshroomDistortion(Lens& lens, const JsonObject& from) {
    constexpr std::size_t kMostParameters = 32;
    const auto listed = [&](const char* key) {
        return from.has(key) ? from.looseNumbers(key, 0, kMostParameters) : std::vector<double>();
    };
    const std::vector<double> given = listed("distortionParams");
    const std::vector<double> undone = listed("undistortionParams");
    const auto isZero = [](double value) { return value == 0; };
    std::string model = lowered(from.label("type"));
    const char* key = "type";
    if (model == "pinhole" && from.has("distortionType")) {
        key = "distortionType";
        model = lowered(from.label("distortionType"));
    }
    const bool none = std::ranges::all_of(given, isZero) && std::ranges::all_of(undone, isZero);
    if (none && (key != std::string_view("type") || model == "pinhole")) return;
    constexpr std::pair<std::string_view, std::size_t> kModels[] = {
        {"radial1", 1}, {"radialk1", 1},        {"pinhole_radial_k1", 1},
        {"radial3", 3}, {"radialk3", 3},        {"pinhole_radial_k3", 3},
        {"brown", 5},   {"pinhole_brown_t2", 5}};
    const auto* const known =
        std::ranges::find(kModels, model, &std::pair<std::string_view, std::size_t>::first);
    if (known == std::end(kModels) || !std::ranges::all_of(undone, isZero))
        from.fail(key, fmt::format("the lens '{}' cannot be undistorted here", model.substr(0, 40)),
                  kUndistorted);
    if (given.size() != known->second)
        from.fail("distortionParams", fmt::format("{} parameters, '{}' has {}", given.size(),
                                                  model.substr(0, 40), known->second));
    setDistortion(lens, given);
}

Lens meshroomLens(const JsonObject& from, double version) {
    Lens lens;
    lens.width = pixelsIn(from, "width");
    lens.height = pixelsIn(from, "height");
    setMeshroomDistortion(lens, from);
    setMeshroomFocal(lens, from, version);
    const std::vector<double> point = from.looseNumbers("principalPoint", 2, 2);
    const bool offset = version >= kOffsets;
    lens.centreX = point[0] + (offset ? lens.width / 2.0 : 0) + kFirstMiddle;
    lens.centreY = point[1] + (offset ? lens.height / 2.0 : 0) + kFirstMiddle;
    checkLens(lens, from.file(), from.place());
    return lens;
}

Camera meshroomCamera(const JsonObject& from) {
    const JsonObject transform = from.object("pose").object("transform");
    const std::vector<double> given = transform.looseNumbers("rotation", 9, 9);
    const std::vector<double> place = transform.looseNumbers("center", 3, 3);
    Matrix3 rotation{};
    for (std::size_t i = 0; i < given.size(); ++i) rotation[i % 3][i / 3] = given[i];
    return cameraOfMatrix(poseOf(rotation, {place[0], place[1], place[2]}), CameraAxes::opencv,
                          MatrixConvention::worldToCamera, from.file().string(), transform.place());
}

/// The entries of `key` by the name that each has; throws FormatError where two have the same.
std::map<std::string, JsonObject> byName(const JsonObject& root, const char* key,
                                         const char* name) {
    std::map<std::string, JsonObject> found;
    if (!root.has(key)) return found;
    for (const JsonObject& each : root.objects(key, kMostPhotos))
        if (!found.emplace(each.label(name), each).second)
            each.fail(name, fmt::format("{} is there already", each.label(name).substr(0, 40)));
    return found;
}

/// Once for each of its views, of which many share one.
class LensTable {
  public:
    template <class Make>
    const Lens& get(const std::string& name, const Make& make) {
        const auto found = lenses_.find(name);
        return found != lenses_.end() ? found->second : lenses_.emplace(name, make()).first->second;
    }

  private:
    std::map<std::string, Lens> lenses_;
};

/// The object of this name that a view names by `key`.
const JsonObject& linked(const std::map<std::string, JsonObject>& all, const JsonObject& view,
                         const char* key, const char* among) {
    const auto found = all.find(view.label(key));
    if (found == all.end())
        view.fail(key, fmt::format("{} is not among the {}", view.label(key).substr(0, 40), among));
    return found->second;
}

void requirePoses(const JsonObject& root, const char* key) {
    if (root.has(key)) return;
    throw FormatError({root.file().string(), key, "is missing: the file has views without cameras",
                       "Give the file that the reconstruction wrote: Meshroom's cameras.sfm of "
                       "StructureFromMotion, OpenMVG's sfm_data.json with extrinsics."});
}

}  // namespace

CameraFile readMeshroom(const JsonObject& root) {
    CameraFile read;
    read.format = "Meshroom";
    requirePoses(root, "poses");
    const double version = versionOf(root);
    const auto lenses = byName(root, "intrinsics", "intrinsicId");
    const auto poses = byName(root, "poses", "poseId");
    LensTable made;
    std::size_t leftOut = 0;
    for (const JsonObject& view : root.objects("views", kMostPhotos)) {
        Photo photo;
        photo.name = view.text("path");
        if (photo.name.empty()) view.fail("path", "is empty");
        const bool posed = view.has("poseId") && poses.contains(view.label("poseId"));
        if (!posed || !view.has("intrinsicId")) {
            ++leftOut;
            continue;
        }
        if (view.has("isPoseIndependant") &&
            (view.label("isPoseIndependant") == "0" || view.label("isPoseIndependant") == "false"))
            view.fail("isPoseIndependant", "the camera is one of a rig, which is not read",
                      "Export the cameras for COLMAP, with Meshroom's node ExportColmap.");
        const JsonObject& lens = linked(lenses, view, "intrinsicId", "intrinsics");
        photo.lens =
            made.get(view.label("intrinsicId"), [&] { return meshroomLens(lens, version); });
        photo.camera = meshroomCamera(poses.at(view.label("poseId")));
        photo.image = findPhotoAround(root.file().parent_path(), photo.name);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, root.file());
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

/// What cereal wrote of a pointer to an object, whatever its class.
JsonObject pointedTo(const JsonObject& entry) {
    return entry.object("value").object("ptr_wrapper").object("data");
}

std::map<std::string, JsonObject> byKey(const JsonObject& root, const char* key) {
    return byName(root, key, "key");
}

Lens openMvgLens(const JsonObject& from) {
    for (const char* key : {"fisheye", "disto_fisheye"})
        if (from.has(key)) from.fail(key, "a fisheye lens cannot be undistorted", kUndistorted);
    if (!from.has("focal_length"))
        from.fail("focal_length", "is missing: a spherical camera is no pinhole",
                  "Cut pinhole pictures out, with openMVG_main_openMVGSpherical2Cubic.");
    Lens lens;
    lens.width = pixelsIn(from, "width");
    lens.height = pixelsIn(from, "height");
    lens.focalX = lens.focalY = from.looseNumber("focal_length");
    const std::vector<double> point = from.looseNumbers("principal_point", 2, 2);
    lens.centreX = point[0] + kFirstMiddle;
    lens.centreY = point[1] + kFirstMiddle;
    constexpr std::pair<const char*, std::size_t> kDistortions[] = {
        {"disto_k1", 1}, {"disto_k3", 3}, {"disto_t2", 5}};
    for (const auto& [key, count] : kDistortions)
        if (from.has(key)) setDistortion(lens, from.looseNumbers(key, count, count));
    checkLens(lens, from.file(), from.place());
    return lens;
}

Camera openMvgCamera(const JsonObject& entry) {
    const JsonObject pose = entry.object("value");
    const std::vector<std::vector<double>> rows = pose.matrix("rotation", 3, 3, 3);
    const std::vector<double> place = pose.numbers("center", 3, 3);
    Matrix3 rotation{};
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(rows[row], rotation[row].begin());
    return cameraOfMatrix(poseOf(rotation, {place[0], place[1], place[2]}), CameraAxes::opencv,
                          MatrixConvention::worldToCamera, entry.file().string(), pose.place());
}

}  // namespace

CameraFile readOpenMvg(const JsonObject& root) {
    CameraFile read;
    read.format = "OpenMVG";
    requirePoses(root, "extrinsics");
    const Path folder = root.file().parent_path();
    const std::string above = root.has("root_path") ? root.text("root_path") : std::string();
    const auto lenses = byKey(root, "intrinsics");
    const auto poses = byKey(root, "extrinsics");
    LensTable made;
    std::size_t leftOut = 0;
    for (const JsonObject& entry : root.objects("views", kMostPhotos)) {
        const JsonObject view = pointedTo(entry);
        Photo photo;
        photo.name = view.text("filename");
        if (photo.name.empty()) view.fail("filename", "is empty");
        if (!poses.contains(view.label("id_pose"))) {
            ++leftOut;
            continue;
        }
        const JsonObject& lens = linked(lenses, view, "id_intrinsic", "intrinsics");
        photo.lens =
            made.get(view.label("id_intrinsic"), [&] { return openMvgLens(pointedTo(lens)); });
        photo.camera = openMvgCamera(poses.at(view.label("id_pose")));
        const std::string local = view.has("local_path") ? view.text("local_path") : "";
        for (const Path& from : {Path(above) / local, folder / local})
            if (photo.image.empty()) photo.image = findPhotoAround(from, photo.name);
        if (photo.image.empty()) photo.image = findPhotoAround(folder, photo.name);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, root.file());
    turnUpright(read, PixelOrder::stored);
    return read;
}

}  // namespace threefold
