#include "engine/board/board_file.h"

#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using namespace board;
using testing::HasSubstr;

TEST(BoardSheet, hasItsTrueSize) {
    const std::string pdf = boardPdf(Paper::a4);
    EXPECT_THAT(pdf, HasSubstr("/MediaBox [0 0 595.276 841.890]"));
    EXPECT_THAT(pdf, HasSubstr("Print at 100 %"));
    const std::size_t table = pdf.find("xref");
    EXPECT_THAT(pdf, HasSubstr("startxref\n" + std::to_string(table) + "\n"));
    EXPECT_THAT(boardSvg(Paper::letter), HasSubstr("width=\"215.9mm\""));
    EXPECT_THROW(writeBoard("board.doc", Paper::a4), UsageError);
}

TEST(BoardSheet, isWritten_whenItsExtensionIsInCapitals) {
    const TempFolder folder;
    writeBoard(folder / "board.PDF", Paper::a4);
    EXPECT_EQ(asText(readFile(folder / "board.PDF")), boardPdf(Paper::a4));
}

}  // namespace
}  // namespace threefold::test
