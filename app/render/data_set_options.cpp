#include "app/render/data_set_options.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kMaxOptionsBytes = 1 << 20;

nlohmann::ordered_json optionsJson(const RenderRequest& request) {
    const RenderOptions& options = request.options;
    return {{"--views", options.views.count},
            {"--azimuth", request.azimuth},
            {"--elevation", request.elevation},
            {"--distance", request.distance},
            {"--seed", options.views.seed},
            {"--size", options.side},
            {"--points", options.points},
            {"--up", options.conversion.isZUp ? "z" : "y"},
            {"--as-is", options.conversion.keepsCoordinates},
            {"--allow-outside", options.texturesAnywhere}};
}

}  // namespace

std::string optionsText(const RenderRequest& request) {
    return optionsJson(request).dump(2) + '\n';
}

bool mustKeepOptions(const std::filesystem::path& root, const RenderRequest& request) {
    return !request.options.overwrite && pathExists(root / kRenderOptionsName);
}

void requireSameOptions(const std::filesystem::path& root, const RenderRequest& request) {
    if (!mustKeepOptions(root, request)) return;
    const std::filesystem::path file = root / kRenderOptionsName;
    const std::vector<std::byte> bytes = readFile(file, kMaxOptionsBytes);
    const nlohmann::ordered_json before =
        nlohmann::ordered_json::parse(asText(bytes), nullptr, false);
    if (!before.is_object())
        throw FormatError({file.string(), "", "is not what `threefold render` writes there",
                           "Choose another -o, or remove the file."});
    const nlohmann::ordered_json now = optionsJson(request);
    for (const auto& [name, value] : now.items()) {
        // Older versions had no --allow-outside.
        const nlohmann::ordered_json old = before.value(name, nlohmann::ordered_json(false));
        if (old != value)
            throw UsageError({root.string(), "",
                              fmt::format("{} was {} in this data set and is {} now", name,
                                          old.dump(), value.dump()),
                              "Use the same options, another -o, or --overwrite."});
    }
}

}  // namespace threefold
