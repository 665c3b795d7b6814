#include "engine/formats/meshes/obj_text.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

/// Escapes a name for mtllib: tinyobjloader splits names at blanks that no backslash precedes.
std::string escaped(std::string_view name) {
    std::string safe;
    for (const char c : asTinyobjloaderLine(name)) {
        if (c == ' ' || c == '\\') safe += '\\';
        safe += c;
    }
    return safe;
}

void checkIndex(const TextScanner& scanner, std::string_view word, std::string_view expected) {
    constexpr std::int64_t kMaxIndex = std::numeric_limits<int>::max();
    const std::int64_t index = scanner.toInteger(word, expected);
    if (index > kMaxIndex || index < -kMaxIndex)
        scanner.fail(fmt::format("a face has the index {}, which is out of range", index));
}

}  // namespace

ObjText::ObjText(const MeshInput& input, LoadedMesh& mesh)
    : input_(input),
      mesh_(mesh),
      text_(asText(input.source.bytes)),
      linesEnd_(text_.rfind('\n') + 1),
      progress_(input) {}

void ObjText::checkKnown() const {
    if (!firstUnknown_.empty())
        failAt(firstUnknownAt_, fmt::format("'{}' is not a valid OBJ statement", firstUnknown_));
}

void ObjText::failAt(std::size_t offset, const std::string& problem) const {
    scannerAt(offset, 1 + linesBetween(0, offset)).fail(problem);
}

std::size_t ObjText::linesBetween(std::size_t first, std::size_t last) const {
    return static_cast<std::size_t>(std::ranges::count(text_.substr(first, last - first), '\n'));
}

TextScanner ObjText::scannerAt(std::size_t offset, std::size_t line) const {
    TextScanner scanner(text_.substr(offset), input_.source.subject, line);
    scanner.setContinuation(true);
    scanner.setComment('#');
    return scanner;
}

ObjText::int_type ObjText::underflow() {
    while (consumed_ != text_.size()) {
        progress_.update(consumed_);
        if (passPlainLines() || rewriteStatement()) return traits_type::to_int_type(*gptr());
    }
    return traits_type::eof();
}

void ObjText::passOn(const char* first, const char* last) {
    char* const begin = const_cast<char*>(first);  // the stream is only read
    setg(begin, begin, begin + (last - first));
}

/// Passes on the plain statements at the current position. False if there are none.
bool ObjText::passPlainLines() {
    constexpr std::size_t kMaxBytes = std::size_t{1} << 16U;  // stays in the processor's cache
    const char* const first = text_.data() + consumed_;
    const char* const last = text_.data() + std::min(consumed_ + kMaxBytes, linesEnd_);
    const char* end = first;
    next_ = {};
    while (end < last) {
        next_ = plainStatement(end);
        if (!passes(next_.kind)) break;
        end = next_.end;
    }
    if (end == first) return false;
    passOn(first, end);
    consumed_ += static_cast<std::size_t>(end - first);
    isRewritten_ = false;
    numbers_ = {};
    return true;
}

bool ObjText::passes(ObjStatement kind) const {
    if (kind == ObjStatement::coordinate) return readsCoordinates();
    return kind != ObjStatement::none && kind != ObjStatement::colouredVertex;
}

/// Passes on the statement at the current position, rewritten. Returns false if the statement is
/// dropped.
bool ObjText::rewriteStatement() {
    rewritten_.clear();
    numbers_ = {};
    colourIndex_ = 0;
    statementBegin_ = consumed_;
    if (next_.kind == ObjStatement::none) {
        line_ += linesBetween(std::exchange(checkedOffset_, statementBegin_), statementBegin_);
        TextScanner scanner = scannerAt(statementBegin_, line_);
        checkStatement(scanner);
        statementEnd_ = statementBegin_ + scanner.offset();
        scanner.nextLine();
        consumed_ = statementBegin_ + scanner.offset();
    } else {
        if (next_.kind == ObjStatement::coordinate) ignore("texture coordinates");
        if (next_.kind == ObjStatement::colouredVertex) writeColouredVertex();
        statementEnd_ = statementBegin_;
        consumed_ = static_cast<std::size_t>(next_.end - text_.data());
    }
    if (rewritten_.empty()) return false;
    rewritten_ += '\n';
    passOn(rewritten_.data(), rewritten_.data() + rewritten_.size());
    isRewritten_ = true;
    return true;
}

void ObjText::writeColouredVertex() {
    rewritten_.assign(text_.data() + statementBegin_, next_.positionEnd);
    writeColours({next_.positionEnd, static_cast<std::size_t>(next_.end - 1 - next_.positionEnd)},
                 next_.colourBegin == next_.positionEnd ? 3 : 4);
}

/// Writes the three or four numbers after a vertex's position as one or two texture coordinates.
void ObjText::writeColours(std::string_view numbers, std::size_t count) {
    constexpr std::string_view kBlanks = " \t\r";
    std::array<std::string_view, 4> words;
    for (std::size_t i = 0; i < count; ++i) {
        numbers.remove_prefix(std::min(numbers.find_first_not_of(kBlanks), numbers.size()));
        words[i] = numbers.substr(0, numbers.find_first_of(kBlanks));
        numbers.remove_prefix(words[i].size());
    }
    for (std::size_t first = 0; first + 3 <= count; ++first) {
        rewritten_ += "\nvt";
        for (std::size_t i = first; i < first + 3; ++i) put(words[i]);
    }
    colourIndex_ = 3;
    lastColourIndex_ = count;
}

std::size_t ObjText::takeColour() {
    if (colourIndex_ == 0) return 0;
    const std::size_t from = colourIndex_;
    colourIndex_ = from < lastColourIndex_ ? from + 1 : 0;
    return from;
}

void ObjText::checkStatement(TextScanner& scanner) {
    const std::string_view word = scanner.word();
    if (word.empty()) return;
    if (word == "v") return checkVertex(scanner);
    if (word == "f") return checkFace(scanner);
    if (word == "vn") return checkNormal(scanner);
    if (word == "vt") return checkCoordinate(scanner);
    if (word == "l") return ignore("lines");
    if (word == "p") return ignore("points");
    for (const std::string_view naming : {"o", "g", "s", "usemtl", "mtllib"})
        if (word == naming) return checkName(word, scanner.restOfLine());
    if (firstUnknown_.empty()) {
        firstUnknown_ = textPrefix(word, 40);
        firstUnknownAt_ = statementBegin_ + scanner.offset();
    }
    ignore("other statements");
}

/// Rewrites a usemtl or mtllib statement if the appearance is wanted; drops other naming
/// statements. In a name '#' begins no comment: programs write "Material #25".
void ObjText::checkName(std::string_view word, std::string_view name) {
    if (input_.source.appearance == nullptr) return;
    if (word == "usemtl") rewritten_ = "usemtl " + materialName(name);
    if (word == "mtllib") rewritten_ = "mtllib " + escaped(name);
}

void ObjText::putNumber(TextScanner& scanner, std::string_view expected) {
    const std::string_view word = scanner.requireWord(expected);
    numbers_.add(scanner.toFloat(word, expected));
    put(word);
}

void ObjText::putVertexNumber(TextScanner& scanner) {
    constexpr const char* kExpected = "a coordinate";
    const std::string_view word = scanner.requireWord(kExpected);
    if (isNotFiniteWord(word)) {  // tinyobjloader gets 0; vertex() returns NaN
        numbers_.position[static_cast<int>(numbers_.count)] =
            std::numeric_limits<double>::quiet_NaN();
        numbers_.add(std::numeric_limits<float>::quiet_NaN());
        return put("0");
    }
    const float value = scanner.toFloat(word, kExpected);
    if (input_.origin != glm::dvec3(0.0))
        numbers_.position[static_cast<int>(numbers_.count)] = scanner.toDouble(word, kExpected);
    numbers_.add(value);
    put(word);
}

/// Whether the line holds a word such as "1.#IND", which Microsoft's libraries write for NaN, and
/// which would be read as a comment from '#' on.
bool ObjText::hasWindowsNan() const {
    const std::string_view line =
        text_.substr(statementBegin_, text_.find('\n', statementBegin_) - statementBegin_);
    return line.find("1.#") != line.npos;
}

void ObjText::checkVertex(TextScanner& scanner) {
    rewritten_ = "v";
    if (hasWindowsNan()) {
        numbers_.position = glm::dvec3(std::numeric_limits<double>::quiet_NaN());
        for (int axis = 0; axis < 3; ++axis) {
            numbers_.add(std::numeric_limits<float>::quiet_NaN());
            put("0");
        }
        return;
    }
    for (int axis = 0; axis < 3; ++axis) putVertexNumber(scanner);
    constexpr const char* kExpected = "a colour";
    std::array<std::string_view, 4> more;
    std::size_t count = 0;
    try {
        for (; count < more.size() && scanner.hasWord(); ++count) {
            more[count] = scanner.requireWord(kExpected);
            numbers_.add(scanner.toFloat(more[count], kExpected));
        }
    } catch (const FormatError& error) {
        if (input_.source.appearance != nullptr && !coloursBroken_)
            input_.source.appearance->missing.emplace_back(error.what());
        coloursBroken_ = true;  // drops only the colours, not the shape
    }
    if (count < 3) return;  // too few for a colour; a single number may be a weight
    std::string colours;
    for (std::size_t i = 0; i < count; ++i) colours.append(" ").append(more[i]);
    writeColours(colours, count);
}

/// Rewrites a normal. For a face without area some programs write `vn nan nan nan`, or `vn -1.#IND
/// …`, which is a comment from its middle on.
void ObjText::checkNormal(TextScanner& scanner) {
    rewritten_ = "vn";
    for (int axis = 0; axis < 3; ++axis) {
        const std::string_view word = scanner.word();
        const bool finite = !word.empty() && !isNotFiniteWord(word);
        numbers_.add(finite ? scanner.toFloat(word, "a part of a normal") : 0);
        put(finite ? word : "0");
        normalsFit_ = normalsFit_ && finite;
    }
}

void ObjText::checkCoordinate(TextScanner& scanner) {
    const bool isRead = checkAppearance([&] {
        constexpr const char* kExpected = "a texture coordinate";
        rewritten_ = "vt";
        putNumber(scanner, kExpected);
        if (scanner.hasWord()) putNumber(scanner, kExpected);
    });
    if (isRead) return;
    rewritten_.clear();
    ignore("texture coordinates");
}

/// Runs `check` on texture coordinates. After a defect the coordinates are dropped, not the shape.
/// False if coordinates are not read.
template <class Check>
bool ObjText::checkAppearance(Check check) {
    if (!readsCoordinates()) return false;
    try {
        check();
    } catch (const FormatError& error) {
        input_.source.appearance->missing.emplace_back(error.what());
        coordinatesBroken_ = true;
    }
    return !coordinatesBroken_;
}

void ObjText::checkFace(TextScanner& scanner) {
    rewritten_ = "f";
    std::size_t corners = 0;
    for (std::string_view word = scanner.word(); !word.empty(); word = scanner.word()) {
        checkCorner(scanner, word);
        if (++corners > kMaxCorners)
            scanner.fail(fmt::format("a face of more than {} corners", kMaxCorners));
    }
    if (corners >= 3) return;
    rewritten_.clear();
    ++mesh_.leftOut[ShapeDefect::degenerateFaces];
}

/// Checks and rewrites a corner: "1", "1/2", "1//3" or "1/2/3". Some programs write "1//" and
/// "1/1/" without a normal.
void ObjText::checkCorner(const TextScanner& scanner, std::string_view word) {
    const std::size_t slash = std::min(word.find('/'), word.size());
    const std::size_t last = std::min(word.rfind('/'), word.size());
    const std::string_view vertex = word.substr(0, slash);
    checkIndex(scanner, vertex, "the number of a vertex");
    if (std::ranges::count(word, '/') > 2)
        scanner.fail(fmt::format("'{}' has too many parts", textPrefix(word, 40)));
    std::string_view normal;
    if (last != slash && normalsFit_) normal = word.substr(last + 1);
    if (!normal.empty()) checkIndex(scanner, normal, "a normal's number");
    const std::size_t end = last == slash ? word.size() : last;
    std::string_view coordinate;
    if (end > slash + 1) coordinate = word.substr(slash + 1, end - slash - 1);
    const bool isRead = !coordinate.empty() &&
                        checkAppearance([&] { checkIndex(scanner, coordinate, "an index"); });
    put(vertex);
    if (isRead || !normal.empty()) rewritten_ += '/';
    if (isRead) rewritten_ += coordinate;
    if (!normal.empty()) rewritten_.append("/").append(normal);
}

glm::vec3 ObjText::nearest(double x, double y, double z, std::size_t from) const {
    if (numbers_.count == 0) {
        const auto nearX = nearestFloat(x);
        const auto nearY = nearestFloat(y);
        const auto nearZ = nearestFloat(z);
        if (nearX && nearY && nearZ) return {*nearX, *nearY, *nearZ};
    }
    const Numbers numbers = numbers_.count == 0 ? readNumbers() : numbers_;
    const float* const first = numbers.values.data() + from;
    return {first[0], first[1], first[2]};
}

glm::vec3 ObjText::vertex(double x, double y, double z) const {
    if (input_.origin == glm::dvec3(0.0)) return nearest(x, y, z);
    const Numbers numbers = numbers_.count == 0 ? readNumbers() : numbers_;
    return glm::vec3(numbers.position - input_.origin);
}

/// Parses the numbers of the current statement, which is plain: all its words are numbers.
ObjText::Numbers ObjText::readNumbers() const {
    const std::string_view passed(eback(), static_cast<std::size_t>(gptr() - 1 - eback()));
    const std::size_t passedOffset = static_cast<std::size_t>(eback() - text_.data());
    const std::size_t begin =
        isRewritten_ ? statementBegin_ : passedOffset + passed.rfind('\n') + 1;
    TextScanner scanner = scannerAt(begin, 1);
    Numbers numbers;
    constexpr const char* kExpected = "a number";
    for (scanner.word(); scanner.hasWord();) {
        const std::string_view word = scanner.requireWord(kExpected);
        if (numbers.count < 3)
            numbers.position[static_cast<int>(numbers.count)] = scanner.toDouble(word, kExpected);
        numbers.add(scanner.toFloat(word, kExpected));
    }
    return numbers;
}

}  // namespace threefold
