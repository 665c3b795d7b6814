#pragma once

#include <cstddef>
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

/// The lines of a test list without blanks around them, empty ones and those that start with '#'.
/// Throws IoError, FormatError (a control byte in a name: not a text, or damaged).
std::vector<ListedName> readTestList(const std::filesystem::path& path);
/// The same for a text in memory; errors name it `subject`.
std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject);

}  // namespace threefold
