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
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/ply_header.h"

namespace threefold {
namespace {

using namespace ply;

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
    /// The float nearest to the number less `origin`; NaN where it is no number.
    float coordinate(Type type, std::string_view what, double origin) {
        return static_cast<float>(number(type, what) - origin);
    }
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
    float coordinate(Type, std::string_view what, double origin) {
        return coordinateOf(scanner_, next(), what, origin);
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
enum Place : int { skipped = -1, x, y, z, nx, ny, nz, red, green, blue, u, v, placeCount };

int placeOf(const Property& property) {
    constexpr std::string_view kNames[][placeCount] = {
        {"x", "y", "z", "nx", "ny", "nz", "red", "green", "blue", "u", "v"},
        {"", "", "", "", "", "", "r", "g", "b", "s", "t"},
        {"", "", "", "", "", "", "diffuse_red", "diffuse_green", "diffuse_blue", "texture_u",
         "texture_v"}};
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
            } else if (element.name == "tristrips") {
                strips(element);
            } else {
                skipElements(element);
            }
        }
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (highest_ >= count)
            throw FormatError({input_.subject.string(), fmt::format("face {}", highestFace_),
                               fmt::format("names the vertex {}, there are {}", highest_, count),
                               "Correct this face, or write the file again."});
        finishNormals();
        finishColours();
        finishLook();
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
            if (places.back() >= u && !readsTextures()) places.back() = skipped;
            if (places.back() == skipped) {
                mesh_.ignored["vertex property " + property.name] = element.count;
                continue;
            }
            const auto place = static_cast<std::size_t>(places.back());
            has[place] = true;
            if (place >= red && place <= blue) scale[place] = 1.0F / infoOf(property.type).white;
        }
        if (!has[x] || !has[y] || !has[z])
            throw FormatError({input_.subject.string(), fmt::format("line {}", element.headerLine),
                               "the vertices have no properties x, y and z",
                               "Write the file again, with coordinates."});
        const bool normals = has[nx] && has[ny] && has[nz];
        const bool colours = has[red] && has[green] && has[blue];
        const bool textured = has[u] && has[v];
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
                const float value = place < red ? coordinate(property, places[p])
                                    : place < u ? colour(property, i)
                                                : textureCoordinate(property);
                row[place] = value * scale[place];
            }
            mesh_.vertices.emplace_back(row[x], row[y], row[z]);
            if (normals) mesh_.normals.emplace_back(row[nx], row[ny], row[nz]);
            if (colours) mesh_.colours.emplace_back(row[red], row[green], row[blue]);
            if (textured) ofVertex_.emplace_back(row[u], row[v]);
        }
    }

    /// A defect of normals costs the normals alone.
    void finishNormals() { dropPartial(mesh_, mesh_.normals, "normals", !normalsBroken_); }

    /// Colours of faces stand in for those of vertices, as means.
    void finishColours() {
        if (coloursBroken_) {
            if (!mesh_.colours.empty()) mesh_.ignored["colours"] = mesh_.colours.size();
            mesh_.colours = {};
            return;
        }
        if (faceColours_.empty()) return;
        constexpr int kCount = 3;
        mesh_.ignored["faces' colours, shown as means at their vertices"] = colouredFaces_;
        mesh_.colours.assign(mesh_.vertices.size(), glm::vec3(1.0F));
        for (std::size_t i = 0; i < std::min(faceColours_.size(), mesh_.colours.size()); ++i)
            if (const glm::vec4& sum = faceColours_[i]; sum[kCount] > 0)
                mesh_.colours[i] = glm::vec3(sum) / sum[kCount];
    }

    bool readsTextures() const { return input_.look != nullptr && !header_.textures.empty(); }

    void finishLook() {
        if (!readsTextures() || mesh_.faces.empty() || !hasCoordinates_) return;
        MeshLook& look = *input_.look;
        if (texturesBroken_) {
            look.missing.emplace_back("the textures: not all of their coordinates are numbers");
            return;
        }
        look.coordinates = std::move(coordinates_);
        look.materialOfFace = std::move(textureOfFace_);
        if (input_.files != nullptr)
            addTextures(header_.textures, input_.subject.parent_path(), *input_.files,
                        textureReach(input_.reading), look);
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

    /// Of a place or a normal. A place that is not finite costs the vertex: decodeMesh() drops it.
    float coordinate(const Property& property, int place) {
        const bool ofNormal = place >= nx;
        const float value =
            body_.coordinate(property.type, property.name, ofNormal ? 0 : input_.origin[place]);
        if (ofNormal && !std::isfinite(value)) normalsBroken_ = true;
        return value;
    }

    float textureCoordinate(const Property& property) {
        const auto value = static_cast<float>(body_.numberOrNan(property.type));
        texturesBroken_ = texturesBroken_ || !std::isfinite(value);
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

    /// One face as the file has it.
    struct FaceRow {
        std::vector<std::uint32_t> corners;
        std::vector<glm::vec2> coordinates;  ///< as many, or none
        glm::vec3 colour{0.0F};
        std::int64_t texture = 0;
    };

    void faces(const Element& element) {
        if (std::ranges::none_of(element.properties, isCorners)) return skipElements(element);
        mesh_.faces.reserve(triangleCount(element));
        std::array<bool, placeCount> has{};
        for (const Property& property : element.properties)
            if (const int place = placeOf(property); place >= red && place <= blue)
                has[static_cast<std::size_t>(place)] = true;
        const bool coloured = has[red] && has[green] && has[blue] && mesh_.colours.empty();
        FaceRow row;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            steps_.at(body_.offset());
            row.coordinates.clear();
            for (const Property& property : element.properties) {
                const int place = placeOf(property);
                if (isCorners(property)) {
                    readCorners(property, row.corners, i);
                } else if (readsTextures() && property.count && property.name == "texcoord") {
                    readCoordinates(property, row.coordinates);
                } else if (readsTextures() && !property.count && property.name == "texnumber") {
                    row.texture =
                        static_cast<std::int64_t>(body_.number(property.type, "texnumber"));
                } else if (coloured && place >= red && place <= blue) {
                    row.colour[place - red] = colour(property, i) / infoOf(property.type).white;
                } else {
                    skipProperty(property);
                }
            }
            addFace(row, coloured);
        }
    }

    void addFace(const FaceRow& row, bool coloured) {
        if (row.corners.size() < 3) {
            ++mesh_.leftOut["faces of one or two corners"];
            return;
        }
        places_.clear();
        addPolygon(mesh_, row.corners, readsTextures() ? &places_ : nullptr);
        if (coloured) addFaceColour(row);
        if (!readsTextures()) return;
        const bool own = row.coordinates.size() == row.corners.size();
        for (const std::uint32_t place : places_) {
            const std::uint32_t vertex = row.corners[place];
            const bool known = own || vertex < ofVertex_.size();
            hasCoordinates_ = hasCoordinates_ || known;
            coordinates_.push_back(own     ? row.coordinates[place]
                                   : known ? ofVertex_[vertex]
                                           : glm::vec2(0.0F));
        }
        const auto most = static_cast<std::int64_t>(header_.textures.size()) - 1;
        textureOfFace_.resize(
            mesh_.faces.size(),
            static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.texture, 0, most)));
    }

    void addFaceColour(const FaceRow& row) {
        ++colouredFaces_;
        faceColours_.resize(mesh_.vertices.size());
        for (const std::uint32_t corner : row.corners)
            if (corner < faceColours_.size()) faceColours_[corner] += glm::vec4(row.colour, 1.0F);
    }

    /// Strips of triangles, each ended by a negative number: every second one turns the other way.
    void strips(const Element& element) {
        if (std::ranges::none_of(element.properties, isCorners)) return skipElements(element);
        for (std::uint64_t i = 0; i < element.count; ++i)
            for (const Property& property : element.properties)
                if (isCorners(property))
                    strip(property, i);
                else
                    skipProperty(property);
    }

    void strip(const Property& property, std::uint64_t number) {
        const std::uint64_t count = listLength(property);
        std::array<std::uint32_t, 3> last{};
        std::uint64_t length = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            steps_.at(body_.offset());
            const double named = body_.number(property.type, "the number of a vertex");
            if (named < 0) {
                length = 0;
                continue;
            }
            last = {last[1], last[2], cornerOf(named, number)};
            if (++length < 3) continue;
            const auto [a, b, c] = last;
            if (a == b || b == c || c == a) continue;  // joins strips
            makeRoom(mesh_.faces, 1);
            mesh_.faces.push_back(length % 2 == 1 ? glm::u32vec3(a, b, c) : glm::u32vec3(b, a, c));
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

    void readCorners(const Property& property, std::vector<std::uint32_t>& corners,
                     std::uint64_t face) {
        const std::uint64_t count = listLength(property);
        if (count > kMostCorners) body_.fail(fmt::format("a face of {} corners", count));
        corners.clear();
        for (std::uint64_t c = 0; c < count; ++c)
            corners.push_back(
                cornerOf(body_.number(property.type, "the number of a vertex"), face));
    }

    std::uint32_t cornerOf(double named, std::uint64_t face) {
        if (!(named >= 0) || named >= std::numeric_limits<std::uint32_t>::max())
            body_.fail(fmt::format("a face names the vertex {}", named));
        const auto corner = static_cast<std::uint32_t>(named);
        if (corner > highest_) {
            highest_ = corner;
            highestFace_ = face;
        }
        return corner;
    }

    /// Pairs of a face's corners, in their order.
    void readCoordinates(const Property& property, std::vector<glm::vec2>& coordinates) {
        const std::uint64_t count = listLength(property);
        if (count > 2 * kMostCorners)
            body_.fail(fmt::format("a face of {} texture coordinates", count));
        for (std::uint64_t i = 0; i < count; ++i) {
            const float value = textureCoordinate(property);
            if (i % 2 == 0)
                coordinates.emplace_back(value, 0.0F);
            else
                coordinates.back().y = value;
        }
    }

    Body body_;
    const Header& header_;
    const MeshInput& input_;
    ReadingSteps steps_;
    MeshFile mesh_;
    bool coloursBroken_ = false;
    bool normalsBroken_ = false;
    std::vector<glm::vec4> faceColours_;  // of each vertex: their sum, and how many
    std::uint64_t colouredFaces_ = 0;
    // Of the look:
    std::vector<glm::vec2> ofVertex_;
    std::vector<std::uint32_t> places_;
    std::vector<glm::vec2> coordinates_;
    std::vector<std::uint32_t> textureOfFace_;
    bool hasCoordinates_ = false;
    bool texturesBroken_ = false;
    std::int64_t highest_ = -1;
    std::uint64_t highestFace_ = 0;
};

MeshFile readPly(const MeshInput& input) {
    const std::string_view text = asText(input.bytes);
    const Header header = readHeader(text, input.subject);
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
    const bool wide = extras.origin != glm::dvec3(0.0);
    std::string header = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Threefold\nelement vertex {0}\n"
        "property {1} x\nproperty {1} y\nproperty {1} z\n",
        mesh.vertices.size(), wide ? "double" : "float");
    if (!extras.colours.empty())
        header += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    if (!extras.values.empty()) header += "property float quality\n";
    if (!mesh.faces.empty())
        header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n",
                              mesh.faces.size());
    header += "end_header\n";
    constexpr std::size_t kMostOfVertex = 31;
    constexpr std::size_t kFace = 13;
    out.reserve(header.size() + mesh.vertices.size() * kMostOfVertex + mesh.faces.size() * kFace);
    out.text(header);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (wide) {
            const glm::dvec3 place = placeOf(mesh, extras, i);
            for (int axis = 0; axis < 3; ++axis) out.f64(place[axis]);
        } else {
            out.vector(mesh.vertices[i]);
        }
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
            const std::string_view behind = is.beginning.substr(
                std::min<std::size_t>(is.beginning.size(), std::string_view("ply").size()));
            return is.beginning.starts_with("ply") && !behind.empty() &&
                   std::string_view(" \t\r\n").find(behind.front()) != behind.npos;
        },
    .read = readPly,
    .write = writePly,
    .carriesFaces = true,
    .carriesColours = true,
};

}  // namespace threefold
