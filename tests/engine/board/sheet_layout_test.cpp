#include "engine/board/sheet_layout.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/board/board_layout.h"
#include "engine/board/calibration.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/board/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using namespace board;

/// Marker of side `side` around a centre, rotated by `angle` radians.
SheetMarker markerAt(int id, glm::dvec2 centre, double side, double angle) {
    SheetMarker marker{id, {}};
    const glm::dvec2 x(std::cos(angle), std::sin(angle));
    for (std::size_t k = 0; k < 4; ++k)
        marker.corners[k] = centre + side / 2 *
                                         (kUnitMarkerCorners[k].x * x +
                                          kUnitMarkerCorners[k].y * glm::dvec2(-x.y, x.x));
    return marker;
}

/// Markers of side 15 in the white squares (side 20) of a chessboard of 5 × 4 squares.
std::vector<SheetMarker> chessboard(double angle) {
    std::vector<SheetMarker> markers;
    const glm::dvec2 x(std::cos(angle), std::sin(angle));
    for (int row = 0; row < 4; ++row)
        for (int column = row % 2; column < 5; column += 2)
            markers.push_back(markerAt(static_cast<int>(markers.size()),
                                       20.0 * column * x + 20.0 * row * glm::dvec2(-x.y, x.x), 15,
                                       angle));
    return markers;
}

TEST(SheetLayout, hasTheBlackSquaresOfAChessboard) {
    for (const double angle : {0.0, 0.4}) {
        const SheetLayout sheet =
            makeSheetLayout(markerFamilyFromName("4X4_50"), chessboard(angle));
        EXPECT_EQ(sheet.markers.size(), 10U);
        ASSERT_GE(sheet.blackSquares.size(), 10U)
            << "the board's ten black squares; squares around the board are allowed, too";
        for (const SquareCorners& square : sheet.blackSquares) {
            const glm::dvec2 centre = (square[0] + square[2]) / 2.0;
            EXPECT_NEAR(glm::length(square[1] - square[0]), 20, 1e-9);
            for (const SheetMarker& marker : sheet.markers)
                EXPECT_GT(glm::length(centre - (marker.corners[0] + marker.corners[2]) / 2.0), 19);
        }
    }
}

TEST(SheetLayout, isNoChessboard_whenMarkersAreInRows) {
    std::vector<SheetMarker> markers;
    for (int i = 0; i < 12; ++i)
        markers.push_back(markerAt(i, glm::dvec2(20.0 * (i % 4), 20.0 * (i / 4)), 15, 0));
    EXPECT_TRUE(makeSheetLayout(boardFamily(), markers).blackSquares.empty());
    EXPECT_TRUE(makeSheetLayout(boardFamily(), printedBoard().markers).blackSquares.empty());
}

TEST(SheetLayout, isRestored_fromItsFile) {
    const TempFolder folder;
    const SheetLayout sheet = makeSheetLayout(markerFamilyFromName("5X5_100"), chessboard(0.2));
    writeFileAtomically(folder / "cameras.json",
                        nlohmann::ordered_json{{"sheet", sheetJson(sheet)}}.dump());
    const auto read = readSheetIn((folder / "cameras.json").parent_path());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->family->name, "5X5_100");
    ASSERT_EQ(read->markers.size(), sheet.markers.size());
    for (std::size_t i = 0; i < sheet.markers.size(); ++i) {
        EXPECT_EQ(read->markers[i].id, sheet.markers[i].id);
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_EQ(read->markers[i].corners[k], sheet.markers[i].corners[k]);
    }
    EXPECT_EQ(read->blackSquares.size(), sheet.blackSquares.size());
}

TEST(SheetLayout, isEmpty_whenItsFileIsInvalid) {
    const TempFolder folder;
    EXPECT_FALSE(readSheetIn((folder / "cameras.json").parent_path()));
    const std::string corners = R"([[0,0],[1,0],[1,1],[0,1]])";
    const auto sheet = [&](const std::string& family, const std::string& id,
                           const std::string& where) {
        return R"({"sheet":{"family":")" + family + R"(","markers":[{"id":)" + id +
               R"(,"corners":)" + where + R"(},{"id":1,"corners":)" + corners + "}]}}";
    };
    writeFileAtomically(folder / "cameras.json", sheet("4X4_50", "0", corners));
    EXPECT_TRUE(readSheetIn((folder / "cameras.json").parent_path()));
    for (const std::string& text :
         {std::string(), std::string("[]"), std::string(R"({"sheet":[]})"),
          std::string(R"({"sheet":{"family":"4X4_50","markers":[]}})"),
          sheet("9X9_50", "0", corners), sheet("4X4_50", "50", corners),
          sheet("4X4_50", "-1", corners), sheet("4X4_50", "0.5e99", corners),
          sheet("4X4_50", "0", "[[0,0],[1,0],[1,1]]"), sheet("4X4_50", "0", R"("corners")"),
          sheet("4X4_50", "0", "[[0,0],[0,0],[1,1],[0,1]]"),
          sheet("4X4_50", "0", "[[0,0],[1e30,0],[1,1],[0,1]]")}) {
        writeFileAtomically(folder / "cameras.json", text);
        EXPECT_FALSE(readSheetIn((folder / "cameras.json").parent_path())) << text;
    }
}

TEST(SheetLayout, isEmpty_whenItsFileHasMoreMarkersThanTheFamily) {
    const TempFolder folder;
    const SheetLayout sheet =
        makeSheetLayout(markerFamilyFromName("4X4_50"),
                        std::vector<SheetMarker>(51, markerAt(0, glm::dvec2(0), 1, 0)));
    writeFileAtomically(folder / "cameras.json",
                        nlohmann::ordered_json{{"sheet", sheetJson(sheet)}}.dump());
    EXPECT_FALSE(readSheetIn((folder / "cameras.json").parent_path()));
}

TEST(SheetLayout, isMeasured_despiteATextureThatResemblesAMarker) {
    const std::vector<Pose> cameras = BoardScene::cameras(6);
    std::vector<MarkedPhoto> seen;
    for (const Pose& camera : cameras) {
        MarkedPhoto& each = seen.emplace_back();
        each.size = {BoardScene::kWidth, BoardScene::kHeight};
        each.focalLength35mm = 26;
        for (int id = kFirstMarkerId; id < kFirstMarkerId + kMarkerCount;
             ++id) {  // the printed board's ids
            Marker& marker = each.markers.emplace_back();
            marker.id = id;
            for (std::size_t k = 0; k < 4; ++k)
                marker.corners[k] = BoardScene::pixelOf(
                    camera,
                    glm::dvec3(*markerCentre(id) + kUnitMarkerCorners[k] * (kMarkerSide / 2), 0));
        }
    }
    for (std::size_t i : {0U, 1U, 2U})  // at a different position in each photograph
        seen[i].markers.push_back({7,
                                   {{{20.0 + 90 * i, 60},
                                     {60.0 + 90 * i, 60.0 + 20 * i},
                                     {60.0 + 70 * i, 25},
                                     {20.0 + 90 * i, 20}}}});
    const Calibration made = calibrate(seen, markerFamilyFromName("6X6_1000"), kMarkerSide);
    ASSERT_EQ(made.cameras.size(), cameras.size());
    EXPECT_FALSE(made.hasPrintedBoard) << "the ids are those of the board, the family is not";
    ASSERT_TRUE(made.sheet);
    EXPECT_TRUE(made.isUpKnown);
    EXPECT_EQ(made.sheet->family->name, "6X6_1000");
    ASSERT_EQ(made.sheet->markers.size(), static_cast<std::size_t>(kMarkerCount));
    const auto centre = [](const SheetMarker& marker) {
        return (marker.corners[0] + marker.corners[2]) / 2.0;
    };
    for (const SheetMarker& one : made.sheet->markers)
        EXPECT_NEAR(glm::length(centre(one) - centre(made.sheet->markers[0])),
                    glm::length(*markerCentre(one.id) - *markerCentre(kFirstMarkerId)), 0.5);
}

}  // namespace
}  // namespace threefold::test
