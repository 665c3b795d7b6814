#include "engine/masks/mask_files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// A mask of one grey level.
Image uniformMask(std::uint8_t grey) {
    Image mask{4, 4, std::vector<std::uint8_t>(64, 255)};
    for (std::size_t i = 0; i < mask.rgba.size(); i += 4)
        for (std::size_t c = 0; c < 3; ++c) mask.rgba[i + c] = grey;
    return mask;
}

TEST(CameraFolderOf, isThatOfTheCameraFile_whenThePhotographsHaveASubfolder) {
    const TempFolder folder;
    writeDiscScene(folder.path());
    EXPECT_EQ(cameraFolderOf(folder / "images" / "0.png"), absolutePath(folder.path()));
    EXPECT_EQ(cameraFolderOf(folder / "images" / "more" / "deep" / "0.png"), fs::path());
}

TEST(ReplaceMaskFile, keepsTheFirstMask_whenReplacedTwice) {
    const TempFolder folder;
    MaskFile file;
    file.cutout.photograph = folder / "a.png";
    replaceMaskFile(file, uniformMask(10));
    EXPECT_EQ(file.cutout.mask, ownMaskFile(file.cutout.photograph));
    EXPECT_TRUE(file.keptCopy.empty()) << "there was no mask";
    replaceMaskFile(file, uniformMask(20));
    replaceMaskFile(file, uniformMask(30));
    EXPECT_EQ(file.keptCopy,
              file.cutout.mask.parent_path() / "replaced" / file.cutout.mask.filename());
    EXPECT_EQ(readImage(file.keptCopy).rgba[0], 10);
    EXPECT_EQ(readImage(file.cutout.mask).rgba[0], 30);
}

TEST(ReplaceMaskFile, throws_whenTheFolderOfReplacedMasksIsALink) {
    const TempFolder folder;
    MaskFile file;
    file.cutout.photograph = folder / "a.png";
    replaceMaskFile(file, uniformMask(10));
    fs::create_directory_symlink(folder.path(), file.cutout.mask.parent_path() / "replaced");
    EXPECT_THROW(replaceMaskFile(file, uniformMask(20)), IoError);
}

TEST(CameraFoldersOf, areNone_whenThereIsNoCameraFile) {
    const TempFolder folder;
    EXPECT_THAT(cameraFoldersOf(std::vector{folder / "a.png"}), testing::IsEmpty());
}

TEST(CameraFoldersOf, areNamedOnce_whenPhotographsShareTheCameras) {
    const TempFolder folder;
    writeDiscScene(folder.path());
    EXPECT_THAT(
        cameraFoldersOf(std::vector{folder / "images" / "0.png", folder / "images" / "1.png"}),
        testing::ElementsAre(absolutePath(folder.path())));
}

TEST(CheckMasks, namesTheProblem_whenCamerasCannotBeRead) {
    for (const char* text : {"{}", "{", "[]", R"({"views": 1})"}) {
        const TempFolder folder;
        writeFileAtomically(folder / "cameras.json", std::string_view(text));
        const MaskCheck check = checkMasks(folder.path(), true, {});
        EXPECT_THAT(check.problem, testing::HasSubstr("cameras.json")) << text;
        EXPECT_THAT(check.contradictions, testing::IsEmpty());
    }
}

/// Two photographs with a mask each.
class ApplyContradiction : public testing::Test {
  protected:
    ApplyContradiction() {
        for (const char* name : {"a.png", "b.png"}) {
            MaskFile& file = files_.emplace_back();
            file.cutout.photograph = folder_ / name;
            writeFileAtomically(file.cutout.photograph, std::string_view("a photograph"));
            replaceMaskFile(file, uniformMask(10));
        }
        files_[1].cutout.warning = "Too small.";
        contradicting_.photograph = folder_.path() / "." / "b.png";
        contradicting_.reason = "lacks a part";
    }

    TempFolder folder_;
    std::vector<MaskFile> files_;
    ContradictingMask contradicting_;
};

TEST_F(ApplyContradiction, replacesTheMask_whenItIsRepaired) {
    contradicting_.repairedMask = uniformMask(30);
    files_[1].cutout.error = "no object";
    const std::vector<std::string> sentences = applyContradiction(files_, contradicting_);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_THAT(sentences[0], testing::HasSubstr("b.png: lacks a part. It was cut out again"));
    EXPECT_THAT(sentences[0],
                testing::EndsWith("The old mask is " + files_[1].keptCopy.string() + "."));
    EXPECT_EQ(readImage(files_[1].cutout.mask).rgba[0], 30);
    EXPECT_EQ(readImage(files_[1].keptCopy).rgba[0], 10);
    EXPECT_TRUE(files_[1].isRepaired);
    EXPECT_EQ(files_[1].cutout.error, "");
    EXPECT_EQ(files_[1].cutout.warning, "Too small.");
    EXPECT_FALSE(files_[0].isRepaired);
    EXPECT_EQ(readImage(files_[0].cutout.mask).rgba[0], 10);
}

TEST_F(ApplyContradiction, warnsAndLeavesTheMask_whenItIsNotRepaired) {
    const std::vector<std::string> sentences = applyContradiction(files_, contradicting_);
    ASSERT_THAT(
        sentences,
        testing::ElementsAre(testing::EndsWith("Look at " + files_[1].cutout.mask.string() + ".")));
    EXPECT_EQ(files_[1].cutout.warning, "Too small. " + sentences[0]);
    EXPECT_EQ(files_[0].cutout.warning, "");
    EXPECT_FALSE(files_[1].isRepaired);
    EXPECT_EQ(readImage(files_[1].cutout.mask).rgba[0], 10);
}

TEST_F(ApplyContradiction, changesNothing_whenThePhotographIsAnother) {
    contradicting_.photograph = folder_ / "c.png";
    EXPECT_THAT(applyContradiction(files_, contradicting_), testing::IsEmpty());
}

}  // namespace
}  // namespace threefold::test
