#include "engine/structure_from_motion/sparse_model.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "tests/engine/structure_from_motion/colmap_model.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using namespace structure_from_motion;

class SparseModelFile : public testing::Test {
  protected:
    void write(const char* name) {
        const std::vector<ModelPicture> pictures = {{name, {}}, {"000001.jpg", {}}};
        const std::vector<glm::dvec3> points = {{1, 2, 3}, {4, 5, 6}};
        writeColmapModel(folder_.path(), smallLens(), pictures, points, 0.5);
    }

    TempFolder folder_;
};

TEST_F(SparseModelFile, isReadWithItsPoints) {
    write("000003.png");
    const SparseModel model = readSparseModel(folder_.path(), 4);
    ASSERT_EQ(model.images.size(), 2);
    EXPECT_EQ(model.images[0].photograph, 1);
    EXPECT_EQ(model.images[1].photograph, 3);
    EXPECT_EQ(model.images[1].pointCount, 2) << "a feature without a point does not count";
    EXPECT_EQ(model.images[1].lens.focalY, 50);
    ASSERT_EQ(model.points.size(), 2);
    EXPECT_EQ(model.points[1].position, glm::dvec3(4, 5, 6));
    EXPECT_EQ(model.points[1].trackLength, 2);
    EXPECT_EQ(model.meanReprojectionError(), 0.5);
}

TEST_F(SparseModelFile, isRefused_whenItNamesAnotherPhotograph) {
    for (const char* name : {"000004.png", "cat.png"}) {
        write(name);
        EXPECT_THROW(readSparseModel(folder_.path(), 4), FormatError) << name;
    }
}

TEST_F(SparseModelFile, isRefused_whenTruncatedAnywhere) {
    write("000003.png");
    const std::filesystem::path file = folder_ / "points3D.bin";
    const std::vector<std::byte> bytes = readFile(file);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(decodeSparsePoints(std::span(bytes).first(size), file), FormatError) << size;
    EXPECT_EQ(decodeSparsePoints(bytes, file).size(), 2);
}

TEST_F(SparseModelFile, isRefused_whenItsSizesAreFalse) {
    write("000003.png");
    const std::filesystem::path file = folder_ / "points3D.bin";
    for (const std::size_t place : {std::size_t{7}, std::size_t{8 + 8 + 24 + 3 + 8 + 7}}) {
        std::vector<std::byte> bytes = readFile(file);
        bytes[place] = std::byte{0x7f};
        EXPECT_THROW(decodeSparsePoints(bytes, file), FormatError) << place;
    }
}

TEST(SparseModel, hasNoMeans_whenEmpty) {
    EXPECT_EQ(SparseModel{}.meanReprojectionError(), 0);
    EXPECT_EQ(SparseModel{}.meanCameraDistance({1, 2, 3}), 0);
}

}  // namespace
}  // namespace threefold::test
