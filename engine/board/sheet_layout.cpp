#include "engine/board/sheet_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "engine/board/board_layout.h"
#include "engine/error.h"
#include "engine/order_statistics.h"
#include "engine/sample/posed_photos/cameras_json_fields.h"

namespace threefold::board {
namespace {

using Json = nlohmann::ordered_json;

glm::dvec2 centreOf(const SquareCorners& corners) {
    return (corners[0] + corners[1] + corners[2] + corners[3]) / 4.0;
}

double sideOf(const SheetMarker& marker) {
    return glm::length(marker.corners[1] - marker.corners[0]);
}

SheetLayout makePrintedBoard() {
    SheetLayout board;
    for (int id = kFirstMarkerId; id < kFirstMarkerId + kMarkerCount; ++id) {
        SheetMarker& marker = board.markers.emplace_back();
        marker.id = id;
        for (std::size_t k = 0; k < 4; ++k)
            marker.corners[k] = *markerCentre(id) + kUnitMarkerCorners[k] * (kMarkerSide / 2);
    }
    const glm::dvec2 paper(216, 298);  // mm, covers A4 and letter
    const glm::dvec2 ring =
        glm::dvec2(kBoardColumns - 1, kBoardRows - 1) * kMarkerPitch + kMarkerSide + 2 * kQuietZone;
    board.paperArea = {-paper / 2.0, paper / 2.0};
    board.printedArea = {-ring / 2.0, ring / 2.0};
    return board;
}

/// Side of the squares of a chessboard with markers in its white squares: the offset, along each
/// axis, from a marker to its diagonal neighbour. 0 if the sheet is no such chessboard.
double chessboardSquareSide(const std::vector<SheetMarker>& markers) {
    constexpr double kTolerance = 0.06;    // of the step
    constexpr double kMinFraction = 0.75;  // markers with a diagonal neighbour, of all markers
    constexpr double kMinSquare = 1.05, kMaxSquare = 3;  // of a marker's side
    std::vector<double> steps;
    for (const SheetMarker& marker : markers) {
        const glm::dvec2 x = (marker.corners[1] - marker.corners[0]) / sideOf(marker);
        const glm::dvec2 y = (marker.corners[3] - marker.corners[0]) / sideOf(marker);
        double nearest = std::numeric_limits<double>::max();
        glm::dvec2 offset(0.0);
        for (const SheetMarker& other : markers) {
            const glm::dvec2 apart = centreOf(other.corners) - centreOf(marker.corners);
            const double distance = glm::length(apart);
            if (&other == &marker || distance >= nearest) continue;
            nearest = distance;
            offset = {std::abs(glm::dot(apart, x)), std::abs(glm::dot(apart, y))};
        }
        const double step = (offset.x + offset.y) / 2;
        if (std::abs(offset.x - offset.y) < kTolerance * step &&
            step > kMinSquare * sideOf(marker) && step < kMaxSquare * sideOf(marker))
            steps.push_back(step);
    }
    if (static_cast<double>(steps.size()) < kMinFraction * static_cast<double>(markers.size()) ||
        steps.size() < 2)
        return 0;
    const double median = upperMedian(steps);
    const auto alike = std::ranges::count_if(
        steps, [&](double step) { return std::abs(step - median) < kTolerance * median; });
    return static_cast<double>(alike) < kMinFraction * static_cast<double>(markers.size()) ? 0
                                                                                           : median;
}

/// Black squares of a chessboard: the four beside the white square of each marker.
std::vector<SquareCorners> squaresBetween(const std::vector<SheetMarker>& markers, double step) {
    std::vector<SquareCorners> squares;
    for (const SheetMarker& marker : markers) {
        const glm::dvec2 x = (marker.corners[1] - marker.corners[0]) / sideOf(marker) * step;
        const glm::dvec2 y = (marker.corners[3] - marker.corners[0]) / sideOf(marker) * step;
        for (const glm::dvec2 offset : {x, -x, y, -y}) {
            const glm::dvec2 centre = centreOf(marker.corners) + offset;
            const bool isKnown = std::ranges::any_of(squares, [&](const SquareCorners& square) {
                return glm::length(centreOf(square) - centre) < step / 2;
            });
            if (isKnown) continue;
            SquareCorners& square = squares.emplace_back();
            for (std::size_t k = 0; k < 4; ++k)
                square[k] =
                    centre + (kUnitMarkerCorners[k].x * x + kUnitMarkerCorners[k].y * y) / 2.0;
        }
    }
    return squares;
}

std::optional<SheetLayout> sheetFromJson(const nlohmann::json& json) {
    constexpr double kMaxCoordinate = 1e9;
    const nlohmann::json& markers = json.at("markers");
    const MarkerFamily& family = markerFamilyFromName(json.at("family").get<std::string>());
    if (!markers.is_array() || markers.size() < 2 ||
        markers.size() > static_cast<std::size_t>(family.idCount))
        return std::nullopt;
    std::vector<SheetMarker> read;
    for (const nlohmann::json& marker : markers) {
        SheetMarker& sheetMarker = read.emplace_back();
        sheetMarker.id = marker.at("id").get<int>();
        if (sheetMarker.id < 0 || sheetMarker.id >= family.idCount) return std::nullopt;
        for (std::size_t k = 0; k < 4; ++k)
            for (int axis = 0; axis < 2; ++axis) {
                const auto value =
                    marker.at("corners").at(k).at(static_cast<std::size_t>(axis)).get<double>();
                if (!(std::abs(value) < kMaxCoordinate)) return std::nullopt;
                sheetMarker.corners[k][axis] = value;
            }
        if (!(sideOf(sheetMarker) > 0)) return std::nullopt;
    }
    return makeSheetLayout(family, std::move(read));
}

}  // namespace

double SheetLayout::meanMarkerSide() const {
    double sum = 0;
    for (const SheetMarker& marker : markers) sum += sideOf(marker);
    return sum / static_cast<double>(std::max<std::size_t>(1, markers.size()));
}

const SheetLayout& printedBoard() {
    static const SheetLayout board = makePrintedBoard();
    return board;
}

SheetLayout makeSheetLayout(const MarkerFamily& family, std::vector<SheetMarker> markers) {
    SheetLayout sheet;
    sheet.family = &family;
    sheet.markers = std::move(markers);
    const double step = chessboardSquareSide(sheet.markers);
    if (step > 0) sheet.blackSquares = squaresBetween(sheet.markers, step);
    Box2d box;
    for (const SheetMarker& marker : sheet.markers) box.include(marker.corners);
    const double rim =
        step > 0 ? (step - sheet.meanMarkerSide()) / 2 : quietZoneWidth(sheet.meanMarkerSide());
    sheet.printedArea = {box.min - rim, box.max + rim};
    sheet.paperArea = sheet.printedArea;
    return sheet;
}

Json sheetJson(const SheetLayout& sheet) {
    Json markers = Json::array();
    for (const SheetMarker& marker : sheet.markers) {
        Json corners = Json::array();
        for (const glm::dvec2& corner : marker.corners) corners.push_back({corner.x, corner.y});
        markers.push_back({{"id", marker.id}, {"corners", std::move(corners)}});
    }
    return {{"family", sheet.family->name}, {"markers", std::move(markers)}};
}

std::optional<SheetLayout> readSheetIn(const std::filesystem::path& folder) try {
    const std::optional<nlohmann::json> fields = camerasJsonFields(folder / kCamerasJsonName);
    if (!fields || !fields->contains("sheet")) return std::nullopt;
    return sheetFromJson(fields->at("sheet"));
} catch (const Error&) {
    return std::nullopt;
} catch (const nlohmann::json::exception&) {
    return std::nullopt;
} catch (const std::filesystem::filesystem_error&) {
    return std::nullopt;
} catch (const std::bad_alloc&) {
    return std::nullopt;
}

}  // namespace threefold::board
