#include "engine/photo_cameras/board_photos.h"

#include <filesystem>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/board/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Photographs of the ball on the board, and a file that is no picture.
class BoardPhotos : public testing::Test {
  protected:
    BoardPhotos() {
        for (std::size_t i = 0; i < cameras_.size(); ++i) {
            files_.push_back(folder_ / (std::to_string(i) + ".png"));
            writePng(files_.back(), BoardScene::photograph(cameras_[i]));
        }
        files_.push_back(folder_ / "broken.png");
        writeFileAtomically(files_.back(), std::string("no picture"));
    }

    TempFolder folder_;
    std::vector<Pose> cameras_ = BoardScene::cameras(5);
    std::vector<std::filesystem::path> files_;
};

TEST_F(BoardPhotos, givesAllReadablePhotosACamera_whenOneCannotBeRead) {
    BoardCamerasOptions options;
    options.makesMasks = false;
    const BoardCamerasResult result = findBoardCameras(files_, options, {});
    ASSERT_EQ(result.photos.size(), files_.size());
    ASSERT_EQ(result.calibration.cameras.size(), cameras_.size());
    for (const board::CalibratedCamera& camera : result.calibration.cameras)
        EXPECT_LT(glm::distance(camera.pose.centre, cameras_[camera.photoIndex].centre), 10)
            << camera.photoIndex;
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
        EXPECT_THAT(result.photos[i].problem, IsEmpty()) << i;
        EXPECT_GT(result.photos[i].markerCount, 2U) << i;
    }
    EXPECT_THAT(result.photos.back().problem, HasSubstr("broken.png"));
    EXPECT_EQ(result.photos.back().markerCount, 0U);
    EXPECT_EQ(result.unit, "mm");
    EXPECT_EQ(result.cameraFile, folder_ / "cameras.json");
    const nlohmann::json written = nlohmann::json::parse(asText(readFile(result.cameraFile)));
    EXPECT_EQ(written["unit"], "mm");
    EXPECT_EQ(written["views"].size(), cameras_.size());
    EXPECT_TRUE(written["views"][0].contains("markers"));
}

TEST_F(BoardPhotos, haveCamerasInMetres_whenTheseAreAskedFor) {
    BoardCamerasOptions options;
    options.makesMasks = false;
    options.inMetres = true;
    const BoardCamerasResult result = findBoardCameras(files_, options, {});
    EXPECT_EQ(result.unit, "m");
    for (const board::CalibratedCamera& camera : result.calibration.cameras)
        EXPECT_LT(glm::distance(1000.0 * camera.pose.centre, cameras_[camera.photoIndex].centre),
                  10)
            << camera.photoIndex;
}

TEST_F(BoardPhotos, reportTheirProblems_whenThereAreNoCameras) {
    std::vector<std::string> problems;
    BoardCamerasOptions options;
    options.callbacks.onUnreportedProblem = [&](const std::string& problem) {
        problems.push_back(problem);
    };
    const std::vector<std::filesystem::path> broken = {files_.back()};
    EXPECT_THROW(findBoardCameras(broken, options, {}), InputError);
    EXPECT_THAT(problems, testing::ElementsAre(HasSubstr("broken.png")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "cameras.json"));
}

TEST_F(BoardPhotos, haveTheirMarkersCounted) {
    const std::vector<std::size_t> markers = markerCounts(files_, {});
    ASSERT_EQ(markers.size(), files_.size());
    EXPECT_GT(markers.front(), 2U);
    EXPECT_EQ(markers.back(), 0U);
}

}  // namespace
}  // namespace threefold::test
