#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Test lists: text files with a sample's name on each line.
namespace threefold {

/// True for a text file that may list samples: any .txt except files of a sample itself.
bool isTestList(const std::filesystem::path& path);

/// Sample named by a list.
struct ListedName {
    std::string name;      ///< "02691156_p0001_00.dat", or any location that findSample() takes
    std::size_t line = 0;  ///< line of the list, from 1
};

/// Maximum size of a list, in bytes; published lists have 35 010 lines in 1 MB.
inline constexpr std::uintmax_t kMaxListBytes = std::uintmax_t{64} << 20;

/// Reads the names of a test list, converted by Utf8Text: trimmed lines, except empty ones and
/// those that start with '#'. Throws IoError (unreadable, or larger than kMaxListBytes),
/// FormatError (a control byte in a name, or a line longer than any path: the file is no text, or
/// damaged).
std::vector<ListedName> readTestList(const std::filesystem::path& path);
/// Parses a test list in memory as readTestList() does; errors name `subject`.
std::vector<ListedName> parseTestList(std::string_view bytes, const std::filesystem::path& subject);

}  // namespace threefold
