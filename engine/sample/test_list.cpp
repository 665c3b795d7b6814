#include "engine/sample/test_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

std::string_view nameIn(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    // A byte-order mark may begin the file, and each file of a concatenation.
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    for (line = trimmed(line, kBlanks); line.starts_with(kByteOrderMark);)
        line = trimmed(line.substr(kByteOrderMark.size()), kBlanks);
    return line;
}

/// Throws FormatError for a line that cannot be a name: longer than any path, or with control
/// bytes, such as NUL, at which the system would cut off a path.
void requireValidListedName(std::string_view line, const std::filesystem::path& subject,
                            std::size_t lineNumber) {
    if (line.size() > kMaxPathBytes)
        throw FormatError({subject.string(), fmt::format("line {}", lineNumber),
                           fmt::format("is {} bytes long, names have at most {}: '{}'", line.size(),
                                       kMaxPathBytes, shortened(line)),
                           "Save the list as UTF-8 text, one name a line."});
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || c == '\t') continue;
        throw FormatError({subject.string(), fmt::format("line {}", lineNumber),
                           fmt::format("holds the control byte 0x{:02x}, names have none", byte),
                           "Save the list as UTF-8 text, one name a line."});
    }
}

}  // namespace

bool isTestList(const std::filesystem::path& path) {
    return path.extension() == ".txt" && path.filename() != kMetadataName &&
           path.filename() != kRenderingListName && !isCameraFileName(path);
}

std::vector<ListedName> parseTestList(std::string_view bytes,
                                      const std::filesystem::path& subject) {
    const Utf8Text plain(bytes);
    std::string_view text = plain.text();
    std::vector<ListedName> samples;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = nameIn(text.substr(0, end));
        if (!line.empty() && line.front() != '#') {
            requireValidListedName(line, subject, number);
            samples.push_back({std::string(line), number});
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return samples;
}

std::vector<ListedName> readTestList(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path, kMaxListBytes);
    return parseTestList(asText(bytes), path);
}

}  // namespace threefold
