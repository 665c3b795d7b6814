#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

/// Whether the first line has decimal commas, as in "0,5 1,0 2,0": taken for separators, they would
/// give other points.
bool hasDecimalCommas(std::string_view text) {
    constexpr std::string_view kBetween = " \t\r";
    std::string_view line = text.substr(0, text.find_first_of("\n#"));
    std::size_t words = 0;
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(kBetween), line.size()));
        const std::string_view word = line.substr(0, line.find_first_of(kBetween));
        if (word.empty()) break;
        line.remove_prefix(word.size());
        const std::size_t comma = word.find(',');
        const bool inside = comma != word.npos && comma > 0 && comma + 1 < word.size();
        if (!inside || word.find(',', comma + 1) != word.npos) return false;
        ++words;
    }
    return words >= 3;
}

MeshFile readXyz(const MeshInput& input) {
    const std::string_view text = asText(input.bytes);
    TextScanner scanner(text, input.subject);
    scanner.setComment('#');
    scanner.setSeparator(',');
    ReadingSteps steps(input);
    MeshFile cloud;
    std::size_t width = 0;  // of the first row: all have as many numbers
    for (; !scanner.atEnd(); scanner.nextLine()) {
        steps.at(scanner.offset());
        if (!scanner.moreOnLine()) continue;
        if (width == 0 && hasDecimalCommas(text.substr(scanner.offset())))
            scanner.fail("decimals stand behind a point, not a comma");
        std::array<float, 6> row{};
        std::size_t count = 0;
        for (; scanner.moreOnLine(); ++count) {
            const float value = scanner.number("a coordinate");
            if (count < row.size()) row[count] = value;
        }
        if (width == 0) width = count;
        if (count < 3 || count != width)
            scanner.fail(fmt::format("{} numbers, {} are expected", count,
                                     width < 3 ? "three (x y z) or six (and a normal)"
                                               : fmt::format("{} as in the first row", width)));
        makeRoom(cloud.vertices, 1);
        cloud.vertices.emplace_back(row[0], row[1], row[2]);
        if (width < row.size()) continue;
        makeRoom(cloud.normals, 1);
        cloud.normals.emplace_back(row[3], row[4], row[5]);
    }
    const std::size_t used = width < 6 ? 3 : 6;
    if (width > used) cloud.ignored["further columns"] = width - used;
    return cloud;
}

bool recognisesXyz(const MeshContent& content) {
    const std::string_view word = content.firstWord;
    const bool isNumber =
        !word.empty() && std::string_view("0123456789-+.").find(word[0]) != word.npos;
    return content.isNamed || (content.isText && isNumber);
}

std::string writeXyz(const Mesh& mesh, const VertexExtras&) {
    std::string text;
    for (const glm::dvec3 p : mesh.vertices)
        fmt::format_to(std::back_inserter(text), "{:.18e} {:.18e} {:.18e}\n", p.x, p.y, p.z);
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
