#include "engine/sample/posed_photos/cameras_json_fields.h"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/text/json_object.h"

namespace threefold {

std::optional<nlohmann::json> camerasJsonFields(const std::filesystem::path& file) try {
    if (!isFile(file)) return std::nullopt;
    constexpr std::array<std::string_view, 1> kSkipped{"views"};
    nlohmann::json fields = parseJson(readFile(file, kMaxSkippedJsonBytes), file, "", kSkipped);
    if (!fields.is_object()) return std::nullopt;
    return fields;
} catch (const Error&) {
    return std::nullopt;
}

}  // namespace threefold
