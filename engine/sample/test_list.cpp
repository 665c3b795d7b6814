#include "engine/sample/test_list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {
namespace {

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    // At the beginning of the file, or of each of several concatenated files.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        if (!line.starts_with(kByteOrderMark)) break;
        line.remove_prefix(kByteOrderMark.size());
    }
    return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

/// Names have no control bytes, and the system would cut a path at a NUL; nor is there a file of a
/// longer path.
void refuseNoName(std::string_view line, const std::filesystem::path& subject, std::size_t number) {
    constexpr std::size_t kLongestName = 4096;  // the limit of Linux for a path
    if (line.size() > kLongestName)
        throw FormatError({subject.string(), fmt::format("line {}", number),
                           fmt::format("is {} bytes long, names have at most {}: '{}'", line.size(),
                                       kLongestName, shortened(line)),
                           "Save the list as UTF-8 text, one name a line."});
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || c == '\t') continue;
        throw FormatError({subject.string(), fmt::format("line {}", number),
                           fmt::format("holds the control byte 0x{:02x}, names have none", byte),
                           "Save the list as UTF-8 text, one name a line."});
    }
}

}  // namespace

std::string shortened(std::string_view line) {
    constexpr std::size_t kMost = 200;
    if (line.size() <= kMost) return std::string(line);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80) --end;
    return fmt::format("{}… ({} bytes)", line.substr(0, end), line.size());
}

bool isTestList(const std::filesystem::path& path) {
    return path.extension() == ".txt" && path.filename() != "rendering_metadata.txt" &&
           path.filename() != "renderings.txt" && !isCameraFileName(path);
}

std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject) {
    std::vector<ListedName> samples;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && line.front() != '#') {
            refuseNoName(line, subject, number);
            samples.push_back({std::string(line), number});
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return samples;
}

std::vector<ListedName> readTestList(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path, kLargestList);
    return parseTestList(asText(bytes), path);
}

}  // namespace threefold
