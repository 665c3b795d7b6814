#include "engine/sample/posed_photos/object_frame.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using nlohmann::json;
using test::messageOf;
using test::TempFolder;
using testing::HasSubstr;

PosedPhotos readScene(const std::function<void(json&)>& change, const ObjectPlacement& given = {},
                      int views = 3) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path(), views);
    change(scene);
    test::writeJson(folder / "transforms.json", scene);
    return readPosedPhotos(folder / "transforms.json", given);
}

std::string refusal(const std::function<void(json&)>& spoil, const ObjectPlacement& given = {}) {
    return messageOf<InputError>([&] { readScene(spoil, given); });
}

/// Overwrites the photographs with plain grey, so that no mask can be found.
void hideMasks(const std::filesystem::path& folder) {
    Image grey{100, 100, std::vector<std::uint8_t>(40'000, 90)};
    for (std::size_t i = 3; i < grey.rgba.size(); i += 4) grey.rgba[i] = 255;
    for (int view = 0; view < 3; ++view)
        writePng(folder / "images" / (std::to_string(view) + ".png"), grey);
}

void turnFrame(json& frame, const glm::dmat3& turn) {
    json& m = frame["transform_matrix"];
    glm::dmat3 old(0.0);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            old[static_cast<int>(column)][static_cast<int>(row)] = m[row][column];
    const glm::dmat3 now = old * turn;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            m[row][column] = now[static_cast<int>(column)][static_cast<int>(row)];
}

void moveFrame(json& frame, double x, double y, double z) {
    json& m = frame["transform_matrix"];
    m[0][3] = m[0][3].get<double>() + x;
    m[1][3] = m[1][3].get<double>() + y;
    m[2][3] = m[2][3].get<double>() + z;
}

TEST(ObjectFrame, derivesCentreSizeAndUpFromThePictures_byDefault) {
    const ObjectFrame frame = readScene([](json&) {}).frame;
    EXPECT_LT(glm::length(*frame.placement.centre), 1e-3);
    // The box of a disc of diameter 0.7 has the diagonal 0.99.
    EXPECT_NEAR(*frame.placement.size, 0.99, 0.03);
    EXPECT_LT(glm::length(*frame.placement.up - glm::dvec3(0, 0, 1)), 1e-9);
    ASSERT_THAT(frame.notes, testing::SizeIs(3));
    EXPECT_THAT(frame.notes[1],
                HasSubstr("centre (0, 0, 0) is where the 3 rays through the centres"));
    EXPECT_THAT(frame.notes[0], HasSubstr("Up is (0, 0, 1)"));
    EXPECT_THAT(frame.notes[2], HasSubstr("the masks of 3 photographs"));
}

TEST(ObjectFrame, isUpright_whenPhotographsAreTurnedSideways) {
    const auto lay = [](json& scene) {
        int view = 0;
        for (json& frame : scene["frames"])
            turnFrame(frame, test::turnAbout({0, 0, 1},
                                             (view++ % 3 == 0 ? -1 : 1) * std::numbers::pi / 2));
    };
    const ObjectFrame frame = readScene(lay, {}, 9).frame;
    EXPECT_LT(glm::length(*frame.placement.up - glm::dvec3(0, 0, 1)), 1e-9);
    EXPECT_THAT(frame.notes[0], HasSubstr("lie on their side"));
}

TEST(ObjectFrame, turnsAndMovesTheWorld_whenItsOriginIsElsewhere) {
    const ObjectFrame frame = readScene([](json& scene) {
                                  for (json& f : scene["frames"]) moveFrame(f, 5, 0, 1);
                              }).frame;
    EXPECT_LT(glm::length(*frame.placement.centre - glm::dvec3(5, 0, 1)), 1e-3);
    const glm::dvec3 object = frame.photosToObjectSpace.apply({5, 0, 1.5});
    EXPECT_GT(object.y, 0);  // y is up
    EXPECT_LT(std::hypot(object.x, object.z), 1e-3);
    EXPECT_LT(glm::length(frame.photosToObjectSpace.applyInverse(object) - glm::dvec3(5, 0, 1.5)),
              1e-12);
}

TEST(ObjectFrame, measuresCentreAndSize_whenSixMasksOrMoreBoundTheObject) {
    // Discs of the same size from all sides are those of a ball of radius 0.35, whose box has the
    // diagonal 1.21.
    const ObjectFrame frame = readScene([](json&) {}, {}, 8).frame;
    EXPECT_LT(glm::length(*frame.placement.centre), 0.1);
    EXPECT_NEAR(*frame.placement.size, 1.21, 0.1);
    EXPECT_THAT(frame.notes[1], HasSubstr("box around the visual hull of 8 masks"));
    EXPECT_THAT(frame.notes[2], HasSubstr("box around the visual hull of 8 masks"));
}

TEST(ObjectFrame, findsTheCentreInTheMasks_whenCamerasLookPastIt) {
    // Moves the disc upwards in each photograph, so that the object lies beside the optical axes.
    const TempFolder folder;
    test::writeDiscScene(folder.path(), 4);
    constexpr int kUp = 20;  // pixels
    for (int view = 0; view < 4; ++view) {
        const auto file = folder / "images" / (std::to_string(view) + ".png");
        Image image = readImage(file);
        std::rotate(image.rgba.begin(), image.rgba.begin() + 400 * kUp, image.rgba.end());
        writePng(file, image);
    }
    const ObjectFrame frame = readPosedPhotos(folder / "transforms.json").frame;
    // 20 pixels at a focal length of 120 and a distance of 2, seen from 25° above, are about 0.36
    // in height.
    EXPECT_NEAR(frame.placement.centre->z, 0.36, 0.06);
    EXPECT_LT(std::hypot(frame.placement.centre->x, frame.placement.centre->y), 0.02);
}

TEST(ObjectFrame, fallsBackOnTheAxes_whenNoPhotographHasAMask) {
    const TempFolder folder;
    test::writeDiscScene(folder.path());
    hideMasks(folder.path());
    const ObjectFrame frame = readPosedPhotos(folder / "transforms.json").frame;
    EXPECT_LT(glm::length(*frame.placement.centre), 1e-9);
    // The cameras are at a distance of 2.
    EXPECT_NEAR(frame.photosToObjectSpace.scale * 2, 0.8, 1e-9);
    EXPECT_THAT(frame.notes[1], HasSubstr("optical axes"));
    EXPECT_THAT(frame.notes[2], HasSubstr("`object_size`"));
}

TEST(ObjectFrame, prefersOptionsAndFile_whenTheyNameValues) {
    const auto say = [](json& scene) {
        scene["object_centre"] = {0.1, 0, 0};
        scene["object_size"] = 1.3;
        scene["up"] = {0, 0, 2};
    };
    const ObjectFrame file = readScene(say).frame;
    EXPECT_EQ(*file.placement.centre, glm::dvec3(0.1, 0, 0));
    EXPECT_EQ(file.placement.size, 1.3);
    EXPECT_EQ(*file.placement.up, glm::dvec3(0, 0, 1));
    EXPECT_TRUE(file.notes.empty());
    EXPECT_NEAR(file.photosToObjectSpace.scale, 0.57 / 1.3, 1e-12);

    const ObjectFrame option = readScene(say, {{}, 1.4, {}}).frame;
    EXPECT_EQ(option.placement.size, 1.4);
    EXPECT_EQ(*option.placement.centre, glm::dvec3(0.1, 0, 0));
}

TEST(ObjectFrame, scalesTheObjectToTheTrainedSize_whateverItsSize) {
    for (const double size : {0.4, 3.0}) {
        const ObjectFrame frame = readScene([](json&) {}, {{}, size, {}}).frame;
        EXPECT_NEAR(frame.photosToObjectSpace.scale * size, kObjectDiagonal, 1e-12);
    }
}

/// Overwrites a photograph with a disc in its corner, as if another object had been cut out.
void spoilMask(const std::filesystem::path& folder, int view, int corner) {
    constexpr int kSide = 100;
    Image image{kSide, kSide, {}};
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const std::uint8_t grey =
                std::hypot(x - (corner % 2 == 0 ? 9 : 91), y - (corner / 2 == 0 ? 9 : 91)) < 6
                    ? 90
                    : 255;
            image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
        }
    writePng(folder / "images" / (std::to_string(view) + ".png"), image);
}

std::string refusalOfMasks(int views, const std::vector<int>& spoilt,
                           const std::function<void(json&)>& change = {}) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder / "", views);
    for (const int view : spoilt) spoilMask(folder / "", view, view % 4);
    if (change) change(scene);
    test::writeJson(folder / "transforms.json", scene);
    return messageOf<InputError>([&] { readPosedPhotos(folder / "transforms.json", {}); });
}

TEST(ObjectFrame, blamesAMask_whenTheCamerasAgree) {
    const std::string one = refusalOfMasks(8, {2});
    EXPECT_THAT(one, HasSubstr("2.png is not where the other 7 masks show the object"));
    EXPECT_THAT(one, HasSubstr("Look at these masks"));
    EXPECT_THAT(refusalOfMasks(6, {0, 1, 2, 3, 4, 5}),
                HasSubstr("the masks do not show one object, although all cameras look at"));
    EXPECT_THAT(refusalOfMasks(8, {}, [](json& s) { moveFrame(s["frames"][1], 0, 0, 4); }),
                HasSubstr("the cameras do not look at one object"))
        << "this camera is wrong";
}

TEST(ObjectFrame, offersNoInversion_whenTheCamerasAgreeWithoutMasks) {
    const std::string refused = refusalOfMasks(6, {0, 1, 2, 3, 4, 5}, [](json& scene) {
        for (json& frame : scene["frames"]) moveFrame(frame, 5, 0, 1);
    });
    EXPECT_THAT(refused, HasSubstr("the masks do not show one object"));
    EXPECT_THAT(refused, testing::Not(HasSubstr("inverted")));
}

TEST(ObjectFrame, notesAPhotograph_thatTwoCamerasClaim) {
    const auto notesOf = [](const std::function<void(json&)>& change) {
        return testing::PrintToString(readScene(change, {}, 4).frame.notes);
    };
    EXPECT_THAT(notesOf([](json& scene) {
                    scene["frames"][2]["file_path"] = scene["frames"][0]["file_path"];
                }),
                HasSubstr("Views 0 and 2 are of one photograph"));
    EXPECT_THAT(notesOf([](json& scene) { scene["frames"][2] = scene["frames"][0]; }),
                testing::Not(HasSubstr("of one photograph")))
        << "the two cameras are the same";
}

TEST(ObjectFrame, notesCameras_thatStandInTheObject) {
    const auto notesOf = [](double size, const std::vector<std::size_t>& near) {
        const auto moveNear = [&](json& scene) {
            for (const std::size_t frame : near)
                for (std::size_t row = 0; row < 3; ++row) {
                    json& value = scene["frames"][frame]["transform_matrix"][row][3];
                    value = 0.1 * value.get<double>();
                }
        };
        return testing::PrintToString(
            readScene(moveNear, {glm::dvec3(0.0), size, {}}, 8).frame.notes);
    };
    EXPECT_THAT(notesOf(0.7, {1}), testing::AllOf(HasSubstr("stand in the object"),
                                                  HasSubstr("half its size 0.7: view 1 (")));
    EXPECT_THAT(notesOf(0.7, {0, 1, 2, 4, 5, 6}),
                testing::AllOf(HasSubstr("view 4 ("), HasSubstr(" and 1 more. Check")));
    EXPECT_THAT(notesOf(0.39, {1}), testing::Not(HasSubstr("stand in the object")));
    EXPECT_THAT(notesOf(3.9, {}), testing::Not(HasSubstr("stand in the object")));
}

TEST(ObjectFrame, notesALens_whoseDistortionFoldsThePicture) {
    const auto notesOf = [](double k1) {
        return testing::PrintToString(
            readScene([&](json& scene) { scene["k1"] = k1; }).frame.notes);
    };
    EXPECT_THAT(notesOf(-1.5), HasSubstr("folds within the photograph"));
    EXPECT_THAT(notesOf(-0.1), testing::Not(HasSubstr("folds")));
}

TEST(ObjectFrame, explainsARefusal_whenTheCamerasDisagree) {
    EXPECT_THAT(
        refusal([](json& s) {
            s["frames"][1]["transform_matrix"] = s["frames"][0]["transform_matrix"];
            s["frames"][2]["transform_matrix"] = s["frames"][0]["transform_matrix"];
        }),
        HasSubstr("all 3 cameras stand at one point and look the same way: they are equal"));
    EXPECT_THAT(refusal([](json& s) {
                    for (json& f : s["frames"])
                        for (std::size_t row = 0; row < 3; ++row)
                            f["transform_matrix"][row][3] = static_cast<double>(row);
                }),
                HasSubstr("all 3 cameras stand at one point."));
    EXPECT_THAT(refusal([](json& s) {
                    int side = 0;
                    for (json& f : s["frames"]) {
                        f["transform_matrix"] = s["frames"][0]["transform_matrix"];
                        moveFrame(f, 0.3 * side++, 0, 0);
                    }
                }),
                HasSubstr("parallel"));
    EXPECT_THAT(refusal([](json& s) { moveFrame(s["frames"][1], 0, 0, 4); }),
                HasSubstr("do not look at one object"));
    EXPECT_THAT(refusal([](json& s) { moveFrame(s["frames"][1], 0, 0, 4); }),
                HasSubstr("misses it by"));
    EXPECT_THAT(refusal([](json& s) { s["object_size"] = 1e-200; }), HasSubstr("is 1e-200"));
    EXPECT_THAT(refusal([](json& s) {
                    s["object_centre"] = {1e200, 0, 0};
                }),
                HasSubstr("object_centre: is beyond"));
    // With OpenCV's axes taken for OpenGL's, all cameras look away from the object.
    EXPECT_THAT(refusal([](json& s) {
                    for (json& f : s["frames"])
                        turnFrame(f, test::turnAbout({1, 0, 0}, 3.14159265));
                }),
                HasSubstr("behind 3 of 3 cameras"));
}

TEST(ObjectFrame, givesEachViewItsReason_whenOnlySomeCannotBeUsed) {
    const PosedPhotos own = readScene(
        [](json& s) {
            s["frames"][1]["file_path"] = "images/none.png";
            s["frames"][2]["w"] = 200;
            s["frames"][3]["transform_matrix"] = s["frames"][0]["transform_matrix"];
            turnFrame(s["frames"][3], test::turnAbout({1, 0, 0}, 3.14159265));
        },
        {glm::dvec3(0.0), 1.0, {}}, 6);
    EXPECT_EQ(own.views[0].problem, "");
    EXPECT_THAT(own.views[1].problem, HasSubstr("'images/none.png' was not found"));
    EXPECT_THAT(own.views[2].problem,
                HasSubstr("is 100 × 100 pixels, its camera is for 200 × 100"));
    EXPECT_THAT(own.views[3].problem, HasSubstr("lies 2 behind its camera"));
}

TEST(ObjectFrame, givesTheFirstReason_whenFewerThanTwoViewsAreLeft) {
    EXPECT_THAT(refusal([](json& s) {
                    s["frames"][0]["file_path"] = "a.png";
                    s["frames"][2]["file_path"] = "b.png";
                }),
                HasSubstr("view 0: its image 'a.png' was not found; of 3 views 1 can be used"));
    EXPECT_THAT(refusal([](json&) {}, {glm::dvec3(0, 0, 30), 1.0, {}}),
                HasSubstr("the object's centre lies"));
}

}  // namespace
}  // namespace threefold
