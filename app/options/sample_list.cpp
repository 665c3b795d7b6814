#include "app/options/sample_list.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"

namespace threefold {
namespace {

constexpr std::uintmax_t kLargestList = std::uintmax_t{64} << 20;

bool isTestList(const std::filesystem::path& path) {
    // A sample's own text files are not lists of samples.
    return path.extension() == ".txt" && path.filename() != "rendering_metadata.txt" &&
           path.filename() != "renderings.txt";
}

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

void appendLines(std::vector<std::string>& samples, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && line.front() != '#') samples.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

std::vector<std::string> expandSamples(const std::vector<std::string>& given) {
    std::vector<std::string> samples;
    for (const std::string& name : given) {
        if (!isTestList(name)) {
            samples.push_back(name);
            continue;
        }
        const std::vector<std::byte> bytes = readFile(name, kLargestList);
        appendLines(samples, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    if (samples.empty()) {
        throw InputError({given.empty() ? "samples" : given.front(), "", "names no sample",
                          "Write one name a line, such as 02691156_p0001_00.dat."});
    }
    return samples;
}

}  // namespace threefold
