#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/board/object_box.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/views/foreground.h"

namespace threefold {

/// The cameras.json to write beside the photographs. Throws InputError (none, in several folders,
/// one is there that `maker` did not write, unless `overwrite`), IoError (it cannot be written).
std::filesystem::path camerasFileFor(std::span<const std::filesystem::path> photographs,
                                     const std::string& maker, bool overwrite);

/// The photographs' masks, of at most 640 pixels a side; none for one that is not cut out, or
/// cannot be read: that is told where the view is used.
std::vector<std::optional<Mask>> smallMasks(std::span<const std::filesystem::path> photographs,
                                            const std::stop_token& cancel);

/// cameras.json (docs/OWN_DATA.md) without its "views", and one of these.
nlohmann::ordered_json camerasHead(const std::string& maker, const std::string& unit,
                                   bool upIsKnown, const std::optional<board::ObjectBox>& object);
nlohmann::ordered_json cameraView(const std::filesystem::path& photograph, const Camera& camera,
                                  const Lens& lens);

}  // namespace threefold
