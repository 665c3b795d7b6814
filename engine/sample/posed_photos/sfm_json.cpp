// cameras.sfm and sfm.json of Meshroom (AliceVision), sfm_data.json of OpenMVG: views, with lenses
// and poses listed separately, linked by ids. A pose consists of a world-to-camera rotation in
// OpenCV's axes and the camera's centre. In both programs the centre of the first pixel is (0, 0),
// as their undistorted pictures and AliceVision's depth maps show.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/camera_matrices.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr double kPrincipalPointOffset = 0.5;
constexpr const char* kUndistortRemedy =
    "Undistort the photographs first: Meshroom's node ExportImages or PrepareDenseScene, OpenMVG's "
    "openMVG_main_ExportUndistortedImages.";

/// World-to-camera matrix from a rotation and the camera's centre.
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
    const double value = object.numberOrText(key);
    if (value != std::floor(value) || value <= 0 || value > 1 << 30)
        object.fail(key, fmt::format("{:g} is not a number of pixels", value));
    return static_cast<int>(value);
}

/// Sets distortion parameters of OpenMVG or AliceVision: radial, then tangential.
void setDistortion(Lens& lens, const std::vector<double>& coefficients) {
    double* const order[] = {&lens.k1, &lens.k2, &lens.k3, &lens.p1, &lens.p2};
    for (std::size_t i = 0; i < coefficients.size() && i < std::size(order); ++i)
        *order[i] = coefficients[i];
}

/// Version of a file as one increasing number.
double versionOf(const JsonObject& root) {
    if (!root.has("version")) return 0;
    double version = 0;
    for (const double component : root.numbersOrTexts("version", 3, 3))
        version = 1000 * version + component;
    return version;
}
/// First version whose principal point is an offset from the picture's centre.
constexpr double kFirstVersionWithOffsets = 1'002'001;
/// First version whose pixelRatio is width ÷ height of a pixel.
constexpr double kFirstVersionWithPixelAspects = 1'002'005;

void setMeshroomFocal(Lens& lens, const JsonObject& intrinsics, double version) {
    if (intrinsics.has("pxFocalLength")) {
        const bool isPair = intrinsics.isList("pxFocalLength");
        lens.focalX = isPair ? intrinsics.numbersOrTexts("pxFocalLength", 2, 2)[0]
                             : intrinsics.numberOrText("pxFocalLength");
        lens.focalY = isPair ? intrinsics.numbersOrTexts("pxFocalLength", 2, 2)[1] : lens.focalX;
        return;
    }
    const double sensorWidth =
        intrinsics.has("sensorWidth") ? intrinsics.numberOrText("sensorWidth") : 36;
    if (!(sensorWidth > 0)) intrinsics.fail("sensorWidth", "is not above zero");
    const double pixelRatio =
        intrinsics.has("pixelRatio") ? intrinsics.numberOrText("pixelRatio") : 1;
    if (!(pixelRatio > 0)) intrinsics.fail("pixelRatio", "is not above zero");
    lens.focalX = intrinsics.numberOrText("focalLength") / sensorWidth * lens.width;
    lens.focalY = version < kFirstVersionWithPixelAspects ? lens.focalX / pixelRatio
                                                          : lens.focalX * pixelRatio;
}

void setMeshroomDistortion(Lens& lens, const JsonObject& intrinsics) {
    constexpr std::size_t kMaxParameters = 32;
    const auto listed = [&](const char* key) {
        return intrinsics.has(key) ? intrinsics.numbersOrTexts(key, 0, kMaxParameters)
                                   : std::vector<double>();
    };
    const std::vector<double> distortion = listed("distortionParams");
    const std::vector<double> undistortion = listed("undistortionParams");
    const auto isZero = [](double value) { return value == 0; };
    std::string model = lowered(intrinsics.textOrInteger("type"));
    const char* key = "type";
    if (model == "pinhole" && intrinsics.has("distortionType")) {
        key = "distortionType";
        model = lowered(intrinsics.textOrInteger("distortionType"));
    }
    const bool isUndistorted =
        std::ranges::all_of(distortion, isZero) && std::ranges::all_of(undistortion, isZero);
    if (isUndistorted && (key != std::string_view("type") || model == "pinhole")) return;
    constexpr std::pair<std::string_view, std::size_t> kDistortionModels[] = {
        {"radial1", 1}, {"radialk1", 1},        {"pinhole_radial_k1", 1},
        {"radial3", 3}, {"radialk3", 3},        {"pinhole_radial_k3", 3},
        {"brown", 5},   {"pinhole_brown_t2", 5}};
    const auto* const knownModel = std::ranges::find(
        kDistortionModels, model, &std::pair<std::string_view, std::size_t>::first);
    if (knownModel == std::end(kDistortionModels) || !std::ranges::all_of(undistortion, isZero))
        intrinsics.fail(
            key, fmt::format("the lens '{}' cannot be undistorted here", textPrefix(model, 40)),
            kUndistortRemedy);
    if (distortion.size() != knownModel->second)
        intrinsics.fail("distortionParams",
                        fmt::format("has {} parameters; the lens model '{}' needs {}",
                                    distortion.size(), textPrefix(model, 40), knownModel->second));
    setDistortion(lens, distortion);
}

Lens meshroomLens(const JsonObject& intrinsics, double version) {
    Lens lens;
    lens.width = pixelsIn(intrinsics, "width");
    lens.height = pixelsIn(intrinsics, "height");
    setMeshroomDistortion(lens, intrinsics);
    setMeshroomFocal(lens, intrinsics, version);
    const std::vector<double> point = intrinsics.numbersOrTexts("principalPoint", 2, 2);
    const bool isOffset = version >= kFirstVersionWithOffsets;
    lens.principalX = point[0] + (isOffset ? lens.width / 2.0 : 0) + kPrincipalPointOffset;
    lens.principalY = point[1] + (isOffset ? lens.height / 2.0 : 0) + kPrincipalPointOffset;
    requireValidLens(lens, intrinsics.file(), intrinsics.place());
    return lens;
}

Pose meshroomPose(const JsonObject& pose) {
    const JsonObject transform = pose.object("pose").object("transform");
    const std::vector<double> values = transform.numbersOrTexts("rotation", 9, 9);
    const std::vector<double> centre = transform.numbersOrTexts("center", 3, 3);
    Matrix3 rotation{};
    for (std::size_t i = 0; i < values.size(); ++i) rotation[i % 3][i / 3] = values[i];
    return poseOfMatrix(poseOf(rotation, {centre[0], centre[1], centre[2]}), CameraAxes::opencv,
                        MatrixConvention::worldToCamera, pose.file().string(), transform.place())
        .pose;
}

/// Entries of the list `listKey`, keyed by their value of `idKey`. Throws FormatError for
/// duplicates.
std::map<std::string, JsonObject> entriesById(const JsonObject& root, const char* listKey,
                                              const char* idKey) {
    std::map<std::string, JsonObject> entries;
    if (!root.has(listKey)) return entries;
    for (const JsonObject& entry : root.objects(listKey, kMaxPosedPhotos))
        if (!entries.emplace(entry.textOrInteger(idKey), entry).second)
            entry.fail(idKey,
                       fmt::format("{} occurs twice", textPrefix(entry.textOrInteger(idKey), 40)));
    return entries;
}

/// Cache of lenses by id: many views share a lens.
class LensTable {
  public:
    template <class Make>
    const Lens& get(const std::string& id, const Make& make) {
        const auto match = lenses_.find(id);
        return match != lenses_.end() ? match->second : lenses_.emplace(id, make()).first->second;
    }

  private:
    std::map<std::string, Lens> lenses_;
};

/// Object that a view references by `key`.
const JsonObject& linked(const std::map<std::string, JsonObject>& entries, const JsonObject& view,
                         const char* key, const char* among) {
    const auto match = entries.find(view.textOrInteger(key));
    if (match == entries.end())
        view.fail(key, fmt::format("{} is not among the {}",
                                   textPrefix(view.textOrInteger(key), 40), among));
    return match->second;
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
    const auto lenses = entriesById(root, "intrinsics", "intrinsicId");
    const auto poses = entriesById(root, "poses", "poseId");
    LensTable lensTable;
    std::size_t leftOut = 0;
    for (const JsonObject& view : root.objects("views", kMaxPosedPhotos)) {
        Photo photo;
        photo.name = view.text("path");
        if (photo.name.empty()) view.fail("path", "is empty");
        const bool posed = view.has("poseId") && poses.contains(view.textOrInteger("poseId"));
        if (!posed || !view.has("intrinsicId")) {
            ++leftOut;
            continue;
        }
        if (view.has("isPoseIndependant") && (view.textOrInteger("isPoseIndependant") == "0" ||
                                              view.textOrInteger("isPoseIndependant") == "false"))
            view.fail("isPoseIndependant", "the camera is one of a rig, which is not supported",
                      "Export the cameras for COLMAP, with Meshroom's node ExportColmap.");
        const JsonObject& lens = linked(lenses, view, "intrinsicId", "intrinsics");
        photo.lens = lensTable.get(view.textOrInteger("intrinsicId"),
                                   [&] { return meshroomLens(lens, version); });
        photo.pose = meshroomPose(poses.at(view.textOrInteger("poseId")));
        photo.image = findPhotoAround(root.file().parent_path(), photo.name);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, root.file());
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

/// Data of an object that cereal wrote through a pointer.
JsonObject pointedTo(const JsonObject& entry) {
    return entry.object("value").object("ptr_wrapper").object("data");
}

/// Entries of a map that cereal wrote, keyed by their keys.
std::map<std::string, JsonObject> cerealEntries(const JsonObject& root, const char* listKey) {
    return entriesById(root, listKey, "key");
}

Lens openMvgLens(const JsonObject& intrinsics) {
    for (const char* key : {"fisheye", "disto_fisheye"})
        if (intrinsics.has(key))
            intrinsics.fail(key, "a fisheye lens cannot be undistorted", kUndistortRemedy);
    if (!intrinsics.has("focal_length"))
        intrinsics.fail("focal_length", "is missing: a spherical camera is no pinhole",
                        "Cut pinhole pictures out, with openMVG_main_openMVGSpherical2Cubic.");
    Lens lens;
    lens.width = pixelsIn(intrinsics, "width");
    lens.height = pixelsIn(intrinsics, "height");
    lens.focalX = lens.focalY = intrinsics.numberOrText("focal_length");
    const std::vector<double> point = intrinsics.numbersOrTexts("principal_point", 2, 2);
    lens.principalX = point[0] + kPrincipalPointOffset;
    lens.principalY = point[1] + kPrincipalPointOffset;
    constexpr std::pair<const char*, std::size_t> kDistortions[] = {
        {"disto_k1", 1}, {"disto_k3", 3}, {"disto_t2", 5}};
    for (const auto& [key, count] : kDistortions)
        if (intrinsics.has(key)) setDistortion(lens, intrinsics.numbersOrTexts(key, count, count));
    requireValidLens(lens, intrinsics.file(), intrinsics.place());
    return lens;
}

Pose openMvgPose(const JsonObject& entry) {
    const JsonObject pose = entry.object("value");
    const std::vector<std::vector<double>> rows = pose.matrix("rotation", 3, 3, 3);
    const std::vector<double> centre = pose.numbers("center", 3, 3);
    Matrix3 rotation{};
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(rows[row], rotation[row].begin());
    return poseOfMatrix(poseOf(rotation, {centre[0], centre[1], centre[2]}), CameraAxes::opencv,
                        MatrixConvention::worldToCamera, entry.file().string(), pose.place())
        .pose;
}

}  // namespace

CameraFile readOpenMvg(const JsonObject& root) {
    CameraFile read;
    read.format = "OpenMVG";
    requirePoses(root, "extrinsics");
    const Path folder = root.file().parent_path();
    const std::string rootPath = root.has("root_path") ? root.text("root_path") : std::string();
    const auto lenses = cerealEntries(root, "intrinsics");
    const auto poses = cerealEntries(root, "extrinsics");
    LensTable lensTable;
    std::size_t leftOut = 0;
    for (const JsonObject& entry : root.objects("views", kMaxPosedPhotos)) {
        const JsonObject view = pointedTo(entry);
        Photo photo;
        photo.name = view.text("filename");
        if (photo.name.empty()) view.fail("filename", "is empty");
        if (!poses.contains(view.textOrInteger("id_pose"))) {
            ++leftOut;
            continue;
        }
        const JsonObject& lens = linked(lenses, view, "id_intrinsic", "intrinsics");
        photo.lens = lensTable.get(view.textOrInteger("id_intrinsic"),
                                   [&] { return openMvgLens(pointedTo(lens)); });
        photo.pose = openMvgPose(poses.at(view.textOrInteger("id_pose")));
        const std::string local = view.has("local_path") ? view.text("local_path") : "";
        for (const Path& from : {Path(rootPath) / local, folder / local})
            if (photo.image.empty()) photo.image = findPhotoAround(from, photo.name);
        if (photo.image.empty()) photo.image = findPhotoAround(folder, photo.name);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, root.file());
    turnUpright(read, PixelOrder::stored);
    return read;
}

const CameraFormat camera_formats::meshroom{.name = "Meshroom",
                                            .writers = "Meshroom, AliceVision",
                                            .files = {"cameras.sfm"},
                                            .read = readJsonCameras};
const CameraFormat camera_formats::meshroomSfmJson{.name = "Meshroom, sfm.json",
                                                   .writers = "Meshroom, AliceVision",
                                                   .files = {"sfm.json"},
                                                   .read = readJsonCameras};
const CameraFormat camera_formats::openMvg{
    .name = "OpenMVG", .writers = "OpenMVG", .files = {"sfm_data.json"}, .read = readJsonCameras};

}  // namespace threefold
