#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"

namespace threefold {
namespace {

/// Whether the first line has decimal commas, as in "0,5 1,5 0". This reader takes commas for
/// separators, so that it would read five numbers. A comma between two digits of a word is a
/// decimal comma if blanks separate the words; a word with several commas, such as "1,2,3", is a
/// list.
bool hasDecimalCommas(std::string_view text) {
    constexpr std::string_view kWordBreaks = " \t\r";
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string_view line = text.substr(0, text.find_first_of("\n#"));
    std::size_t words = 0;
    bool hasCommaBetweenDigits = false;
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(kWordBreaks), line.size()));
        std::string_view word = line.substr(0, line.find_first_of(kWordBreaks));
        if (word.empty()) break;
        line.remove_prefix(word.size());
        if (word.back() == ',') word.remove_suffix(1);  // "0,5, 1,5, 0"
        const std::size_t comma = word.find(',');
        if (comma != word.npos && word.find(',', comma + 1) != word.npos) return false;
        hasCommaBetweenDigits =
            hasCommaBetweenDigits || (comma != word.npos && comma > 0 && comma + 1 < word.size() &&
                                      isDigit(word[comma - 1]) && isDigit(word[comma + 1]));
        ++words;
    }
    return hasCommaBetweenDigits && words >= 2;
}

/// Meaning of three columns of numbers.
enum class ColumnMeaning { unknown, position, normal, colour };

/// Names that CloudCompare or another program gives to three columns, and their meaning.
struct ColumnNames {
    std::array<std::string_view, 3> columns;
    ColumnMeaning meaning;
};
constexpr ColumnNames kColumnNames[] = {
    {{"x", "y", "z"}, ColumnMeaning::position},
    {{"nx", "ny", "nz"}, ColumnMeaning::normal},
    {{"normal_x", "normal_y", "normal_z"}, ColumnMeaning::normal},
    {{"r", "g", "b"}, ColumnMeaning::colour},
    {{"red", "green", "blue"}, ColumnMeaning::colour},
    {{"rf", "gf", "bf"}, ColumnMeaning::colour},
};

constexpr const ColumnNames& kPositionNames = kColumnNames[0];

constexpr std::size_t kMaxColumns = 4096;

/// Indices of three columns, in the order of their meaning's components.
struct ColumnTriple {
    std::array<std::size_t, 3> columns{0, 1, 2};
    ColumnMeaning meaning = ColumnMeaning::unknown;

    std::size_t last() const { return std::ranges::max(columns); }
};
ColumnTriple adjacentColumns(std::size_t first, ColumnMeaning meaning) {
    return {{first, first + 1, first + 2}, meaning};
}

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

/// Finds the columns with these names: adjacent columns in this order if there are any, else each
/// wherever it is. nullopt if a name is missing.
std::optional<ColumnTriple> tripleOf(const ColumnNames& names,
                                     std::span<const std::string> header) {
    const auto adjacent =
        std::search(header.begin(), header.end(), names.columns.begin(), names.columns.end());
    if (adjacent != header.end())
        return adjacentColumns(static_cast<std::size_t>(adjacent - header.begin()), names.meaning);
    ColumnTriple triple{{}, names.meaning};
    for (std::size_t i = 0; i < names.columns.size(); ++i) {
        const auto named = std::ranges::find(header, names.columns[i]);
        if (named == header.end()) return std::nullopt;
        triple.columns[i] = static_cast<std::size_t>(named - header.begin());
    }
    return triple;
}

/// Triples of columns that a header names; of several with one meaning, the first in kColumnNames.
std::vector<ColumnTriple> namedTriples(std::span<const std::string> header) {
    std::vector<ColumnTriple> triples;
    for (const ColumnNames& names : kColumnNames)
        if (const auto triple = tripleOf(names, header);
            triple &&
            std::ranges::find(triples, names.meaning, &ColumnTriple::meaning) == triples.end())
            triples.push_back(*triple);
    return triples;
}

/// Whether the first three columns may be the positions although the header names no x, y and z:
/// true if none of their names has another meaning, as in "east north height". Degrees are no
/// coordinates.
bool mayBeginWithPositions(std::span<const std::string> header) {
    constexpr std::size_t kPosition = 3;
    constexpr std::string_view kDegrees[] = {"lat", "latitude", "lon", "long", "lng", "longitude"};
    if (std::ranges::any_of(header.first(std::min(header.size(), kPosition)),
                            [&](const auto& name) {
                                return std::ranges::find(kDegrees, name) != std::end(kDegrees);
                            }))
        return false;
    for (std::size_t column = 0; column < std::min(header.size(), kPosition); ++column)
        for (const ColumnNames& names : kColumnNames)
            if (const auto* named = std::ranges::find(names.columns, header[column]);
                named != names.columns.end() && (names.meaning != ColumnMeaning::position ||
                                                 named != names.columns.begin() + column))
                return false;
    return true;
}

/// Rows of numbers, all of the same length.
struct NumberRows {
    LoadedMesh cloud;       ///< holds the positions
    std::size_t width = 0;  ///< numbers of a row
    ColumnTriple position = adjacentColumns(0, ColumnMeaning::position);
    std::vector<ColumnTriple> triples;  ///< further columns that are read
    std::vector<Points> extras;         ///< for each of `triples`: its three numbers of each row
};

/// Chooses the columns to read: those with known names, and up to two triples of unnamed columns
/// after all named ones, whose meaning meaningByValues() guesses. Calls `fail`, which must throw,
/// if the header does not tell the positions.
template <class Fail>
void chooseColumns(NumberRows& table, std::span<const std::string> header, const Fail& fail) {
    constexpr std::size_t kUnnamedEnd = 9;  // unnamed columns from this one on are not read
    bool hasPositions = false;
    for (const ColumnTriple& triple : namedTriples(header)) {
        const bool isPosition = triple.meaning == ColumnMeaning::position;
        if (isPosition && triple.last() >= table.width)
            fail(fmt::format("{} numbers, but the header names {} columns", table.width,
                             header.size()));
        if (triple.last() >= table.width) continue;
        hasPositions = hasPositions || isPosition;
        if (isPosition)
            table.position = triple;
        else
            table.triples.push_back(triple);
    }
    if (!hasPositions && !mayBeginWithPositions(header))
        fail("the header names columns, but not x, y and z: name all three");
    for (std::size_t first = std::max<std::size_t>(3, header.size());
         first + 3 <= std::min(table.width, kUnnamedEnd); first += 3)
        table.triples.push_back(adjacentColumns(first, ColumnMeaning::unknown));
}

/// Reserves room for all rows in `text`, which begins with the first row, so that no vector grows:
/// a growing vector holds its values twice. A number takes two bytes at least.
void reserveRows(NumberRows& table, std::string_view text) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    const std::size_t rows = std::min(lines, (text.size() + 1) / (2 * table.width));
    table.cloud.vertices.reserve(rows);
    table.extras.resize(table.triples.size());
    for (Points& values : table.extras) values.reserve(rows);
}

/// Guesses the meaning of a triple of columns by its values. They are normals if a number is
/// negative, or if nearly all rows have length 1; colours if all numbers are whole and at most 255,
/// or all are from 0 to 1.
ColumnMeaning meaningByValues(const Points& values) {
    constexpr float kWhite = 255;
    constexpr float kTolerance = 0.05F;
    std::size_t unitCount = 0;
    bool isWhole = true;
    bool isNegative = false;
    float largest = 0;
    for (const glm::vec3& value : values) {
        if (!isFinite(value)) continue;
        isWhole = isWhole && glm::floor(value) == value;
        isNegative = isNegative || value.x < 0 || value.y < 0 || value.z < 0;
        largest = std::max({largest, value.x, value.y, value.z});
        if (std::abs(glm::length(value) - 1) < kTolerance) ++unitCount;
    }
    constexpr double kMinUnitFraction = 0.95;
    const bool isUnit =
        static_cast<double>(unitCount) >= kMinUnitFraction * static_cast<double>(values.size());
    if (isNegative || isUnit) return ColumnMeaning::normal;
    if (isWhole && largest > 1)
        return largest <= kWhite ? ColumnMeaning::colour : ColumnMeaning::unknown;
    return largest <= 1 ? ColumnMeaning::colour : ColumnMeaning::unknown;
}

/// Returns the cloud, with normals and colours made of the numbers that are not positions.
LoadedMesh withMeanings(NumberRows table) {
    LoadedMesh& cloud = table.cloud;
    std::size_t usedColumns = 0;
    for (std::size_t triple = 0; triple < table.triples.size(); ++triple) {
        ColumnMeaning meaning = table.triples[triple].meaning;
        if (meaning == ColumnMeaning::unknown) meaning = meaningByValues(table.extras[triple]);
        if (meaning == ColumnMeaning::unknown) continue;
        Points& values = meaning == ColumnMeaning::normal ? cloud.normals : cloud.colours;
        if (!values.empty()) continue;
        values = std::move(table.extras[triple]);
        usedColumns += 3;
    }
    dropIncomplete(cloud, cloud.normals, "normals", std::ranges::all_of(cloud.normals, isFinite));
    dropIncomplete(cloud, cloud.colours, "colours", std::ranges::all_of(cloud.colours, isFinite));
    scaleColours(cloud.colours);
    if (table.width > 3 + usedColumns)
        cloud.unreadContent["further columns"] = table.width - 3 - usedColumns;
    return std::move(cloud);
}

/// The number of rows, if a line consists of one whole number; else nullopt.
std::optional<std::uint64_t> countIn(std::span<const std::string> words) {
    return words.size() == 1 ? parseNumber<std::uint64_t>(words.front()) : std::nullopt;
}

/// Whether the words of a line are names of columns.
bool areNames(std::span<const std::string> words) {
    return !words.empty() && std::ranges::all_of(words, [](const std::string& word) {
        return !parseNumber<double>(word) && !isNotFiniteWord(word) &&
               std::isalpha(static_cast<unsigned char>(word.front())) != 0;
    });
}

/// Lines before the first row, in any order: names of the columns, the number of rows. A comment
/// may name the columns too, as numpy.savetxt() writes "# x y z".
class XyzHeader {
  public:
    const std::optional<std::uint64_t>& count() const { return count_; }

    /// Names of the columns of rows of `width` numbers; of a comment only if it names each of them,
    /// the positions included, since other comments are sentences.
    const std::vector<std::string>& namesOf(std::size_t width) const {
        const bool commentNamesColumns = names_.empty() && commentNames_.size() == width &&
                                         tripleOf(kPositionNames, commentNames_).has_value();
        return commentNamesColumns ? commentNames_ : names_;
    }

    /// Keeps the words of a line that begins with "#", if they can be names of columns.
    void takeComment(std::string_view line) {
        line.remove_prefix(std::min(line.find_first_not_of('#'), line.size()));
        std::vector<std::string> words = headerWords(line);
        if (areNames(words) && tripleOf(kPositionNames, words)) commentNames_ = std::move(words);
    }

    /// Whether the line belongs to the header; keeps the names or the number of rows.
    bool take(std::string_view line) {
        std::vector<std::string> words = headerWords(line);
        if (!count_ && (count_ = countIn(words))) return true;
        if (!names_.empty() || !areNames(words)) return false;
        names_ = std::move(words);
        return true;
    }

  private:
    std::vector<std::string> names_;
    std::vector<std::string> commentNames_;
    std::optional<std::uint64_t> count_;
};

std::string expectedNumbers(std::size_t width) {
    return width < 3 ? "3 (x y z) or 6 (plus a normal or a colour)"
                     : fmt::format("{} as in the first row", width);
}

constexpr const char* kCoordinate = "a coordinate";

/// Reads the words of the scanner's line into `row`.
void readRow(TextScanner& scanner, std::vector<std::string_view>& row) {
    row.clear();
    while (scanner.hasWord()) {
        row.push_back(scanner.requireWord(kCoordinate));
        if (row.size() > kMaxColumns)
            scanner.fail(fmt::format("more than {} numbers in a row", kMaxColumns));
    }
}

/// Appends a row's numbers to the table, whose columns are chosen. `values` is working memory.
void addRow(NumberRows& table, const std::vector<std::string_view>& row, const TextScanner& scanner,
            const glm::dvec3& origin, std::vector<float>& values) {
    if (row.size() < 3 || row.size() != table.width)
        scanner.fail(fmt::format("{} number{}, expected {}", row.size(), row.size() == 1 ? "" : "s",
                                 expectedNumbers(table.width)));
    values.clear();
    for (const std::string_view word : row)
        values.push_back(coordinateOf(scanner, word, kCoordinate, 0));
    glm::vec3 position;
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t column = table.position.columns[static_cast<std::size_t>(axis)];
        position[axis] = origin[axis] == 0
                             ? values[column]
                             : coordinateOf(scanner, row[column], kCoordinate, origin[axis]);
    }
    table.cloud.vertices.push_back(position);
    for (std::size_t i = 0; i < table.triples.size(); ++i) {
        const auto& columns = table.triples[i].columns;
        table.extras[i].emplace_back(values[columns[0]], values[columns[1]], values[columns[2]]);
    }
}

LoadedMesh readXyz(const MeshInput& input) {
    std::string_view text = asText(input.source.bytes);
    TextScanner scanner(text, input.source.subject);
    scanner.setComment('#');
    scanner.setSeparator(',');
    ReadProgress progress(input);
    XyzHeader header;
    NumberRows table;
    std::vector<std::string_view> row;
    std::vector<float> values;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        progress.update(scanner.offset());
        const bool isFirst = table.width == 0;
        if (!scanner.hasWord()) {
            if (isFirst) header.takeComment(scanner.restOfLine());
            continue;
        }
        const std::string_view rest = text.substr(scanner.offset());
        if (isFirst) {
            if (hasDecimalCommas(rest))
                scanner.fail("decimal commas are not supported, only decimal points");
            if (header.take(rest.substr(0, rest.find('\n')))) continue;
        }
        readRow(scanner, row);
        if (isFirst) {
            table.width = row.size();
            if (table.width >= 3) {
                chooseColumns(table, header.namesOf(table.width),
                              [&](const std::string& problem) { scanner.fail(problem); });
                reserveRows(table, rest);
            }
        }
        addRow(table, row, scanner, input.origin, values);
    }
    const std::size_t rows = table.cloud.vertices.size();
    if (header.count() && *header.count() != rows)
        scanner.fail(fmt::format("the file ends after {} row{} of numbers; its header says {}",
                                 rows, rows == 1 ? "" : "s", *header.count()));
    return withMeanings(std::move(table));
}

bool recognisesXyz(const FormatProbe& content) {
    const std::string_view word = content.firstWord;
    const bool isNumber =
        !word.empty() && std::string_view("0123456789-+.").find(word[0]) != word.npos;
    return content.hasExtension || (content.isText && isNumber);
}

std::string writeXyz(const Mesh& mesh, const MeshWriteOptions& options) {
    std::string text;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec3 p = vertexPosition(mesh, options, i);
        fmt::format_to(std::back_inserter(text), "{:.18e} {:.18e} {:.18e}\n", p.x, p.y, p.z);
    }
    return text;
}

}  // namespace

const MeshFormatInfo mesh_formats::xyz{
    .names = "XYZ",
    .extensions = {"xyz"},
    .recognises = recognisesXyz,
    .decode = readXyz,
    .encode = writeXyz,
};

}  // namespace threefold
