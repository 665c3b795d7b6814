#include "app/options/photo_reports.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/console/output.h"

namespace threefold {

ProgressCallbacks reportsOn(ProgressLine& line) {
    constexpr double kQuick = 1;  // seconds before progress is shown
    return {
        [](const std::string& problem) { spdlog::error("{}", problem); },
        [&line](const char* work, std::size_t done, std::size_t count) {
            if (line.seconds() < kQuick || (count > 0 && !line.isDue())) return;
            line.update(count > 0 ? fmt::format("{}/{} photographs: {}", done, count, work) : work);
        }};
}

}  // namespace threefold
