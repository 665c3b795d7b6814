#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/photo_cameras/camera_search.h"
#include "engine/views/lens.h"
#include "engine/views/pose.h"

namespace threefold {

/// Path of the cameras.json beside the photographs. Throws InputError (no photograph, photographs
/// in several folders, a symbolic link, or, without `overwrite`, a file that `maker` did not
/// write), IoError (not writable).
std::filesystem::path cameraFileFor(std::span<const std::filesystem::path> photographs,
                                    const std::string& maker, bool overwrite);

/// Throws InputError if the file name is not UTF-8, which JSON requires.
void requireNameInJson(const std::filesystem::path& photograph);

/// Writes `result.cameraFile`, a cameras.json (docs/OWN_DATA.md). `details`: an object with the
/// fields that only `maker` writes; `views`: one viewJson() for each camera. Throws IoError.
void writeCameras(const CameraSearchResult& result, const std::string& maker,
                  const nlohmann::ordered_json& details, nlohmann::ordered_json views);

/// Makes one element of "views" in a cameras.json. `lens` must have neither k3 nor tangential
/// distortion, which are not written.
nlohmann::ordered_json viewJson(const std::filesystem::path& photograph, const Pose& pose,
                                const Lens& lens);

}  // namespace threefold
