#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// True for a text file that may name samples: any .txt but those that belong to a sample itself.
bool isTestList(const std::filesystem::path& path);

/// A sample that a list names.
struct ListedName {
    std::string name;      ///< "02691156_p0001_00.dat", or any location that findSample() takes
    std::size_t line = 0;  ///< of the list, from 1
};

/// Largest list that is read; published ones have 35 010 lines, in 1 MB.
inline constexpr std::uintmax_t kLargestList = std::uintmax_t{64} << 20;

/// The line, or its beginning with an ellipsis and its length where it has more than 200 bytes: for
/// what is cited. Cuts no character of UTF-8 in two.
std::string shortened(std::string_view line);

/// The lines of a test list without blanks around them, empty ones and those that start with '#'.
/// Throws IoError (larger than kLargestList), FormatError (a control byte in a name, or a line
/// longer than any path: not a text, or damaged).
std::vector<ListedName> readTestList(const std::filesystem::path& path);
/// The same for a text in memory; errors name it `subject`.
std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject);

}  // namespace threefold
