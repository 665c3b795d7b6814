#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace threefold::test {

/// All bytes of a file; empty if the file cannot be read.
inline std::string fileText(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace threefold::test
