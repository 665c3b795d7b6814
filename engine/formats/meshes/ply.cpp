#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/text_scanner.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };
enum class Encoding { text, little, big };

/// A value of a binary file; `swapped`: in the other byte order than this machine's.
template <class Value>
double loadAs(const std::byte* at, bool swapped) {
    std::array<std::byte, sizeof(Value)> bytes;
    std::memcpy(bytes.data(), at, sizeof(Value));
    if (swapped) std::ranges::reverse(bytes);
    return static_cast<double>(std::bit_cast<Value>(bytes));
}

struct TypeInfo {
    std::string_view names[2];
    std::size_t size;
    float white;  ///< the largest value of a colour of this type
    double (*load)(const std::byte* at, bool swapped);
};
constexpr std::array<TypeInfo, 8> kTypes{{{{"char", "int8"}, 1, 255, loadAs<std::int8_t>},
                                          {{"uchar", "uint8"}, 1, 255, loadAs<std::uint8_t>},
                                          {{"short", "int16"}, 2, 255, loadAs<std::int16_t>},
                                          {{"ushort", "uint16"}, 2, 65535, loadAs<std::uint16_t>},
                                          {{"int", "int32"}, 4, 255, loadAs<std::int32_t>},
                                          {{"uint", "uint32"}, 4, 255, loadAs<std::uint32_t>},
                                          {{"float", "float32"}, 4, 1, loadAs<float>},
                                          {{"double", "float64"}, 8, 1, loadAs<double>}}};

const TypeInfo& infoOf(Type type) {
    return kTypes[static_cast<std::size_t>(type)];
}

bool isWhole(Type type) {
    return type < Type::f32;
}

struct Property {
    std::string name;
    Type type = Type::f32;
    std::optional<Type> count;  ///< of a list
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
    std::size_t headerLine = 0;
};

struct Header {
    Encoding encoding = Encoding::text;
    std::vector<Element> elements;
    std::size_t size = 0;  ///< bytes
    std::size_t lines = 0;
};

class HeaderReader {
  public:
    HeaderReader(std::string_view text, const std::filesystem::path& subject)
        : scanner_(text, subject) {}

    Header read() {
        scanner_.nextLine();  // "ply"
        bool hasFormat = false;
        while (true) {
            if (scanner_.atEnd()) scanner_.fail("the header has no 'end_header'");
            const std::string_view word = scanner_.word();
            if (word == "end_header") break;
            if (word == "format") {
                format(scanner_.word());
                hasFormat = true;
            } else if (word == "element") {
                element();
            } else if (word == "property") {
                property();
            } else if (word != "comment" && word != "obj_info" && !word.empty()) {
                scanner_.fail(fmt::format("'{}' is no part of a PLY header", word.substr(0, 40)));
            }
            scanner_.nextLine();
        }
        if (!hasFormat) scanner_.fail("the header names no format");
        scanner_.nextLine();
        header_.size = scanner_.offset();
        header_.lines = scanner_.line();
        return std::move(header_);
    }

  private:
    void format(std::string_view word) {
        constexpr std::array<std::string_view, 3> kNames{"ascii", "binary_little_endian",
                                                         "binary_big_endian"};
        const auto* found = std::ranges::find(kNames, word);
        if (found == kNames.end())
            scanner_.fail(
                fmt::format("the format '{}' is none of ascii, binary_little_endian and "
                            "binary_big_endian",
                            word.substr(0, 40)));
        header_.encoding = static_cast<Encoding>(found - kNames.begin());
    }
    void element() {
        Element element;
        element.name = scanner_.word();
        const std::int64_t count = scanner_.integer("a number of elements");
        if (count < 0) scanner_.fail(fmt::format("{} elements are declared", count));
        element.count = static_cast<std::uint64_t>(count);
        element.headerLine = scanner_.line();
        header_.elements.push_back(std::move(element));
    }
    void property() {
        if (header_.elements.empty()) scanner_.fail("a property stands before the first element");
        Property property;
        const std::string_view word = scanner_.word();
        if (word == "list") {
            property.count = type(scanner_.word());
            if (!isWhole(*property.count)) scanner_.fail("a list is counted in fractions");
            property.type = type(scanner_.word());
        } else {
            property.type = type(word);
        }
        property.name = scanner_.word();
        header_.elements.back().properties.push_back(std::move(property));
    }
    Type type(std::string_view word) {
        for (std::size_t i = 0; i < kTypes.size(); ++i)
            if (word == kTypes[i].names[0] || word == kTypes[i].names[1])
                return static_cast<Type>(i);
        scanner_.fail(fmt::format("'{}' is no type of a PLY property", word.substr(0, 40)));
    }

    TextScanner scanner_;
    Header header_;
};

/// Reads the values of a binary body, one after the other.
class BinaryBody {
  public:
    BinaryBody(std::span<const std::byte> bytes, std::size_t offset, bool swapped,
               const std::filesystem::path& subject)
        : bytes_(bytes), offset_(offset), swapped_(swapped), subject_(subject) {}

    std::size_t offset() const { return offset_; }
    [[noreturn]] void fail(const std::string& problem) const {
        failAtByte(subject_, offset_, problem);
    }
    /// The fewest bytes that a value takes.
    static std::uint64_t leastSize(Type type) { return infoOf(type).size; }
    std::size_t remaining() const { return bytes_.size() - offset_; }
    void goBackTo(std::size_t offset) { offset_ = offset; }

    double number(Type type, std::string_view) { return infoOf(type).load(next(type), swapped_); }
    /// NaN where it is no number.
    double numberOrNan(Type type) { return number(type, {}); }
    void skip(Type type) { next(type); }

  private:
    const std::byte* next(Type type) {
        const std::size_t size = infoOf(type).size;
        if (size > remaining()) fail("the file ends in the middle of its data");
        const std::byte* at = bytes_.data() + offset_;
        offset_ += size;
        return at;
    }

    std::span<const std::byte> bytes_;
    std::size_t offset_;
    bool swapped_;
    const std::filesystem::path& subject_;
};

/// Reads the values of a text body. Some programs do not begin a line with each element.
class TextBody {
  public:
    TextBody(std::string_view text, const Header& header, const std::filesystem::path& subject)
        : size_(text.size()),
          start_(header.size),
          scanner_(text.substr(header.size), subject, header.lines) {}

    std::size_t offset() const { return start_ + scanner_.offset(); }
    [[noreturn]] void fail(const std::string& problem) const { scanner_.fail(problem); }
    static std::uint64_t leastSize(Type) { return 2; }  // a digit and a blank
    std::size_t remaining() const { return size_ - offset(); }

    double number(Type type, std::string_view what) { return toNumber(type, next(), what); }
    double numberOrNan(Type type) {
        const std::string_view word = next();
        try {
            return toNumber(type, word, {});
        } catch (const FormatError&) {
            return std::numeric_limits<double>::quiet_NaN();
        }
    }
    void skip(Type) { next(); }

  private:
    double toNumber(Type type, std::string_view word, std::string_view what) const {
        if (isWhole(type) && word.find_first_of(".eEn") == word.npos)
            return static_cast<double>(scanner_.toInteger(word, what));
        return static_cast<double>(scanner_.toNumber(word, what));
    }
    std::string_view next() {
        const std::string_view word = scanner_.wordOfAnyLine();
        if (word.empty()) fail("the file ends in the middle of its data");
        return word;
    }

    std::size_t size_;
    std::size_t start_;
    TextScanner scanner_;
};

/// The component of a vertex that a property fills.
enum Place : int { skipped = -1, x, y, z, nx, ny, nz, red, green, blue, placeCount };

int placeOf(const Property& property) {
    constexpr std::string_view kNames[][placeCount] = {
        {"x", "y", "z", "nx", "ny", "nz", "red", "green", "blue"},
        {"", "", "", "", "", "", "r", "g", "b"},
        {"", "", "", "", "", "", "diffuse_red", "diffuse_green", "diffuse_blue"}};
    if (property.count || property.name.empty()) return skipped;
    for (const auto& names : kNames)
        if (const auto* found = std::ranges::find(names, property.name); found != std::end(names))
            return static_cast<int>(found - names);
    return skipped;
}

template <class Body>
class BodyReader {
  public:
    BodyReader(Body body, const Header& header, const MeshInput& input)
        : body_(std::move(body)), header_(header), input_(input), steps_(input) {}

    MeshFile read() {
        for (const Element& element : header_.elements) {
            checkCount(element);
            if (element.name == "vertex") {
                vertices(element);
            } else if (element.name == "face") {
                faces(element);
            } else {
                skipElements(element);
            }
        }
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (highest_ >= count)
            throw FormatError({input_.subject.string(), fmt::format("face {}", highestFace_),
                               fmt::format("names the vertex {}, there are {}", highest_, count),
                               "Correct this face, or write the file again."});
        return std::move(mesh_);
    }

  private:
    /// Refuses more elements than the rest of the file can hold, before anything is reserved.
    void checkCount(const Element& element) {
        std::uint64_t least = 0;
        for (const Property& property : element.properties)
            least += Body::leastSize(property.count.value_or(property.type));
        if (least == 0 || element.count <= body_.remaining() / least + 1) return;
        throw FormatError(
            {input_.subject.string(), fmt::format("line {}", element.headerLine),
             fmt::format("{} elements '{}' are declared, the file's {} bytes cannot "
                         "hold them",
                         element.count, element.name.substr(0, 40), body_.remaining()),
             "The file is damaged or incomplete: copy or write it again."});
    }

    void vertices(const Element& element) {
        if (!mesh_.vertices.empty()) body_.fail("the vertices come a second time");
        std::vector<int> places;
        std::array<float, placeCount> scale;
        scale.fill(1);
        std::array<bool, placeCount> has{};
        for (const Property& property : element.properties) {
            places.push_back(placeOf(property));
            if (places.back() == skipped) {
                mesh_.ignored["vertex property " + property.name] = element.count;
                continue;
            }
            const auto place = static_cast<std::size_t>(places.back());
            has[place] = true;
            if (place >= red) scale[place] = 1.0F / infoOf(property.type).white;
        }
        if (!has[x] || !has[y] || !has[z])
            throw FormatError({input_.subject.string(), fmt::format("line {}", element.headerLine),
                               "the vertices have no properties x, y and z",
                               "Write the file again, with coordinates."});
        const bool normals = has[nx] && has[ny] && has[nz];
        const bool colours = has[red] && has[green] && has[blue];
        mesh_.vertices.reserve(element.count);
        if (normals) mesh_.normals.reserve(element.count);
        if (colours) mesh_.colours.reserve(element.count);
        for (std::uint64_t i = 0; i < element.count; ++i) {
            steps_.at(body_.offset());
            std::array<float, placeCount> row{};
            for (std::size_t p = 0; p < places.size(); ++p) {
                const Property& property = element.properties[p];
                if (places[p] == skipped) {
                    skipProperty(property);
                    continue;
                }
                const auto place = static_cast<std::size_t>(places[p]);
                const float value = place < red ? coordinate(property, i) : colour(property, i);
                row[place] = value * scale[place];
            }
            mesh_.vertices.emplace_back(row[x], row[y], row[z]);
            if (normals) mesh_.normals.emplace_back(row[nx], row[ny], row[nz]);
            if (colours) mesh_.colours.emplace_back(row[red], row[green], row[blue]);
        }
        if (!coloursBroken_ || !colours) return;
        mesh_.ignored["colours"] = mesh_.colours.size();
        mesh_.colours = {};
    }

    /// What is wrong with a colour costs the colours alone, not the shape.
    float colour(const Property& property, std::uint64_t vertex) {
        const auto value = static_cast<float>(body_.numberOrNan(property.type));
        if (!std::isfinite(value) && !coloursBroken_) {
            coloursBroken_ = true;
            if (input_.look != nullptr)
                input_.look->missing.push_back(
                    fmt::format("the vertices' colours: {} of vertex {} is not a finite number",
                                property.name, vertex));
        }
        return value;
    }

    float coordinate(const Property& property, std::uint64_t vertex) {
        const auto value = static_cast<float>(body_.number(property.type, property.name));
        if (!std::isfinite(value))
            body_.fail(fmt::format("{} of vertex {} is not finite", property.name, vertex));
        return value;
    }

    /// Returns how many values it skipped.
    std::uint64_t skipProperty(const Property& property) {
        const std::uint64_t count = property.count ? listLength(property) : 1;
        for (std::uint64_t i = 0; i < count; ++i) body_.skip(property.type);
        return count;
    }

    std::uint64_t listLength(const Property& property) {
        const double count = body_.number(*property.count, "the length of a list");
        const std::uint64_t room = body_.remaining() / Body::leastSize(property.type) + 1;
        if (count < 0 || count > static_cast<double>(room))
            body_.fail(
                fmt::format("a list of {} values, {} bytes are left", count, body_.remaining()));
        return static_cast<std::uint64_t>(count);
    }

    static bool isCorners(const Property& property) {
        return property.count &&
               (property.name == "vertex_indices" || property.name == "vertex_index");
    }

    void skipElements(const Element& element) {
        if (element.count == 0) return;
        mesh_.ignored["elements " + element.name] = element.count;
        if (element.properties.empty()) return;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            steps_.at(body_.offset());
            for (const Property& property : element.properties) skipProperty(property);
        }
    }

    void faces(const Element& element) {
        if (std::ranges::none_of(element.properties, isCorners)) return skipElements(element);
        mesh_.faces.reserve(triangleCount(element));
        std::vector<std::uint32_t> corners;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            steps_.at(body_.offset());
            for (const Property& property : element.properties) {
                if (isCorners(property)) {
                    face(property, corners, i);
                } else {
                    skipProperty(property);
                }
            }
        }
    }

    /// The number of triangles of the faces, counted beforehand: a hostile file must not make the
    /// list of faces grow by copying. The numbers of a text are long enough to make that harmless.
    std::uint64_t triangleCount(const Element& element) {
        if constexpr (std::is_same_v<Body, TextBody>) {
            return element.count;
        } else {
            const std::size_t start = body_.offset();
            std::uint64_t triangles = 0;
            for (std::uint64_t i = 0; i < element.count; ++i)
                for (const Property& property : element.properties) {
                    const std::uint64_t count = skipProperty(property);
                    if (isCorners(property) && count > 2) triangles += count - 2;
                }
            body_.goBackTo(start);
            return triangles;
        }
    }

    void face(const Property& property, std::vector<std::uint32_t>& corners, std::uint64_t number) {
        const std::uint64_t count = listLength(property);
        if (count > kMostCorners) body_.fail(fmt::format("a face of {} corners", count));
        corners.clear();
        for (std::uint64_t c = 0; c < count; ++c) {
            const double named = body_.number(property.type, "the number of a vertex");
            if (!(named >= 0) || named >= std::numeric_limits<std::uint32_t>::max())
                body_.fail(fmt::format("a face names the vertex {}", named));
            const auto corner = static_cast<std::uint32_t>(named);
            if (corner > highest_) {
                highest_ = corner;
                highestFace_ = number;
            }
            corners.push_back(corner);
        }
        if (count < 3) {
            ++mesh_.ignored["faces of one or two corners"];
            return;
        }
        addPolygon(mesh_, corners);
    }

    Body body_;
    const Header& header_;
    const MeshInput& input_;
    ReadingSteps steps_;
    MeshFile mesh_;
    bool coloursBroken_ = false;
    std::int64_t highest_ = -1;
    std::uint64_t highestFace_ = 0;
};

MeshFile readPly(const MeshInput& input) {
    const std::string_view text = asText(input.bytes);
    const Header header = HeaderReader(text, input.subject).read();
    if (header.encoding == Encoding::text)
        return BodyReader(TextBody(text, header, input.subject), header, input).read();
    const bool fileIsBig = header.encoding == Encoding::big;
    const bool swapped = fileIsBig != (std::endian::native == std::endian::big);
    return BodyReader(BinaryBody(input.bytes, header.size, swapped, input.subject), header, input)
        .read();
}

std::uint32_t byteOf(float share) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * 255.0F));
}

std::string writePly(const Mesh& mesh, const VertexExtras& extras) {
    LittleEndianBytes out;
    std::string header = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Threefold\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\n",
        mesh.vertices.size());
    if (!extras.colours.empty())
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    if (!extras.values.empty()) header += "property float quality\n";
    if (!mesh.faces.empty())
        header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n",
                              mesh.faces.size());
    header += "end_header\n";
    constexpr std::size_t kMostOfVertex = 19;
    constexpr std::size_t kFace = 13;
    out.reserve(header.size() + mesh.vertices.size() * kMostOfVertex + mesh.faces.size() * kFace);
    out.text(header);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        out.vector(mesh.vertices[i]);
        if (!extras.colours.empty())
            for (int channel = 0; channel < 3; ++channel)
                out.u8(byteOf(extras.colours[i][channel]));
        if (!extras.values.empty()) out.f32(extras.values[i]);
    }
    for (const glm::u32vec3& face : mesh.faces) {
        out.u8(3);
        out.face(face);
    }
    return out.release();
}

}  // namespace

const MeshFormatInfo mesh_formats::ply{
    .names = "PLY",
    .extensions = {"ply"},
    .choice = "PLY (binary)",
    .recognises =
        [](const MeshContent& is) {
            return is.beginning.starts_with("ply\n") || is.beginning.starts_with("ply\r");
        },
    .read = readPly,
    .write = writePly,
    .carriesFaces = true,
    .carriesColours = true,
};

}  // namespace threefold
