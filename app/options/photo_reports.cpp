#include "app/options/photo_reports.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/console/output.h"

namespace threefold {
namespace {

double meanValue(const std::vector<double>& values) {
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

}  // namespace

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

std::string turntableText(const TurntableCamerasResult& result) {
    const turntable::TurntableSolution& found = result.solution;
    const auto worst =
        std::ranges::max_element(found.outlineResiduals) - found.outlineResiduals.begin();
    return fmt::format(
        "{}: {} photographs, {}: the object turned {} by {:.4g}°, cameras at an elevation of "
        "{:.1f}°; epipolar tangents differ by {:.2f} pixels in pictures of 640, at most by {:.2f} "
        "({}); {:.1f} % of the masks not covered by their hull\n",
        result.cameraFile.string(), result.photos.size(),
        found.warnings.empty() ? "sure" : "not sure",
        found.objectTurnsClockwise ? "clockwise" : "anticlockwise", result.stepDegrees,
        found.elevation, meanValue(found.outlineResiduals),
        found.outlineResiduals[static_cast<std::size_t>(worst)],
        result.photos[static_cast<std::size_t>(worst)].file.filename().string(),
        100 * meanValue(found.uncoveredFractions));
}

nlohmann::ordered_json turntableJson(const TurntableCamerasResult& result) {
    const turntable::TurntableSolution& found = result.solution;
    nlohmann::ordered_json json = {
        {"cameras", result.cameraFile.string()},
        {"sure", found.warnings.empty()},
        {"doubts", found.warnings},
        {"uncovered", meanValue(found.uncoveredFractions)},
        {"residualPx", meanValue(found.outlineResiduals)},
        {"turnsBy", found.objectTurnsClockwise ? "clockwise" : "anticlockwise"},
        {"stepDegrees", result.stepDegrees},
        {"elevationDegrees", found.elevation}};
    for (std::size_t i = 0; i < result.photos.size(); ++i)
        json["photographs"].push_back({{"photograph", result.photos[i].file.string()},
                                       {"azimuthDegrees", found.azimuths[i]},
                                       {"residualPx", found.outlineResiduals[i]},
                                       {"uncovered", found.uncoveredFractions[i]},
                                       {"doubt", result.photos[i].maskWarning},
                                       {"maskError", result.photos[i].maskError}});
    json["ms"] = result.milliseconds;
    return json;
}

}  // namespace threefold
