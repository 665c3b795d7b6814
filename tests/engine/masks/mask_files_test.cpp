#include "engine/masks/mask_files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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
    file.photograph = folder / "a.png";
    replaceMaskFile(file, uniformMask(10));
    EXPECT_EQ(file.mask, ownMaskFile(file.photograph));
    EXPECT_TRUE(file.keptCopy.empty()) << "there was no mask";
    replaceMaskFile(file, uniformMask(20));
    replaceMaskFile(file, uniformMask(30));
    EXPECT_EQ(file.keptCopy, file.mask.parent_path() / "replaced" / file.mask.filename());
    EXPECT_EQ(readImage(file.keptCopy).rgba[0], 10);
    EXPECT_EQ(readImage(file.mask).rgba[0], 30);
}

TEST(ReplaceMaskFile, throws_whenTheFolderOfReplacedMasksIsALink) {
    const TempFolder folder;
    MaskFile file;
    file.photograph = folder / "a.png";
    replaceMaskFile(file, uniformMask(10));
    fs::create_directory_symlink(folder.path(), file.mask.parent_path() / "replaced");
    EXPECT_THROW(replaceMaskFile(file, uniformMask(20)), IoError);
}

TEST(CheckMaskFiles, saysThatThereAreNoCameras) {
    const TempFolder folder;
    std::vector<MaskFile> files(1);
    files[0].photograph = folder / "a.png";
    EXPECT_FALSE(checkAndRepairMaskFiles(files, true, {}, {}));
}

TEST(CheckMaskFiles, warnsOfCamerasThatCannotBeRead) {
    for (const char* text : {"{}", "{", "[]", R"({"views": 1})"}) {
        const TempFolder folder;
        writeFileAtomically(folder / "cameras.json", std::string_view(text));
        std::vector<MaskFile> files(1);
        files[0].photograph = folder / "a.png";
        std::vector<std::string> warnings;
        const auto warn = [&](const std::string& line) { warnings.push_back(line); };
        EXPECT_NO_THROW(checkAndRepairMaskFiles(files, true, warn, {})) << text;
        ASSERT_EQ(warnings.size(), 1U) << text;
        EXPECT_NE(warnings[0].find("cameras.json"), std::string::npos) << warnings[0];
    }
}

}  // namespace
}  // namespace threefold::test
