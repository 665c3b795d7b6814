#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

/// Whether the first line has decimal commas, as in "0,5 1,0 2,0". Commas are separators here, so
/// that this line would be read as six numbers.
bool hasDecimalCommas(std::string_view text) {
    constexpr std::string_view kWordBreaks = " \t\r";
    std::string_view line = text.substr(0, text.find_first_of("\n#"));
    std::size_t words = 0;
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(kWordBreaks), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(kWordBreaks));
        if (word.empty()) break;
        line.remove_prefix(word.size());
        const std::size_t comma = word.find(',');
        const bool inside = comma != word.npos && comma > 0 && comma + 1 < word.size();
        if (!inside || word.find(',', comma + 1) != word.npos) return false;
        ++words;
    }
    return words >= 3;
}

/// ColumnMeaning of three numbers in each row, after the position.
enum class ColumnMeaning { unknown, normal, colour };

/// Column names of CloudCompare and others in the first line.
struct ColumnNames {
    std::array<std::string_view, 3> columns;
    ColumnMeaning meaning;
};
constexpr ColumnNames kColumnNames[] = {{{"nx", "ny", "nz"}, ColumnMeaning::normal},
                                        {{"r", "g", "b"}, ColumnMeaning::colour},
                                        {{"red", "green", "blue"}, ColumnMeaning::colour},
                                        {{"rf", "gf", "bf"}, ColumnMeaning::colour}};

/// Words of a header line in lower case, without separators and quotes: "//X,Y,Z" gives x, y, z.
std::vector<std::string> headerWords(std::string_view line) {
    std::vector<std::string> words(1);
    for (const char c : line) {
        if (std::string_view(" \t\r,;\"").find(c) == std::string_view::npos &&
            !(c == '/' && words.back().empty()))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    for (std::string& word : words) word = lowered(word);
    return words;
}

/// Rows of numbers, all of the same length.
struct NumberRows {
    static constexpr std::size_t kMaxExtras = 6;

    MeshFile cloud;                   ///< holds the positions
    std::size_t width = 0;            ///< numbers of a row
    std::vector<float> extras;        ///< numbers after the positions, extraCount() a row
    std::vector<std::string> header;  ///< names of the columns; empty: none

    std::size_t extraCount() const { return width < 6 ? 0 : std::min(width - 3, kMaxExtras); }
    glm::vec3 extra(std::size_t row, std::size_t first) const {
        const float* values = extras.data() + row * extraCount() + first;
        return {values[0], values[1], values[2]};
    }
};

ColumnMeaning meaningByName(const NumberRows& table, std::size_t first) {
    constexpr std::size_t kPosition = 3;
    if (table.header.size() < kPosition + first + 3) return ColumnMeaning::unknown;
    for (const ColumnNames& names : kColumnNames)
        if (std::equal(names.columns.begin(), names.columns.end(),
                       table.header.begin() + static_cast<std::ptrdiff_t>(kPosition + first)))
            return names.meaning;
    return ColumnMeaning::unknown;
}

/// Guesses the meaning by the values: numbers that are sometimes negative, or of length 1, are
/// normals; whole ones up to 255 and others from 0 to 1 are colours.
ColumnMeaning meaningByValues(const NumberRows& table, std::size_t first) {
    constexpr float kWhite = 255;
    constexpr float kTolerance = 0.05F;
    std::size_t unitCount = 0;
    bool isWhole = true;
    bool isNegative = false;
    float largest = 0;
    const std::size_t rows = table.cloud.vertices.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const glm::vec3 value = table.extra(row, first);
        if (!isFinite(value)) continue;
        isWhole = isWhole && glm::floor(value) == value;
        isNegative = isNegative || value.x < 0 || value.y < 0 || value.z < 0;
        largest = std::max({largest, value.x, value.y, value.z});
        const float length = glm::length(value);
        if (length == 0 || std::abs(length - 1) < kTolerance) ++unitCount;
    }
    constexpr double kMinUnitFraction = 0.95;
    const bool isUnit =
        static_cast<double>(unitCount) >= kMinUnitFraction * static_cast<double>(rows);
    if (isNegative || isUnit) return ColumnMeaning::normal;
    if (isWhole && largest > 1)
        return largest <= kWhite ? ColumnMeaning::colour : ColumnMeaning::unknown;
    return largest <= 1 ? ColumnMeaning::colour : ColumnMeaning::unknown;
}

/// Makes normals and colours of the numbers after the positions.
MeshFile withMeanings(NumberRows table) {
    MeshFile& cloud = table.cloud;
    const std::size_t rows = cloud.vertices.size();
    const std::size_t count = table.extraCount();
    std::size_t usedColumns = 0;
    for (std::size_t first = 0; first + 3 <= count; first += 3) {
        ColumnMeaning meaning = meaningByName(table, first);
        if (meaning == ColumnMeaning::unknown) meaning = meaningByValues(table, first);
        if (meaning == ColumnMeaning::unknown) continue;
        Points& values = meaning == ColumnMeaning::normal ? cloud.normals : cloud.colours;
        if (!values.empty()) continue;
        makeRoom(values, rows);
        for (std::size_t row = 0; row < rows; ++row) values.push_back(table.extra(row, first));
        usedColumns += 3;
    }
    dropPartial(cloud, cloud.normals, "normals", std::ranges::all_of(cloud.normals, isFinite));
    dropPartial(cloud, cloud.colours, "colours", std::ranges::all_of(cloud.colours, isFinite));
    const bool areBytes = std::ranges::any_of(cloud.colours, [](const glm::vec3& colour) {
        return colour.x > 1 || colour.y > 1 || colour.z > 1;
    });
    constexpr float kWhite = 255;
    if (areBytes)
        for (glm::vec3& colour : cloud.colours) colour /= kWhite;
    if (table.width > 3 + usedColumns)
        cloud.ignored["further columns"] = table.width - 3 - usedColumns;
    return std::move(cloud);
}

/// Whether the line is a header: names of columns, or the number of rows.
bool isHeader(std::string_view line) {
    const std::vector<std::string> words = headerWords(line);
    if (words.empty()) return false;
    const bool isCount = words.size() == 1 && numberFrom<std::uint64_t>(words.front()).has_value();
    return isCount || std::ranges::all_of(words, [](const std::string& word) {
               return !numberFrom<double>(word) && !isNotFiniteWord(word) &&
                      std::isalpha(static_cast<unsigned char>(word.front())) != 0;
           });
}

MeshFile readXyz(const MeshInput& input) {
    std::string_view text = asText(input.bytes);
    TextScanner scanner(text, input.subject);
    scanner.setComment('#');
    scanner.setSeparator(',');
    ReadProgress progress(input);
    NumberRows table;
    Points& positions = table.cloud.vertices;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        progress.update(scanner.offset());
        if (!scanner.moreOnLine()) continue;
        const bool isFirst = table.width == 0;
        if (isFirst && table.header.empty()) {
            const std::string_view rest = text.substr(scanner.offset());
            if (hasDecimalCommas(rest)) scanner.fail("decimals stand behind a point, not a comma");
            const std::string_view line = rest.substr(0, rest.find('\n'));
            if (isHeader(line)) {
                table.header = headerWords(line);
                continue;
            }
        }
        glm::vec3 position;
        std::size_t count = 0;
        for (; scanner.moreOnLine(); ++count) {
            constexpr const char* kWhat = "a coordinate";
            const double origin = count < 3 ? input.origin[static_cast<int>(count)] : 0;
            const float value = coordinateOf(scanner, scanner.wordFor(kWhat), kWhat, origin);
            if (count < 3) {
                position[static_cast<int>(count)] = value;
            } else if (count < 3 + (isFirst ? NumberRows::kMaxExtras : table.extraCount())) {
                makeRoom(table.extras, 1);
                table.extras.push_back(value);
            }
        }
        if (isFirst) {
            table.width = count;
            table.extras.resize(table.extraCount());
        }
        if (count < 3 || count != table.width)
            scanner.fail(fmt::format("{} numbers, {} are expected", count,
                                     table.width < 3
                                         ? "three (x y z) or six (and a normal or a colour)"
                                         : fmt::format("{} as in the first row", table.width)));
        makeRoom(positions, 1);
        positions.push_back(position);
    }
    return withMeanings(std::move(table));
}

bool recognisesXyz(const MeshContent& content) {
    const std::string_view word = content.firstWord;
    const bool isNumber =
        !word.empty() && std::string_view("0123456789-+.").find(word[0]) != word.npos;
    return content.isNamed || (content.isText && isNumber);
}

std::string writeXyz(const Mesh& mesh, const VertexExtras& extras) {
    std::string text;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 p = vertexPosition(mesh, extras, i);
        fmt::format_to(std::back_inserter(text), "{:.18e} {:.18e} {:.18e}\n", p.x, p.y, p.z);
    }
    return text;
}

}  // namespace

const MeshFormatInfo mesh_formats::xyz{
    .names = "XYZ",
    .extensions = {"xyz"},
    .choice = "XYZ (vertices only)",
    .recognises = recognisesXyz,
    .read = readXyz,
    .write = writeXyz,
};

}  // namespace threefold
