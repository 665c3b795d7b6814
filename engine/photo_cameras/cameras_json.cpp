#include "engine/photo_cameras/cameras_json.h"

#include <optional>
#include <utility>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/sample/posed_photos/cameras_json_fields.h"
#include "engine/utf8.h"
#include "engine/views/pose.h"
#include <fmt/format.h>
#include <glm/matrix.hpp>
#include <nlohmann/json.hpp>

namespace threefold {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// Whether a cameras.json has "made_by": `maker`. False for a file that cannot be read.
bool isMadeBy(const fs::path& file, const std::string& maker) {
    const std::optional<nlohmann::json> fields = camerasJsonFields(file);
    return fields && fields->contains("made_by") && fields->at("made_by") == maker;
}

}  // namespace

fs::path cameraFileFor(std::span<const fs::path> photographs, const std::string& maker,
                       bool overwrite) {
    if (photographs.empty())
        throw InputError(
            {"photographs", "", "there is no photograph", "Name photographs, or their folder."});
    const fs::path folder = photographs.front().parent_path();
    for (const fs::path& photograph : photographs)
        if (photograph.parent_path() != folder)
            throw InputError({photograph.string(), "",
                              fmt::format("is not in {} with the others", folder.string()),
                              "Put photographs of one object into one folder."});
    fs::path file = folder / kCamerasJsonName;
    std::error_code ignored;
    if (fs::is_symlink(file, ignored))
        throw InputError({file.string(), "",
                          "is a symbolic link; cameras are not written through links",
                          "Remove the link, or move it away."});
    if (!overwrite && isFile(file) && !isMadeBy(file, maker))
        throw InputError({file.string(), "",
                          fmt::format("already exists and was not written by '{}'", maker),
                          "Move it away, or replace it (`overwrite`)."});
    requireWritable(file);
    return file;
}

void requireNameInJson(const fs::path& photograph) {
    const std::string name = photograph.filename().string();
    if (!isUtf8(name))
        throw InputError({photograph.string(), "",
                          "has a name that is not UTF-8, which cameras.json cannot hold",
                          "Rename it."});
}

void writeCameras(const CameraSearchResult& result, const std::string& maker, const Json& details,
                  Json views) {
    Json json = {{"made_by", maker},
                 {"convention", "opencv"},
                 {"matrices", "world_to_camera"},
                 {"unit", result.unit}};
    if (result.isUpKnown) json["up"] = {0, 0, 1};
    if (result.objectBox) {
        const glm::dvec3 centre = result.objectBox->centre();
        json["object_centre"] = {centre.x, centre.y, centre.z};
        json["object_size"] = result.objectBox->diagonal();
    }
    json.update(details);
    json["views"] = std::move(views);
    writeFileAtomically(result.cameraFile, json.dump(1) + '\n');
}

Json viewJson(const fs::path& photograph, const Pose& pose, const Lens& lens) {
    const glm::dmat3 rotation = kFlippedAxes * pose.rotation;
    const glm::dvec3 translation = -(rotation * pose.centre);
    Json matrix = Json::array();
    for (int row = 0; row < 3; ++row)
        matrix.push_back({rotation[0][row], rotation[1][row], rotation[2][row], translation[row]});
    matrix.push_back({0, 0, 0, 1});
    return {{"image", photograph.filename().string()},
            {"width", lens.width},
            {"height", lens.height},
            {"intrinsics",
             {{lens.focalX, 0, lens.principalX}, {0, lens.focalY, lens.principalY}, {0, 0, 1}}},
            {"distortion", {lens.k1, lens.k2, 0, 0}},
            {"matrix", std::move(matrix)}};
}

}  // namespace threefold
