#include "engine/sample/posed_photos/camera_file.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using nlohmann::json;
using test::messageOf;
using test::TempFolder;
using testing::HasSubstr;

/// Message of the error from reading a transforms.json that was valid before `spoil`.
template <class Expected>
std::string refusal(const std::function<void(json&)>& spoil) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    spoil(scene);
    test::writeJson(folder / "transforms.json", scene);
    return messageOf<Expected>([&] { readCameraFile(folder / "transforms.json"); });
}

void writeText(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

TEST(Transforms, readsIntrinsics_atTheTopOrInTheFrame) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    scene["frames"][1]["fl_x"] = 99;
    scene["frames"][1]["cx"] = 47.5;
    scene["k1"] = -0.125;
    scene["object_centre"] = {1, 2, 3};
    scene["frames"][2]["file_path"] = "./images/2";  // NeRF's own files omit the extension
    test::writeJson(folder / "transforms.json", scene);
    const CameraFile file = readCameraFile(folder / "transforms.json");
    ASSERT_EQ(file.photos.size(), 3U);
    EXPECT_EQ(file.format, "transforms.json");
    EXPECT_EQ(file.photos[0].lens.focalX, 120);
    EXPECT_EQ(file.photos[0].lens.focalY, 120);
    EXPECT_EQ(file.photos[0].lens.principalX, 50);
    EXPECT_EQ(file.photos[1].lens.focalX, 99);
    EXPECT_EQ(file.photos[1].lens.principalX, 47.5);
    EXPECT_EQ(file.photos[2].lens.k1, -0.125);
    EXPECT_EQ(file.photos[2].image, folder / "images/2.png");
    EXPECT_EQ(file.placement.centre, glm::dvec3(1, 2, 3));
    EXPECT_FALSE(file.placement.size);
    EXPECT_NEAR(glm::length(file.photos[0].pose.centre), 2, 1e-12);
}

TEST(Transforms, derivesTheFocalLengthFromTheAngle_whenThereIsNone) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    for (const char* key : {"fl_x", "w", "h"}) scene.erase(key);
    scene["camera_angle_x"] = 2 * std::atan(0.25);
    test::writeJson(folder / "transforms.json", scene);
    const CameraFile file = readCameraFile(folder / "transforms.json");
    EXPECT_EQ(file.photos[0].lens.width, 100);  // read from the image
    EXPECT_NEAR(file.photos[0].lens.focalX, 200, 1e-9);
    EXPECT_NEAR(file.photos[0].lens.focalY, 200, 1e-9);
}

TEST(Transforms, explainsARefusal_whenAValueIsWrong) {
    EXPECT_THAT(refusal<FormatError>([](json& s) { s.erase("fl_x"); }),
                HasSubstr("frames[0]: has no focal length"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["fl_x"] = 0; }),
                HasSubstr("focal length of 0, 0 pixels"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["fl_x"] = 9; }),
                testing::AllOf(HasSubstr("9, 9 pixels for 100 × 100: an angle of view of 160°"),
                               HasSubstr("millimetres"), HasSubstr("Give it in pixels")));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["fl_x"] = 1e-300; }),
                HasSubstr("an angle of view of 180°"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["fl_x"] = 1e300; }),
                HasSubstr("at most 1e+07"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["k2"] = 1e300; }),
                HasSubstr("a distortion of 1e+300"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["fl_x"] = "long"; }),
                HasSubstr("fl_x: is not a number"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["w"] = 12.5; }),
                HasSubstr("12.5 is not a number of pixels"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["cx"] = 5000; }),
                HasSubstr("far outside the 100 × 100"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["frames"][1].erase("transform_matrix"); }),
                HasSubstr("frames[1].transform_matrix: is missing"));
    EXPECT_THAT(refusal<FormatError>([](json& s) {
                    s["frames"][1]["transform_matrix"] = {1, 2};
                }),
                HasSubstr("is not a 4×4 matrix"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["frames"][2]["transform_matrix"][3][0] = 7; }),
                HasSubstr("frames[2].transform_matrix: the last row is 7 0 0 1"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["frames"][0]["file_path"] = 3; }),
                HasSubstr("file_path: is not text"));
    EXPECT_THAT(refusal<InputError>([](json& s) { s["frames"].erase(1), s["frames"].erase(1); }),
                HasSubstr("holds 1 view"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["camera_model"] = "OPENCV_FISHEYE"; }),
                HasSubstr("image_undistorter"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["k4"] = 0.1; }), HasSubstr("undistorted"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["is_fisheye"] = true; }),
                HasSubstr("fisheye"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["object_size"] = -1; }),
                HasSubstr("object_size: is not above zero"));
    EXPECT_THAT(refusal<FormatError>([](json& s) {
                    s["up"] = {0, 0, 0};
                }),
                HasSubstr("up: has no direction"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["frames"] = "none"; }),
                HasSubstr("frames: is not a list"));
    EXPECT_THAT(refusal<FormatError>([](json& s) { s["frames"][0] = 5; }),
                HasSubstr("frames[0]: is not an object"));
    EXPECT_THAT(refusal<NotThisFormat>([](json& s) {
                    s = {{"a", 1}};
                }),
                HasSubstr("neither 'frames' nor 'views'"));
}

TEST(Transforms, isRefusedAtOnce_whenNotJsonOrTooDeepOrTruncated) {
    const TempFolder folder;
    const std::string whole = test::writeDiscScene(folder.path()).dump();
    const auto said = [&](const std::string& text) {
        writeText(folder / "t.json", text);
        return messageOf<FormatError>([&] { readCameraFile(folder / "t.json"); });
    };
    for (std::size_t length = 0; length < whole.size(); length += 37)
        EXPECT_THAT(said(whole.substr(0, length)), HasSubstr("is not JSON"));
    EXPECT_THAT(said(std::string(100'000, '[') + std::string(100'000, ']')),
                HasSubstr("nested more than"));
    EXPECT_THAT(said("\x93NUMPY"), HasSubstr("is not JSON"));
    std::string many = "[";
    while (many.size() <= std::size_t{3} << 20) many += "0, ";
    EXPECT_THAT(said(many + "0]"), HasSubstr("holds more than 1048576 values"));
    std::filesystem::resize_file(folder / "t.json", (std::size_t{256} << 20) + 1);
    EXPECT_THAT(messageOf<IoError>([&] { readCameraFile(folder / "t.json"); }),
                HasSubstr("at most 268435456 are accepted"));
}

/// The disc scene as cameras.json, with matrices from world to camera and OpenCV's axes.
json camerasJson(const std::filesystem::path& folder) {
    test::writeDiscScene(folder);
    json file = {{"convention", "opencv"},
                 {"matrices", "world_to_camera"},
                 {"intrinsics", {{120, 0, 50}, {0, 121, 51}, {0, 0, 1}}},
                 {"views", json::array()}};
    for (int view = 0; view < 3; ++view) {
        const CameraRow row{view * 120.0 + 10, 25, 0, 2, 25};
        file["views"].push_back({{"image", "images/" + std::to_string(view) + ".png"},
                                 {"matrix", test::openCvMatrix(row, {})}});
    }
    return file;
}

std::string camerasRefusal(const std::function<void(json&)>& spoil) {
    const TempFolder folder;
    json file = camerasJson(folder.path());
    spoil(file);
    test::writeJson(folder / "cameras.json", file);
    return messageOf<Error>([&] { readCameraFile(folder / "cameras.json"); });
}

TEST(CamerasJson, readsTheSameCameras_whenTheConventionsAreNamed) {
    const TempFolder folder;
    json file = camerasJson(folder.path());
    file["distortion"] = {0.1, 0.2, 0.3, 0.4};
    file["pixel_centre"] = 0;
    file["version"] = 1;  // Meshroom's files have a version, too
    test::writeJson(folder / "cameras.json", file);
    const CameraFile read = readCameraFile(folder / "cameras.json");
    ASSERT_EQ(read.photos.size(), 3U);
    const Lens& lens = read.photos[1].lens;
    EXPECT_EQ(lens.focalY, 121);
    EXPECT_EQ(lens.principalX, 50.5);
    EXPECT_EQ(lens.principalY, 51.5);
    EXPECT_EQ(lens.width, 100);
    EXPECT_EQ(lens.k2, 0.2);
    EXPECT_EQ(lens.p1, 0.3);
    const Pose expected = Camera::fromRow({130, 25, 0, 2, 25});
    EXPECT_LT(glm::length(read.photos[1].pose.centre - expected.centre), 1e-12);
    for (int i = 0; i < 3; ++i)
        EXPECT_LT(glm::length(read.photos[1].pose.rotation[i] - expected.rotation[i]), 1e-12);
}

TEST(CamerasJson, hasTheWarningsOfTheProgramThatFoundTheCameras) {
    const TempFolder folder;
    json file = camerasJson(folder.path());
    const auto warningsOf = [&] {
        test::writeJson(folder / "cameras.json", file);
        return readCameraFile(folder / "cameras.json").warnings;
    };
    EXPECT_THAT(warningsOf(), testing::IsEmpty());
    file["sure"] = true;
    file["doubts"] = {"no doubt"};
    EXPECT_THAT(warningsOf(), testing::IsEmpty());
    file["sure"] = false;
    file["doubts"] = {"First.", "Second\n."};
    EXPECT_THAT(warningsOf(), testing::ElementsAre("First.", "Second\\n."));
    file.erase("doubts");  // as older versions wrote it
    EXPECT_THAT(warningsOf(), testing::ElementsAre(HasSubstr("was not sure")));
}

TEST(CamerasJson, explainsARefusal_whenAValueIsWrong) {
    EXPECT_THAT(camerasRefusal([](json& f) {
                    f["sure"] = false;
                    f["doubts"] = {1};
                }),
                HasSubstr("doubts: is not a list of texts"));
    EXPECT_THAT(camerasRefusal([](json& f) { f.erase("convention"); }),
                HasSubstr("convention: is missing"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["convention"] = "blender"; }),
                HasSubstr("'blender' is neither opencv nor opengl"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["matrices"] = "model"; }),
                HasSubstr("neither camera_to_world nor world_to_camera"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["intrinsics"][0][1] = 3; }),
                HasSubstr("a skew of 3"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["intrinsics"][2][2] = 2; }),
                HasSubstr("is not of the form"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["intrinsics"][0][0] = -5; }),
                HasSubstr("expected above zero"));
    EXPECT_THAT(camerasRefusal([](json& f) { f.erase("intrinsics"); }),
                HasSubstr("intrinsics: is missing"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["pixel_centre"] = 1; }),
                HasSubstr("neither 0 nor 0.5"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["width"] = 0; }),
                HasSubstr("0 is not a number of pixels"));
    EXPECT_THAT(camerasRefusal([](json& f) { f["views"][1].erase("matrix"); }),
                HasSubstr("views[1].matrix: is missing"));
}

TEST(Colmap, readsTheSameCameras_whenTheModelIsText) {
    const TempFolder folder;
    test::writeDiscScene(folder.path());
    std::filesystem::remove(folder / "transforms.json");
    writeText(
        folder / "sparse/0/cameras.txt",
        "# a comment\n1 PINHOLE 100 100 120 121 50 51\n2 OPENCV 100 100 120 121 50 51 0.1 0.2 "
        "0.3 0.4\n");
    // The first camera is rotated by 180° about x, the second is not rotated. Each image has two
    // lines, of which the second may be empty.
    writeText(folder / "sparse/0/images.txt",
              "# a comment\n1 0 1 0 0 1 2 3 2 1.png\n\n2 1 0 0 0 -4 5 6 1 0.png\n1 2 -1 3 4 -1\n");
    EXPECT_EQ(cameraFileIn(folder.path()), folder / "sparse/0/images.txt");
    const CameraFile read = readCameraFile(folder / "sparse/0/images.txt");
    ASSERT_EQ(read.photos.size(), 2U);
    EXPECT_EQ(read.photos[0].image, folder / "images/0.png");
    EXPECT_EQ(read.photos[0].pose.centre, glm::dvec3(4, -5, -6));
    EXPECT_LT(glm::length(read.photos[0].pose.toCamera({4, -5, -5}) - glm::dvec3(0, 0, -1)), 1e-12);
    EXPECT_LT(glm::length(read.photos[1].pose.centre - glm::dvec3(-1, 2, 3)), 1e-12);
    EXPECT_EQ(read.photos[1].lens.p2, 0.4);
    EXPECT_EQ(read.photos[0].lens.focalY, 121);
}

TEST(Colmap, namesTheLine_whenWrong) {
    const TempFolder folder;
    const auto said = [&](const std::string& cameras, const std::string& images) {
        writeText(folder / "cameras.txt", cameras);
        writeText(folder / "images.txt", images);
        return messageOf<Error>([&] { readCameraFile(folder / "images.txt"); });
    };
    const std::string pinhole = "1 PINHOLE 100 100 120 121 50 51\n";
    EXPECT_THAT(said("1 FISHEYE 100 100 1\n", ""), HasSubstr("'FISHEYE' cannot be undistorted"));
    EXPECT_THAT(said("1 PINHOLE 100 100 120\n", ""), HasSubstr("line 1"));
    EXPECT_THAT(said(pinhole + pinhole, ""), HasSubstr("camera 1 occurs twice"));
    EXPECT_THAT(said(pinhole, "1 1 0 0 0 1 2 3 7 a.png\n\n"), HasSubstr("camera 7 is not in"));
    EXPECT_THAT(said(pinhole, "1 0 0 0 0 1 2 3 1 a.png\n\n"), HasSubstr("length 0"));
    EXPECT_THAT(said("1 OPENCV_FISHEYE 9 9 1 1 4 4 0 0 0 0\n", ""),
                HasSubstr("'OPENCV_FISHEYE' cannot be undistorted"));
    EXPECT_THAT(said(pinhole, "1 1 0 0 0 1 2 3 1\n\n"), HasSubstr("has no name"));
    EXPECT_THAT(said("1 PINHOLE 100 100 120 121 50 51 5 6\n", ""),
                HasSubstr("more parameters than the lens PINHOLE has"));
    EXPECT_THAT(said(pinhole, "1 1 0 0 0 1 2 3 1 a.png\n\n1 1 0 0 0 4 5 6 1 b.png\n\n"),
                HasSubstr("image 1 occurs twice"));
    EXPECT_THAT(said(pinhole, ""), HasSubstr("holds 0 views"));
}

/// Some tools other than COLMAP write images without the line of their points.
TEST(Colmap, readsEveryImage_whenThereIsOneLineForEach) {
    const TempFolder folder;
    test::writeDiscScene(folder.path());
    std::filesystem::remove(folder / "transforms.json");
    writeText(folder / "cameras.txt", "1 FULL_OPENCV 100 100 120 121 50 51 .1 .2 0 0 .3 0 0 0\n");
    writeText(folder / "images.txt",
              "1 2 0 0 0 1 2 3 1 0.png\n2 1 0 0 0 4 5 6 1 two  blanks.png \n"
              "3 1 0 0 0 7 8 9 1 2.png\n"
              "1 2 3 4 5 6 7 8 9 10 11 12\n");
    const CameraFile read = readCameraFile(folder / "images.txt");
    ASSERT_EQ(read.photos.size(), 3U);
    EXPECT_EQ(read.photos[1].name, "2.png");
    EXPECT_EQ(read.photos[2].name, "two  blanks.png");
    EXPECT_EQ(read.photos[0].pose.centre, glm::dvec3(-1, -2, -3));
    EXPECT_EQ(read.photos[0].lens.k3, 0.3);
    ASSERT_EQ(read.notes.size(), 1U);
    EXPECT_THAT(read.notes[0], HasSubstr("1 of 3 images were not of length 1"));
}

/// Appends a little-endian number, as COLMAP writes it.
template <class Value>
void add(std::string& bytes, Value value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

struct BinaryModel {
    std::string cameras;
    std::string images;
};

BinaryModel binaryModel() {
    BinaryModel made;
    add<std::uint64_t>(made.cameras, 1);
    add<std::uint32_t>(made.cameras, 7);
    add<std::int32_t>(made.cameras, 1);  // PINHOLE
    add<std::uint64_t>(made.cameras, 100);
    add<std::uint64_t>(made.cameras, 100);
    for (const double value : {120.0, 121.0, 50.0, 51.0}) add(made.cameras, value);
    add<std::uint64_t>(made.images, 2);
    for (const char* name : {"1.png", "0.png"}) {
        add<std::uint32_t>(made.images, name[0] == '1' ? 3 : 5);
        for (const double value : {1.0, 0.0, 0.0, 0.0, -4.0, 5.0, 6.0}) add(made.images, value);
        add<std::uint32_t>(made.images, 7);
        made.images.append(name).push_back('\0');
        add<std::uint64_t>(made.images, 1);  // number of points
        for (const double value : {1.0, 2.0}) add(made.images, value);
        add<std::int64_t>(made.images, -1);
    }
    return made;
}

TEST(Colmap, readsTheSameCameras_whenTheModelIsBinary) {
    const TempFolder folder;
    test::writeDiscScene(folder.path());
    std::filesystem::remove(folder / "transforms.json");
    const BinaryModel model = binaryModel();
    writeText(folder / "sparse/0/cameras.bin", model.cameras);
    writeText(folder / "sparse/0/images.bin", model.images);
    EXPECT_EQ(cameraFileIn(folder.path()), folder / "sparse/0/images.bin");
    const CameraFile read = readCameraFile(folder / "sparse/0/images.bin");
    ASSERT_EQ(read.photos.size(), 2U);
    EXPECT_EQ(read.photos[0].image, folder / "images/0.png");
    EXPECT_EQ(read.photos[0].pose.centre, glm::dvec3(4, -5, -6));
    EXPECT_EQ(read.photos[0].lens.focalY, 121);
    EXPECT_TRUE(read.notes.empty());
}

TEST(Colmap, isRefused_whenTheBinaryModelIsDamaged) {
    const BinaryModel model = binaryModel();
    for (std::size_t length = 0; length < model.cameras.size(); ++length)
        EXPECT_THROW(
            decodeColmapBinary(asBytes(model.cameras.substr(0, length)), asBytes(model.images), ""),
            Error);
    for (std::size_t length = 0; length < model.images.size(); ++length)
        EXPECT_THROW(
            decodeColmapBinary(asBytes(model.cameras), asBytes(model.images.substr(0, length)), ""),
            Error);
    const auto said = [&](std::size_t at, char value, bool ofCameras) {
        BinaryModel spoiled = model;
        (ofCameras ? spoiled.cameras : spoiled.images)[at] = value;
        if (ofCameras)
            // The new camera model may have more parameters.
            spoiled.cameras += std::string(64, '\0');
        return messageOf<Error>(
            [&] { decodeColmapBinary(asBytes(spoiled.cameras), asBytes(spoiled.images), ""); });
    };
    EXPECT_THAT(said(7, '\x7f', true), HasSubstr("cameras, at most"));
    EXPECT_THAT(said(12, 5, true), HasSubstr("'OPENCV_FISHEYE' cannot be undistorted"));
    EXPECT_THAT(said(12, 99, true), HasSubstr("number 99, which is not known"));
    EXPECT_THAT(said(7, '\x7f', false), HasSubstr("images, at most"));
    EXPECT_THAT(said(8 + 4 + 56, 8, false), HasSubstr("camera 8 is not in"));
    EXPECT_THAT(said(8 + 4 + 56 + 4 + 6 + 7, '\x7f', false), HasSubstr("points, "));
    EXPECT_THAT(said(0, 1, false), HasSubstr("1 images by the file's count, but"));
    EXPECT_THAT(said(0, 0, true), HasSubstr("0 cameras by the file's count, but"));
    const std::size_t secondId = 8 + (model.images.size() - 8) / 2;
    EXPECT_THAT(said(secondId, 3, false), HasSubstr("image 3 occurs twice"));
}

TEST(Transforms, findsPhotographs_whenTheirPathsAreOfAnotherMachine) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    const char* names[] = {R"(images\0.png)", R"(C:\data\fox\images\1.png)",
                           "/home/somebody/fox/images/2.png"};
    for (std::size_t i = 0; i < 3; ++i) scene["frames"][i]["file_path"] = names[i];
    test::writeJson(folder / "transforms.json", scene);
    const CameraFile read = readCameraFile(folder / "transforms.json");
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(read.photos[i].image, folder / "images" / (std::to_string(i) + ".png"));
}

TEST(Transforms, findsNoPhotograph_whenItsNameHoldsAZeroByte) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path());
    scene["frames"][0]["file_path"] = std::string("images/0.png\0x", 14);
    test::writeJson(folder / "transforms.json", scene);
    EXPECT_EQ(readCameraFile(folder / "transforms.json").photos[0].image, "");
}

TEST(Transforms, addsTheViewsOfTestAndVal_whenTheFileIsOfTraining) {
    const TempFolder folder;
    const json scene = test::writeDiscScene(folder.path());
    std::filesystem::remove(folder / "transforms.json");
    for (const char* name : {"transforms_train.json", "transforms_val.json"})
        test::writeJson(folder / name, scene);
    EXPECT_EQ(cameraFileIn(folder.path()), folder / "transforms_train.json");
    EXPECT_EQ(readCameraFile(folder / "transforms_train.json").photos.size(),
              2 * scene["frames"].size());
}

TEST(Transforms, namesTheLine_whenItHoldsNaN) {
    const TempFolder folder;
    writeText(folder / "t.json", "{\n \"frames\": [\n  NaN]}");
    EXPECT_THAT(messageOf<FormatError>([&] { readCameraFile(folder / "t.json"); }),
                HasSubstr("line 3, column"));
    EXPECT_THAT(messageOf<FormatError>([&] { readCameraFile(folder / "t.json"); }),
                HasSubstr("NaN is no number of JSON"));
}

TEST(ImageSize, equalsThatOfTheDecodedImage_orExplainsTheFailure) {
    const TempFolder folder;
    writePng(folder / "a.png", {3, 2, std::vector<std::uint8_t>(24)});
    EXPECT_EQ(readImageInfo(folder / "a.png").size(), (ImageSize{3, 2}));
    // Start of image, a segment to skip, and the frame header: 5 rows of 7 pixels.
    const std::string jpeg("\xFF\xD8\xFF\xE0\x00\x04zz\xFF\xC2\x00\x0B\x08\x00\x05\x00\x07", 17);
    writeText(folder / "b.jpg", jpeg);
    EXPECT_EQ(readImageInfo(folder / "b.jpg").size(), (ImageSize{7, 5}));
    for (std::size_t length = 3; length < jpeg.size(); ++length) {
        writeText(folder / "b.jpg", jpeg.substr(0, length));
        EXPECT_THROW(readImageInfo(folder / "b.jpg"), FormatError) << length;
    }
    writeText(folder / "c.png", "no image");
    EXPECT_THROW(readImageInfo(folder / "c.png"), NotThisFormat);
}

TEST(Transforms, noteMasks_whichAreMissingOrReplacedByNewerOnes) {
    const TempFolder folder;
    json scene = test::writeDiscScene(folder.path(), 2);
    scene["frames"][0]["mask_path"] = "other/a.png";
    scene["frames"][1]["mask_path"] = "other/none.png";
    test::writeJson(folder / "transforms.json", scene);
    std::filesystem::create_directories(folder / "other");
    const Image white{100, 100, std::vector<std::uint8_t>(40000, 255)};
    writePng(folder / "other/a.png", white);
    const CameraFile named = readCameraFile(folder / "transforms.json");
    EXPECT_EQ(named.photos[0].mask, folder / "other/a.png");
    EXPECT_EQ(named.photos[1].mask, "");
    EXPECT_THAT(named.notes, testing::ElementsAre("1 files that mask_path names are not there"));
    writeOwnMask(named.photos[0].image, white);
    EXPECT_THAT(
        readCameraFile(folder / "transforms.json").notes,
        testing::Contains(testing::HasSubstr("1 photographs take their masks from masks/")));
}

}  // namespace
}  // namespace threefold
