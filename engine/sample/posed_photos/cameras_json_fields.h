#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace threefold {

/// Name of the camera file that Threefold writes beside photographs.
inline constexpr const char* kCamerasJsonName = "cameras.json";

/// Reads all fields of a cameras.json except "views", whose size grows with the number of
/// photographs: the views of ten thousand photographs take more than kMaxJsonBytes. Returns nullopt
/// if the file is missing, cannot be read, or is no JSON object.
std::optional<nlohmann::json> camerasJsonFields(const std::filesystem::path& file);

}  // namespace threefold
