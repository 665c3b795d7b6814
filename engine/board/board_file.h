#pragma once

#include <filesystem>
#include <string>

namespace threefold::board {

/// Paper that the board is printed on, upright.
enum class Paper { a4, letter };

/// Returns the text of a PDF or SVG file of the board: one page at true size, with a 100 mm bar and
/// a line on how to print the page. Both functions throw InputError in a build without libapriltag.
std::string boardPdf(Paper paper);
std::string boardSvg(Paper paper);

/// Writes the board as PDF or SVG, by the file extension. Throws UsageError (neither .pdf nor
/// .svg), IoError, InputError as boardPdf() does.
void writeBoard(const std::filesystem::path& file, Paper paper);

}  // namespace threefold::board
