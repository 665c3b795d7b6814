#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/views/rendering_metadata.h"

namespace threefold {

Description describeMetadata(const std::filesystem::path& file, const InspectOptions&) {
    // Any five numbers a line would do, so the name decides.
    if (file.extension() != ".txt") throw NotThisFormat({file.string(), "", "not named .txt", ""});
    Description description{"rendering metadata", {}, {}};
    int view = 0;
    const std::vector<CameraRow> rows = readRenderingMetadata(file);
    description.facts.emplace_back("views", std::to_string(rows.size()));
    for (const CameraRow& row : rows) {
        description.facts.emplace_back(
            fmt::format("view {:02}", view++),
            fmt::format("azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}", row.azimuth,
                        row.elevation, row.distance));
    }
    return description;
}

}  // namespace threefold
