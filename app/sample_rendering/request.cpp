#include "app/sample_rendering/request.h"

#include <cstdint>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/sample_rendering/sample_folder.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t kLargestFile = 1 << 20;

/// By the names of their options.
Json settingsOf(const RenderRequest& request) {
    const SampleSettings& settings = request.settings;
    return {{"--views", settings.views.count},  {"--azimuth", request.azimuth},
            {"--elevation", request.elevation}, {"--distance", request.distance},
            {"--seed", settings.views.seed},    {"--size", settings.size},
            {"--points", settings.points},      {"--up", request.up},
            {"--as-is", settings.placing.asIs}, {"--allow-outside", settings.texturesAnywhere}};
}

}  // namespace

SettingsFile::SettingsFile(const std::filesystem::path& root, const RenderRequest& request)
    : file_(root / "render.json"), text_(settingsOf(request).dump(2) + '\n') {
    std::error_code error;
    if (request.settings.overwrite || !std::filesystem::exists(file_, error)) return;
    const std::vector<std::byte> bytes = readFile(file_, kLargestFile);
    const Json before = Json::parse(asText(bytes), nullptr, false);
    if (!before.is_object())
        throw FormatError({file_.string(), "", "is not what `threefold render` writes there",
                           "Choose another -o, or remove the file."});
    const Json now = settingsOf(request);
    for (const auto& [name, value] : now.items()) {
        // Older versions had no --allow-outside.
        const Json old = before.value(name, Json(false));
        if (old != value)
            throw UsageError(
                {root.string(), "",
                 fmt::format("{} was {} there, is {} now", name, old.dump(), value.dump()),
                 "Use the same options, another -o, or --overwrite."});
    }
    written_ = true;
}

void SettingsFile::write() {
    if (written_) return;
    writeFileOfDataSet(file_, text_);
    written_ = true;
}

}  // namespace threefold
