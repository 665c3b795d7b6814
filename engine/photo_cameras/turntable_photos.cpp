#include "engine/photo_cameras/turntable_photos.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/photo_cameras/camera_candidate.h"
#include "engine/photo_cameras/cameras_json.h"
#include "engine/photo_cameras/photo_masks.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kTurntableMaker = "threefold turntable";

/// Size and EXIF of the photographs that can be read.
struct PhotoInfos {
    std::vector<std::optional<ImageInfo>> infos;  ///< one for each photograph; nullopt: unreadable
    std::exception_ptr failure;                   ///< error of the first unreadable photograph
    /// Focal length of the first photograph that states one, mm, 35 mm equivalent.
    std::optional<double> focalLength35mm;
};

PhotoInfos infosOf(std::span<const CameraPhoto> photographs) {
    PhotoInfos result;
    for (const CameraPhoto& photograph : photographs) {
        std::optional<ImageInfo>& info = result.infos.emplace_back();
        try {
            info = readImageInfo(photograph.file);
            if (!result.focalLength35mm) result.focalLength35mm = info->exif.focalLength35mm;
        } catch (const Error&) {
            if (!result.failure) result.failure = std::current_exception();
        }
    }
    return result;
}

Lens lensOf(const ImageInfo& info, std::optional<double> focalLength35mm) {
    const ImageSize size = info.size();
    Lens lens;
    lens.width = size.width;
    lens.height = size.height;
    lens.principalX = size.width / 2.0;
    lens.principalY = size.height / 2.0;
    lens.focalX = lens.focalY = focalLengthPixels(size, focalLength35mm);
    return lens;
}

/// Views with masks and lenses, but without poses. An unreadable photograph gets the size of the
/// first readable one and an empty mask, since the turn determines its camera, too. Throws the
/// first photograph's error if none can be read.
std::vector<PosedMask> masksWithLenses(std::vector<std::optional<Mask>> masks,
                                       const PhotoInfos& photographs,
                                       std::optional<double> focalLength35mm) {
    const auto& infos = photographs.infos;
    const auto firstRead = std::ranges::find_if(infos, &std::optional<ImageInfo>::has_value);
    if (firstRead == infos.end()) std::rethrow_exception(photographs.failure);
    std::vector<PosedMask> views;
    for (std::size_t i = 0; i < masks.size(); ++i) {
        views.push_back(
            {{}, lensOf(infos[i] ? *infos[i] : **firstRead, focalLength35mm), {1, 1, {0}}});
        if (masks[i]) views.back().mask = *std::move(masks[i]);
    }
    return views;
}

/// Whether there are at least two masks and all are the same to the pixel, so that they show no
/// rotation.
bool areAllEqual(std::span<const PosedMask> views) {
    const auto isLikeFirst = [&](const PosedMask& view) {
        const Mask& first = views.front().mask;
        return view.mask.width == first.width && view.mask.height == first.height &&
               view.mask.inside == first.inside;
    };
    return views.size() > 1 && std::ranges::all_of(views, isLikeFirst);
}

/// Whether two files are equal to the byte; false if one of them is unreadable.
bool areEqualFiles(const fs::path& one, const fs::path& other) {
    try {
        return readFile(one, kMaxContentBytes) == readFile(other, kMaxContentBytes);
    } catch (const Error&) {
        return false;
    }
}

/// Warning that some photographs are copies of others (equal to the byte); empty if there are none.
/// Throws Cancelled.
std::string copiesWarning(std::span<const CameraPhoto> photographs, const std::stop_token& cancel) {
    std::map<std::uintmax_t, std::vector<fs::path>> bySize;  // files of different content
    std::size_t count = 0;
    fs::path one;
    fs::path other;
    for (const CameraPhoto& photograph : photographs) {
        std::error_code error;
        const std::uintmax_t size = fs::file_size(photograph.file, error);
        if (error || size > kMaxContentBytes) continue;
        std::vector<fs::path>& known = bySize[size];
        const auto same = std::ranges::find_if(known, [&](const fs::path& file) {
            if (cancel.stop_requested()) throw Cancelled();
            return areEqualFiles(file, photograph.file);
        });
        if (same == known.end()) {
            known.push_back(photograph.file);
            continue;
        }
        if (++count > 1) continue;
        one = *same;
        other = photograph.file;
    }
    if (count == 0) return {};
    return fmt::format(
        "{} of {} photographs are copies of another one ({} of {}): the "
        "object did not turn between them. Remove the copies.",
        count, photographs.size(), other.filename().string(), one.filename().string());
}

}  // namespace

TurntableCamerasResult turntableCamerasByMasks(std::vector<CameraPhoto> photographs,
                                               std::vector<std::optional<Mask>> masks,
                                               const TurntableCamerasOptions& options,
                                               const std::stop_token& cancel) {
    constexpr double kGivenFocalSigma = 0.04, kGuessFocalSigma = 0.25;
    TurntableCamerasResult result;
    result.photos = std::move(photographs);
    const PhotoInfos infos = infosOf(result.photos);
    const std::optional<double> focalLength35mm =
        options.focalLength35mm ? options.focalLength35mm : infos.focalLength35mm;
    const std::vector<PosedMask> views = masksWithLenses(std::move(masks), infos, focalLength35mm);
    turntable::TurntableOptions motion{options.objectTurnsClockwise, options.stepDegrees,
                                       focalLength35mm ? kGivenFocalSigma : kGuessFocalSigma};
    result.stepDegrees = motion.stepDegrees.value_or(360.0 / static_cast<double>(views.size()));
    std::string copies = copiesWarning(result.photos, cancel);
    options.callbacks.report("finding cameras", 0, 0);
    try {
        result.solution = turntable::findTurntable(views, motion, cancel);
    } catch (const InputError&) {
        for (const CameraPhoto& photo : result.photos)
            options.callbacks.reportProblem(photo.maskError);
        throw;
    }
    if (areAllEqual(views))
        result.solution.warnings.insert(
            result.solution.warnings.begin(),
            "All masks are the same to the pixel: nothing shows that the object turned.");
    if (!copies.empty())
        result.solution.warnings.insert(result.solution.warnings.begin(), std::move(copies));
    result.objectBox = result.solution.objectBox;
    return result;
}

void writeTurntableCameras(const TurntableCamerasResult& result, const std::string& maker) {
    Json views = Json::array();
    for (std::size_t i = 0; i < result.photos.size(); ++i) {
        const PosedMask& view = result.solution.views[i];
        views.push_back(viewJson(result.photos[i].file, view.pose, view.lens));
    }
    const std::vector<std::string>& warnings = result.solution.warnings;
    Json details = {{"method", nameOf(CameraMethod::turntable)}, {"sure", warnings.empty()}};
    if (!warnings.empty()) details["doubts"] = warnings;
    writeCameras(result, maker, details, std::move(views));
}

TurntableCamerasResult findTurntableCameras(std::span<const fs::path> photographs,
                                            const TurntableCamerasOptions& options,
                                            const std::stop_token& cancel) {
    const Stopwatch watch;
    fs::path file = cameraFileFor(photographs, kTurntableMaker, options.overwrite);
    for (const fs::path& photograph : photographs) requireNameInJson(photograph);
    std::vector<CameraPhoto> sorted = sortedByName<CameraPhoto>(photographs);
    std::vector<CameraPhoto*> photos;
    for (CameraPhoto& photo : sorted) photos.push_back(&photo);
    cutOutMissingMasks(photos, nullptr, options.callbacks, cancel);
    std::vector<std::optional<Mask>> masks = readObjectMasks(photos, cancel);
    TurntableCamerasResult result =
        turntableCamerasByMasks(std::move(sorted), std::move(masks), options, cancel);
    result.cameraFile = std::move(file);
    writeTurntableCameras(result, kTurntableMaker);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
