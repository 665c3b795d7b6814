#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

/// Values of the vertices that the file's first word declares, in the word's order. The line of a
/// vertex has its position, then these values in reverse order: weight, normal, colour, texture
/// coordinates.
struct OffKind {
    bool isTextured = false;     ///< ST: two texture coordinates at the end
    bool isColoured = false;     ///< C: three or four numbers
    bool hasNormals = false;     ///< N: three numbers
    bool isHomogeneous = false;  ///< 4: a weight
    std::size_t length = 0;      ///< of the word, without a count that follows OFF
};

/// Parses [ST][C][N][4]OFF, also in ModelNet's "OFF490 518 0", which lacks a line end.
std::optional<OffKind> kindOf(std::string_view word) {
    const std::string lower = lowered(word);
    OffKind kind;
    const auto take = [&](std::string_view prefix) {
        if (!std::string_view(lower).substr(kind.length).starts_with(prefix)) return false;
        kind.length += prefix.size();
        return true;
    };
    kind.isTextured = take("st");
    kind.isColoured = take("c");
    kind.hasNormals = take("n");
    kind.isHomogeneous = take("4");
    if (!take("off")) return std::nullopt;
    const std::string_view rest = std::string_view(lower).substr(kind.length);
    if (!rest.empty() && rest.find_first_not_of("0123456789") != rest.npos) return std::nullopt;
    return kind;
}

class OffReader {
    struct Number {
        float value = 0;
        bool whole = false;  ///< written without a point or exponent
    };

  public:
    explicit OffReader(const MeshInput& input)
        : input_(input),
          scanner_(asText(input.source.bytes), input.source.subject),
          progress_(input) {
        scanner_.setComment('#');
    }

    LoadedMesh read() {
        const std::string_view word = scanner_.nextWordOfText();
        const std::optional<OffKind> kind = kindOf(word);
        if (!kind) scanner_.fail("does not begin with OFF");
        const std::string_view countInWord = word.substr(kind->length);
        const auto first = countInWord.empty() ? next("a number of vertices") : countInWord;
        if (lowered(first) == "binary")
            scanner_.fail("is a binary OFF, which is not supported: save it as text");
        const std::uint64_t vertices = count(first, "a number of vertices");
        const std::size_t line = scanner_.line();
        const std::uint64_t faces = count(next("a number of faces"), "a number of faces");
        skipEdgeCount(scanner_.line() != line);
        checkCount(vertices, "vertices");
        for (std::uint64_t i = 0; i < vertices; ++i) addVertex(*kind);
        checkCount(faces, "faces");
        for (std::uint64_t i = 0; i < faces; ++i) addFace();
        if (const std::string_view rest = scanner_.nextWordOfText(); !rest.empty())
            scanner_.fail(fmt::format("'{}' follows the last of the {} faces that are declared",
                                      textPrefix(rest, 40), faces));
        finish();
        return std::move(mesh_);
    }

  private:
    /// Skips the number of edges, which is unused, and sometimes missing. `hasOwnLines`: the
    /// numbers before it have a line each, so that a number alone on the next line is the number of
    /// edges.
    void skipEdgeCount(bool hasOwnLines) {
        std::string_view edges = scanner_.word();
        if (edges.empty() && hasOwnLines) {
            TextScanner ahead = scanner_;
            const std::string_view word = ahead.nextWordOfText();
            if (!word.empty() && !ahead.hasWord()) {
                edges = word;
                scanner_ = ahead;
            }
        }
        if (!edges.empty()) count(edges, "a number of edges");
    }

    std::string_view next(const char* expected) {
        const std::string_view word = scanner_.nextWordOfText();
        if (word.empty()) scanner_.fail(fmt::format("the file ends here; expected {}", expected));
        return word;
    }

    std::uint64_t count(std::string_view word, const char* expected) {
        const std::int64_t value = scanner_.toInteger(word, expected);
        if (value < 0) scanner_.fail(fmt::format("{} is negative; expected {}", value, expected));
        return static_cast<std::uint64_t>(value);
    }

    /// Refuses a count that the file cannot hold: a line of a vertex or face takes more than two
    /// bytes.
    void checkCount(std::uint64_t declared, const char* expected) {
        if (declared > input_.source.bytes.size() / 2)
            scanner_.fail(
                fmt::format("{} {} are declared, but the file's {} bytes cannot hold them",
                            declared, expected, input_.source.bytes.size()));
    }

    void addVertex(const OffKind& kind) {
        constexpr const char* kExpected = "a coordinate";
        progress_.update(scanner_.offset());
        glm::vec3 position;
        for (int axis = 0; axis < 3; ++axis)
            position[axis] =
                coordinateOf(scanner_, next(kExpected), kExpected, input_.origin[axis]);
        reserveGrowing(mesh_.vertices, 1);
        mesh_.vertices.push_back(position);
        if (kind.isHomogeneous) {
            const float weight = scanner_.toFloat(next("a weight"), "a weight");
            if (weight != 1)
                scanner_.fail(fmt::format("a weight of {}, but only 1 is supported", weight));
        }
        if (kind.hasNormals) {
            glm::vec3 normal;
            for (int axis = 0; axis < 3; ++axis)
                normal[axis] = coordinateOf(scanner_, next("a normal"), "a normal", 0);
            reserveGrowing(mesh_.normals, 1);
            mesh_.normals.push_back(normal);
        }
        addColour(kind);
    }

    /// Reads the rest of a vertex's line: a colour, and texture coordinates, which are ignored
    /// because an OFF file names no texture. Some programs write colours even if the first word has
    /// no C.
    void addColour(const OffKind& kind) {
        std::vector<Number>& numbers = numbers_;
        numbers.clear();
        while (scanner_.hasWord()) {
            const std::string_view word = scanner_.word();
            numbers.push_back({coordinateOf(scanner_, word, "a colour", 0),
                               word.find_first_of(".eE") == word.npos});
        }
        std::size_t size = numbers.size();
        if (kind.isTextured && size >= 2) {
            size -= 2;
            ++mesh_.unreadContent["texture coordinates"];
        }
        if (size < 3 || size > 4) {
            if (size > 0) ++mesh_.unreadContent["numbers behind vertices"];
            return;
        }
        for (std::size_t i = 0; i < size; ++i) {
            areWhole_ = areWhole_ && numbers[i].whole;
            aboveOne_ = aboveOne_ || numbers[i].value > 1;
        }
        reserveGrowing(mesh_.colours, 1);
        mesh_.colours.emplace_back(numbers[0].value, numbers[1].value, numbers[2].value);
    }

    void addFace() {
        progress_.update(scanner_.offset());
        const std::uint64_t corners = count(next("a face"), "a number of corners");
        if (corners > kMaxCorners) scanner_.fail(fmt::format("a face of {} corners", corners));
        corners_.clear();
        for (std::uint64_t i = 0; i < corners; ++i) {
            const std::int64_t index =
                scanner_.toInteger(next("the number of a vertex"), "the number of a vertex");
            if (index < 0 || static_cast<std::uint64_t>(index) >= mesh_.vertices.size())
                scanner_.fail(fmt::format(
                    "a face names the vertex {}, but the number of vertices is {} (counted from 0)",
                    index, mesh_.vertices.size()));
            corners_.push_back(static_cast<std::uint32_t>(index));
        }
        if (scanner_.hasWord()) ++mesh_.unreadContent["colours of faces"];
        scanner_.nextLine();
        if (corners < 3) {
            ++mesh_.leftOut[ShapeDefect::degenerateFaces];
            return;
        }
        addPolygon(mesh_, corners_);
    }

    void finish() {
        dropIncomplete(mesh_, mesh_.normals, "normals",
                       std::ranges::all_of(mesh_.normals, isFinite));
        dropIncomplete(mesh_, mesh_.colours, "colours",
                       std::ranges::all_of(mesh_.colours, isFinite));
        constexpr float kWhite = 255;
        // If all numbers are 0 or 1, they are fractions: dividing them by 255 would make every
        // colour nearly black.
        if (areWhole_ && aboveOne_)
            for (glm::vec3& colour : mesh_.colours) colour /= kWhite;
        else
            scaleColours(mesh_.colours);
    }

    const MeshInput& input_;
    TextScanner scanner_;
    ReadProgress progress_;
    LoadedMesh mesh_;
    std::vector<std::uint32_t> corners_;
    std::vector<Number> numbers_;  // numbers after a vertex's position, weight and normal
    bool areWhole_ = true;         // all numbers of colours are integers
    bool aboveOne_ = false;        // a number of a colour is above 1
};

}  // namespace

const MeshFormatInfo mesh_formats::off{
    .names = "OFF",
    .extensions = {"off"},
    .recognises =
        [](const FormatProbe& content) {
            return content.isText && kindOf(content.firstWord).has_value();
        },
    .decode = [](const MeshInput& input) { return OffReader(input).read(); },
    .carriesFaces = true,
    .carriesColours = true,
};

}  // namespace threefold
