#pragma once

#include <filesystem>
#include <string>

namespace threefold::board {

enum class Paper { a4, letter };

/// The board as a drawing of one page in its true size, with a line on how to print it and a bar of
/// 100 mm. Throws InputError as findMarkers().
std::string sheetPdf(Paper paper);
std::string sheetSvg(Paper paper);

/// Writes it as the file's extension says. Throws UsageError (neither .pdf nor .svg), IoError.
void writeSheet(const std::filesystem::path& file, Paper paper);

}  // namespace threefold::board
