#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace threefold {

/// Name of the camera file that Threefold writes beside photographs.
inline constexpr const char* kCamerasJsonName = "cameras.json";

/// Reads the fields of a cameras.json except "views", of which ten thousand photographs have more
/// than kMaxJsonBytes. nullopt: the file is not there, cannot be read, or is no JSON object.
std::optional<nlohmann::json> camerasJsonFields(const std::filesystem::path& file);

}  // namespace threefold
