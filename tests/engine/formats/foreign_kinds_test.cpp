#include "engine/formats/bytes/foreign_kinds.h"

#include <string>

#include <gtest/gtest.h>

#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/file_writes.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;

TEST(ForeignPictures, areNamedByTheirFirstOrLastBytes_whateverTheirSize) {
    const TempFolder folder;
    EXPECT_EQ(foreignPicturesIn(folder.path()), "");
    const std::string targa = std::string("TRUEVISION-XFILE.") + '\0';
    for (const std::size_t size : {0U, 20U, 500U, 520U, 100'000U})
        writeFileWhole(folder / (std::to_string(size) + ".tga"),
                       std::string_view(std::string(size, 'x') + targa));
    EXPECT_EQ(foreignPicturesIn(folder.path()), "5 files are Targa images, which are not read");
    for (int i = 0; i < 6; ++i)
        writeFileWhole(folder / (std::to_string(i) + ".gif"), std::string_view("GIF89a"));
    EXPECT_EQ(foreignPicturesIn(folder.path()), "6 files are GIF images, which are not read");
    EXPECT_EQ(foreignPicturesIn(folder / "none"), "");
}

}  // namespace
}  // namespace threefold
