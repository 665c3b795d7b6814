#include "app/options/photo_reports.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/console/output.h"

namespace threefold {

ProgressCallbacks reportsOn(ProgressLine& line) {
    constexpr double kProgressDelaySeconds = 1;
    return {
        [](const std::string& problem) { spdlog::error("{}", problem); },
        [&line](const char* work, std::size_t done, std::size_t count) {
            if (line.seconds() < kProgressDelaySeconds || (count > 0 && !line.isDue())) return;
            line.update(count > 0 ? fmt::format("{}/{} photographs: {}", done, count, work) : work);
        }};
}

void logRemarks(const CameraPhoto& photograph) {
    if (!photograph.problem.empty()) spdlog::error("{}", photograph.problem);
    if (!photograph.maskError.empty()) spdlog::error("{}", photograph.maskError);
    if (!photograph.maskWarning.empty()) spdlog::warn("{}", photograph.maskWarning);
}

void addMaskRemarks(nlohmann::ordered_json& json, const CameraPhoto& photograph) {
    if (!photograph.maskError.empty()) json["maskError"] = photograph.maskError;
    if (!photograph.maskWarning.empty()) json["doubt"] = photograph.maskWarning;
}

std::string sizeText(const Box3d& box) {
    const glm::dvec3 size = box.max - box.min;
    return fmt::format("{:.4g} × {:.4g} × {:.4g}", size.x, size.y, size.z);
}

nlohmann::ordered_json boxJson(const Box3d& box) {
    const auto vector = [](glm::dvec3 v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
    return {{"low", vector(box.min)}, {"high", vector(box.max)}};
}

}  // namespace threefold
