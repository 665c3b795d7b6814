#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/silhouettes/object_box.h"
#include "engine/views/camera.h"
#include "engine/views/lens.h"

namespace threefold {

/// Path of the cameras.json beside the photographs. Throws InputError (no photograph, photographs
/// in several folders, a symbolic link, or, without `overwrite`, a file that `maker` did not
/// write), IoError (not writable).
std::filesystem::path camerasFileFor(std::span<const std::filesystem::path> photographs,
                                     const std::string& maker, bool overwrite);

/// Throws InputError if the file name is not UTF-8, which JSON requires.
void requireNameInJson(const std::filesystem::path& photograph);

/// Contents of cameras.json (docs/OWN_DATA.md) without "views"; cameraView() makes one view. `lens`
/// has neither k3 nor tangential distortion, which no calibration here solves for.
nlohmann::ordered_json camerasHead(const std::string& maker, const std::string& unit,
                                   bool isUpKnown, const std::optional<Box3d>& object);
nlohmann::ordered_json cameraView(const std::filesystem::path& photograph, const Camera& camera,
                                  const Lens& lens);

}  // namespace threefold
