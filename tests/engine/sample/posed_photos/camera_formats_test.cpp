// Reads one ring of cameras in every format (written by write_camera_formats.py), and files that
// are truncated or have values that no camera has.
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/camera_matrices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/npz.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "tests/support/message_of.h"
#include "tests/support/npz_writer.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using test::messageOf;
using test::TempFolder;
using testing::HasSubstr;

const fs::path kCameras = fs::path(THREEFOLD_TEST_DATA) / "wild/cameras";

struct FormatCase {
    const char* folder;
    const char* file;  ///< the file that must be found in the folder
    const char* lens;  ///< LENS in the name of the reference folder, colmap_LENS
    double tolerance;
};

std::ostream& operator<<(std::ostream& out, const FormatCase& each) {
    return out << each.folder;
}

constexpr FormatCase kCases[] = {
    {"binary_colmap", "images.bin", "full", 1e-6},
    {"transforms", "transforms.json", "full", 1e-6},
    {"nerf_synthetic", "transforms_train.json", "centred", 1e-6},
    {"cameras_json", "cameras.json", "full", 1e-6},
    {"meshroom", "cameras.sfm", "full", 1e-6},
    {"meshroom_old", "sfm.json", "radial", 1e-6},
    {"openmvg", "sfm_data.json", "single", 1e-6},
    {"metashape", "cameras.xml", "full", 1e-6},
    {"neus", "cameras_sphere.npz", "pinhole", 1e-6},
    {"idr", "cameras.npz", "pinhole", 1e-4},  // float32
    {"dvr", "cameras.npz", "pinhole", 1e-6},
    {"occupancy", "cameras.npz", "pinhole", 1e-6},
    {"llff", "poses_bounds.npy", "centred", 1e-6},
    {"mvsnet", "cams/00000000_cam.txt", "pinhole", 1e-6},
    {"middlebury", "object_par.txt", "pinhole", 1e-6},
    {"bundler", "bundle.out", "centred_radial", 1e-6},
    {"deferred_shading", "00000000_k.txt", "pinhole", 1e-6},
};

class CameraFormats : public testing::TestWithParam<FormatCase> {};

/// Direction of a pixel's ray in the world, of length 1.
glm::dvec3 rayOf(const Photo& photo, glm::dvec2 pixel) {
    return glm::transpose(photo.pose.rotation) * directionThrough(photo.lens, pixel).value();
}

TEST_P(CameraFormats, giveTheSameRays) {
    const fs::path found = cameraFileIn(kCameras / GetParam().folder);
    ASSERT_EQ(found, kCameras / GetParam().folder / GetParam().file);
    EXPECT_TRUE(isCameraFileName(found));
    const CameraFile read = readCameraFile(found);
    const CameraFile expected =
        readCameraFile(kCameras / (std::string("colmap_") + GetParam().lens) / "images.txt");
    ASSERT_EQ(read.photos.size(), expected.photos.size());
    EXPECT_NE(read.format, expected.format);
    for (std::size_t i = 0; i < read.photos.size(); ++i) {
        SCOPED_TRACE(i);
        const Photo& photo = read.photos[i];
        EXPECT_TRUE(isFile(photo.image)) << photo.name;
        EXPECT_EQ(photo.image.filename(), expected.photos[i].image.filename());
        EXPECT_EQ(photo.lens.width, 64);
        EXPECT_EQ(photo.lens.height, 48);
        const double away = glm::distance(photo.pose.centre, expected.photos[i].pose.centre);
        EXPECT_LT(away, GetParam().tolerance);
        for (const double x : {0.0, 20.25, 40.0, 64.0})
            for (const double y : {0.0, 24.5, 48.0}) {
                const glm::dvec3 off = rayOf(photo, {x, y}) - rayOf(expected.photos[i], {x, y});
                EXPECT_LT(glm::length(off), GetParam().tolerance) << x << ", " << y;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CameraFormats, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.folder); });

std::string textOf(const fs::path& file) {
    return std::string(asText(readFile(file)));
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << what;
    return at == text.npos ? text : text.replace(at, what.size(), by);
}

using Decode = std::function<void(std::span<const std::byte>)>;
const fs::path kNowhere = "no-such-folder/file";

void decodeBundle(std::span<const std::byte> bytes) {
    const std::string list = textOf(kCameras / "bundler/list.txt");
    static_cast<void>(decodeBundler(bytes, kNowhere, asBytes(list), kNowhere));
}

void decodeMvsnetAlone(std::span<const std::byte> bytes) {
    Photo photo;
    decodeMvsnet(bytes, kNowhere, photo);
}

template <auto decode>
void decodeNowhere(std::span<const std::byte> bytes) {
    static_cast<void>(decode(bytes, kNowhere));
}

struct Decoder {
    const char* file;
    Decode decode;
};

const Decoder kDecoders[] = {
    {"meshroom/cameras.sfm", decodeNowhere<decodeCameraJson>},
    {"meshroom_old/sfm.json", decodeNowhere<decodeCameraJson>},
    {"openmvg/sfm_data.json", decodeNowhere<decodeCameraJson>},
    {"metashape/cameras.xml", decodeNowhere<decodeMetashape>},
    {"neus/cameras_sphere.npz", decodeNowhere<decodeCameraArrays>},
    {"llff/poses_bounds.npy", decodeNowhere<decodeLlff>},
    {"mvsnet/cams/00000000_cam.txt", decodeMvsnetAlone},
    {"middlebury/object_par.txt", decodeNowhere<decodeMiddlebury>},
    {"bundler/bundle.out", decodeBundle},
    {"deferred_shading/00000000_k.txt",
     [](auto bytes) { static_cast<void>(decodeNumbers(bytes, kNowhere, 9)); }},
};

TEST(CameraFormatBytes, areReadOrRefused_whenTruncated) {
    for (const Decoder& each : kDecoders) {
        SCOPED_TRACE(each.file);
        const std::vector<std::byte> bytes = readFile(kCameras / each.file);
        EXPECT_NO_THROW(each.decode(bytes));
        constexpr std::size_t kStep = 7;
        std::size_t refused = 0;
        for (std::size_t length = 0; length < bytes.size(); length += kStep) {
            try {
                each.decode(std::span(bytes).first(length));
            } catch (const Error& error) {
                EXPECT_FALSE(error.report().subject.empty());
                EXPECT_FALSE(error.report().problem.empty());
                EXPECT_FALSE(error.report().remedy.empty());
                ++refused;
            }
        }
        EXPECT_GT(refused, bytes.size() / kStep / 2);
    }
}

/// Message of the error from reading one of the ring's files after `what` in its text was replaced
/// by `by`.
template <class Expected>
std::string refusal(const char* file, std::string_view what, std::string_view by) {
    const std::string text = replaced(textOf(kCameras / file), what, by);
    const auto* const each = std::ranges::find_if(
        kDecoders, [&](const Decoder& one) { return std::string_view(one.file) == file; });
    return messageOf<Expected>([&] { each->decode(asBytes(text)); });
}

TEST(MeshroomCameras, explainsARefusal_whenAValueIsWrong) {
    constexpr const char* kFile = "meshroom/cameras.sfm";
    EXPECT_THAT(refusal<FormatError>(kFile, "\"brown\"", "\"fisheye4\""),
                HasSubstr("distortionType: the lens 'fisheye4' cannot be undistorted"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"type\": \"pinhole\"", "\"type\": \"equidistant\""),
                HasSubstr("intrinsics[0].type: the lens 'equidistant'"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"focalLength\": \"", "\"focalLength\": \"nan"),
                HasSubstr("intrinsics[0].focalLength: is not a number"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"sensorWidth\": \"36\"", "\"sensorWidth\": \"0\""),
                HasSubstr("sensorWidth: is not above zero"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"center\": [", "\"center\": [\"inf\","),
                HasSubstr("poses[0].pose.transform.center: is not a list of 3 numbers"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"poses\"", "\"nothing\""),
                HasSubstr("poses: is missing"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"intrinsicId\": \"7\"", "\"intrinsicId\": \"8\""),
                HasSubstr("8 is not among the intrinsics"));
}

TEST(MeshroomCameras, areRead_whenPointsAreMostOfTheFile) {
    std::string points;
    while (points.size() < 4'000'000)
        points += R"({"landmarkId": "0", "X": ["0", "0", "0"], "observations": [{"x": [1, 2]}]}, )";
    const std::string text = replaced(textOf(kCameras / "meshroom_old/sfm.json"),
                                      "\"structure\": [", "\"structure\": [" + points);
    EXPECT_EQ(decodeCameraJson(asBytes(text), kNowhere).photos.size(), 6U);
}

TEST(OpenMvgCameras, explainsARefusal_whenAValueIsWrong) {
    constexpr const char* kFile = "openmvg/sfm_data.json";
    EXPECT_THAT(refusal<FormatError>(kFile, "\"disto_t2\"", "\"fisheye\""),
                HasSubstr("a fisheye lens"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"focal_length\"", "\"none\""),
                HasSubstr("a spherical camera"));
    EXPECT_THAT(refusal<InputError>(kFile, "\"focal_length\": 70.0", "\"focal_length\": 0"),
                HasSubstr("focal length of 0"));
    EXPECT_THAT(refusal<FormatError>(kFile, "\"extrinsics\"", "\"nothing\""),
                HasSubstr("extrinsics: is missing"));
}

TEST(MetashapeCameras, nameTheLine_whenAValueIsWrong) {
    constexpr const char* kFile = "metashape/cameras.xml";
    EXPECT_THAT(refusal<FormatError>(kFile, "<f>69.0", "<f>nan"), HasSubstr("line 14: 'nan'"));
    EXPECT_THAT(refusal<InputError>(kFile, "<f>69.0", "<f>0"), HasSubstr("focal length"));
    EXPECT_THAT(refusal<InputError>(kFile, "<f>69.0", "<f>1e300"), HasSubstr("at most 1e+07"));
    EXPECT_THAT(refusal<FormatError>(kFile, "<k3>", "<k4>0.5</k4><k3>"),
                HasSubstr("k4 is not undistorted"));
    EXPECT_THAT(refusal<FormatError>(kFile, "<b1>", "<b2>9</b2><b1>"), HasSubstr("a skew b2 of 9"));
    EXPECT_THAT(refusal<FormatError>(kFile, "type=\"frame\"", "type=\"fisheye\""),
                HasSubstr("line 5: the lens 'fisheye'"));
    EXPECT_THAT(refusal<FormatError>(kFile, "<transform>", "<transform>1 "),
                HasSubstr("line 28: more than 16 numbers"));
    EXPECT_THAT(refusal<FormatError>(kFile, "sensor_id=\"0\"", "sensor_id=\"5\""),
                HasSubstr("sensor 5 is not among the sensors"));
    EXPECT_THAT(refusal<FormatError>(kFile, ">3.5<", ">-1<"), HasSubstr("a scale of -1"));
}

TEST(MetashapeCameras, areRefused_whenTagsAreManyOrDeepOrExpand) {
    const auto said = [](const std::string& text) {
        return messageOf<Error>([&] { decodeMetashape(asBytes(text), kNowhere); });
    };
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += "<a>";
    EXPECT_THAT(said(deep), HasSubstr("is not XML"));
    EXPECT_THAT(said(deep + deep), HasSubstr("more than 250000 tags"));
    EXPECT_THAT(said("<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><document>&b;"
                     "</document>"),
                HasSubstr("no <document> with a <chunk>"));
    EXPECT_THAT(said(std::string("<document>\0</document>", 22)), HasSubstr("is not XML in UTF-8"));
}

TEST(CameraTexts, nameTheLine_whenAValueIsWrong) {
    EXPECT_THAT(
        refusal<FormatError>("mvsnet/cams/00000000_cam.txt", "0.0 0.0 0.0 1.0", "0 0 nan 1"),
        HasSubstr("line 5: 'nan' is not a finite number"));
    EXPECT_THAT(refusal<InputError>("mvsnet/cams/00000000_cam.txt", "0.0 0.0 0.0 1.0", "0 0 0 2"),
                HasSubstr("line 2: the last row is 0 0 0 2"));
    EXPECT_THAT(refusal<FormatError>("middlebury/object_par.txt", "71.0", "inf"),
                HasSubstr("line 2: 'inf' is not a finite number"));
    EXPECT_THAT(refusal<FormatError>("middlebury/object_par.txt", "6\n", "100000\n"),
                HasSubstr("line 1: 100000 pictures"));
    EXPECT_THAT(refusal<FormatError>("bundler/bundle.out", "7 1\n", "8 1\n"),
                HasSubstr("8 cameras, but list.txt names 7 pictures"));
    EXPECT_THAT(refusal<FormatError>("deferred_shading/00000000_k.txt", "0", "NaN 0"),
                HasSubstr("line 1"));
}

TEST(CameraTexts, areRefused_whenAMatrixMirrors) {
    const std::string bundle = "# Bundle file v0.3\n1 0\n70 0 0\n1 0 0\n0 1 0\n0 0 -1\n0 0 4\n";
    EXPECT_THAT(messageOf<InputError>([&] {
                    decodeBundler(asBytes(bundle), kNowhere, asBytes("a.png\n"), kNowhere);
                }),
                HasSubstr("line 3: the 3×3 part mirrors"));
    const std::string middlebury = "1\na.png 70 0 32 0 70 24 0 0 1 1 0 0 0 -1 0 0 0 1 0 0 4\n";
    EXPECT_THAT(messageOf<InputError>([&] { decodeMiddlebury(asBytes(middlebury), kNowhere); }),
                HasSubstr("line 2: the 3×3 part mirrors"));
}

/// The projection matrix of a camera without rotation, with one value changed.
ArrayMap arraysWith(std::size_t at, double value) {
    std::vector<float> matrix = {70, 0, 32, 0, 0, 70, 24, 0, 0, 0, 1, 4, 0, 0, 0, 1};
    matrix[at] = static_cast<float>(value);
    return {{"world_mat_0", makeArray(matrix, {4, 4})}};
}

std::string refusalOf(const ArrayMap& arrays) {
    const std::string bytes = test::npz(arrays);
    return messageOf<Error>([&] { decodeCameraArrays(asBytes(bytes), kNowhere); });
}

TEST(CameraArrays, nameTheArray_whenAValueIsWrong) {
    EXPECT_THAT(refusalOf(arraysWith(0, std::numeric_limits<double>::quiet_NaN())),
                HasSubstr("array 'world_mat_0': holds nan"));
    EXPECT_THAT(refusalOf(arraysWith(0, 0)), HasSubstr("its rows are linearly dependent"));
    EXPECT_THAT(refusalOf(arraysWith(1, 5)), HasSubstr("a skew of 5"));
    EXPECT_THAT(refusalOf(arraysWith(11, 1e12)), HasSubstr("expected at most"));
    EXPECT_THAT(refusalOf({{"world_mat_0", makeArray(std::vector<float>(16), {4, 4})}}),
                HasSubstr("is zero"));
    EXPECT_THAT(refusalOf({{"world_mat_0", makeArray(std::vector<float>(16), {2, 8})}}),
                HasSubstr("is an array [2, 8]"));
    EXPECT_THAT(refusalOf({{"poses", makeArray(std::vector<float>(16), {4, 4})}}),
                HasSubstr("no array world_mat_0"));
}

TEST(CameraArrays, placeTheObjectByTheirSphere_whenPicturesHaveNoMasks) {
    EXPECT_FALSE(readCameraFile(kCameras / "neus/cameras_sphere.npz").placement.centre);
    const TempFolder folder;
    fs::copy(kCameras / "neus/cameras_sphere.npz", folder.path());
    const CameraFile read = readCameraFile(folder / "cameras_sphere.npz");
    ASSERT_TRUE(read.placement.centre);
    EXPECT_NEAR(glm::distance(*read.placement.centre, glm::dvec3(0.1, -0.2, 0.15)), 0, 1e-12);
    EXPECT_NEAR(read.placement.size.value_or(0), 1.1, 1e-12);
}

TEST(LlffCameras, fitThePictures_whenTheseAreSmaller) {
    const TempFolder folder;
    fs::copy(kCameras / "llff/images", folder / "images_8", fs::copy_options::recursive);
    std::vector<float> values;
    for (int i = 0; i < 6; ++i)
        for (const float value :
             {0., 1., 0., 0., 384., -1., 0., 0., 0., 512., 0., 0., 1., 4., 560., 1., 9.})
            values.push_back(value + (value == 4 ? static_cast<float>(i) : 0));
    writeFileAtomically(folder / "poses_bounds.npy", test::npy(makeArray(values, {6, 17})));
    const CameraFile read = readCameraFile(folder / "poses_bounds.npy");
    EXPECT_EQ(read.photos[2].lens.width, 64);
    EXPECT_DOUBLE_EQ(read.photos[2].lens.focalX, 70);
    EXPECT_DOUBLE_EQ(read.photos[2].lens.principalY, 24);
}

TEST(CamerasWithoutNames, areRefused_whenTheirPicturesAreMoreOrFewer) {
    const std::pair<const char*, const char*> formats[] = {{"llff", "images/00000002.png"},
                                                           {"neus", "image/00000002.png"},
                                                           {"idr", "image/00000002.png"},
                                                           {"dvr", "image/00000002.png"}};
    for (const auto& [name, third] : formats) {
        SCOPED_TRACE(name);
        const TempFolder folder;
        fs::copy(kCameras / name, folder.path(), fs::copy_options::recursive);
        const fs::path file = cameraFileIn(folder.path());
        fs::copy(folder / third, (folder / third).parent_path() / "added.png");
        EXPECT_THAT(messageOf<InputError>([&] { readCameraFile(file); }),
                    HasSubstr("6 cameras, 'image"));
        fs::remove((folder / third).parent_path() / "added.png");
        EXPECT_EQ(readCameraFile(file).photos.size(), 6U);
        fs::remove(folder / third);
        EXPECT_THAT(messageOf<InputError>([&] { readCameraFile(file); }),
                    HasSubstr("holds 5 pictures; expected equal numbers"));
    }
}

TEST(CameraArrays, leaveOutPicturesWithoutMatrices_andSaySo) {
    const TempFolder folder;
    fs::copy(kCameras / "neus/image", folder / "image", fs::copy_options::recursive);
    ArrayMap arrays = decodeNpz(readFile(kCameras / "neus/cameras_sphere.npz"), "neus");
    arrays.erase("world_mat_2");
    writeFileAtomically(folder / "cameras_sphere.npz", test::npz(arrays));
    const CameraFile read = readCameraFile(folder / "cameras_sphere.npz");
    ASSERT_EQ(read.photos.size(), 5U);
    EXPECT_EQ(read.photos[2].name, "00000003.png");
    EXPECT_THAT(read.notes, testing::Contains(HasSubstr("1 of 6 photographs have no camera")));
}

TEST(LlffCameras, areReplacedByColmap_whenItsModelIsBesideThem) {
    const TempFolder folder;
    fs::copy(kCameras / "llff", folder.path(), fs::copy_options::recursive);
    EXPECT_EQ(cameraFileIn(folder.path()), folder / "poses_bounds.npy");
    fs::create_directories(folder / "sparse");
    fs::copy(kCameras / "colmap_centred", folder / "sparse/0");
    EXPECT_EQ(cameraFileIn(folder.path()), folder / "sparse/0/images.txt");
}

TEST(CameraFormatNames, doNotSuffice_whenCompanionFilesAreMissing) {
    const TempFolder folder;
    writeFileAtomically(folder / "books_k.txt", "names\n");
    writeFileAtomically(folder / "page.xml", "<html/>");
    EXPECT_TRUE(cameraFileIn(folder.path()).empty());
    EXPECT_FALSE(isCameraFileName(folder / "books_k.txt"));
    EXPECT_FALSE(isCameraFileName(folder / "page.xml"));
    EXPECT_FALSE(isCameraFileName(folder / "list.txt"));
}

}  // namespace
}  // namespace threefold
