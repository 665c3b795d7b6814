#include "engine/sample/test_list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/formats/file_bytes.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kLargestList = std::uintmax_t{64} << 20;

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

bool isTestList(const std::filesystem::path& path) {
    return path.extension() == ".txt" && path.filename() != "rendering_metadata.txt" &&
           path.filename() != "renderings.txt";
}

std::vector<std::string> readTestList(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path, kLargestList);
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::vector<std::string> samples;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && line.front() != '#') samples.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return samples;
}

}  // namespace threefold
