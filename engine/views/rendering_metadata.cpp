#include "engine/views/rendering_metadata.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;

class LineParser {
  public:
    LineParser(std::string_view line, std::size_t number, const std::filesystem::path& subject)
        : rest_(line.substr(0, line.find('#'))), number_(number), subject_(subject) {
        skipBlanks();
    }

    bool empty() const { return rest_.empty(); }

    CameraRow row() {
        std::array<double, 5> values{};
        std::size_t count = 0;
        for (; !rest_.empty(); ++count) {
            const double value = number();
            if (count < values.size()) values[count] = value;
        }
        if (count != values.size())
            fail(
                fmt::format("{} numbers, five are expected: azimuth, elevation, in-plane "
                            "rotation, distance, field of view",
                            count));
        if (values[3] <= 0)
            fail(fmt::format("a distance of {}, which must be positive", values[3]));
        return {values[0], values[1], values[2], values[3], values[4]};
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw FormatError({subject_.string(), fmt::format("line {}", number_), problem,
                           "Correct this line: one camera a line, five numbers."});
    }
    void skipBlanks() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    }
    double number() {
        const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanks));
        std::string_view digits = word;
        if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
        double value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
            fail(fmt::format("'{}' is not a finite number", word.substr(0, 40)));
        rest_.remove_prefix(word.size());
        skipBlanks();
        return value;
    }

    std::string_view rest_;
    std::size_t number_;
    const std::filesystem::path& subject_;
};

}  // namespace

std::vector<CameraRow> parseRenderingMetadata(std::string_view text,
                                              const std::filesystem::path& subject) {
    std::vector<CameraRow> rows;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        LineParser line(text.substr(0, length), number, subject);
        if (!line.empty()) rows.push_back(line.row());
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return rows;
}

std::vector<CameraRow> readRenderingMetadata(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kLargestFile);
    return parseRenderingMetadata(asText(bytes), file);
}

std::string formatRenderingMetadata(std::span<const CameraRow> rows) {
    std::string text;
    for (const CameraRow& row : rows)
        text += fmt::format("{} {} {} {} {}\n", row.azimuth, row.elevation, row.inPlane,
                            row.distance, row.fieldOfView);
    return text;
}

}  // namespace threefold
