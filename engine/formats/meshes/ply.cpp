#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/meshes/ply_body.h"
#include "engine/formats/meshes/ply_header.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using namespace ply;

/// Component of a vertex or face that a property fills.
enum Field : int { skipped = -1, x, y, z, nx, ny, nz, red, green, blue, u, v, fieldCount };

int fieldOf(const Property& property) {
    constexpr std::string_view kNames[][fieldCount] = {
        {"x", "y", "z", "nx", "ny", "nz", "red", "green", "blue", "u", "v"},
        {"", "", "", "", "", "", "r", "g", "b", "s", "t"},
        {"", "", "", "", "", "", "diffuse_red", "diffuse_green", "diffuse_blue", "texture_u",
         "texture_v"}};
    if (property.countType || property.name.empty()) return skipped;
    for (const auto& names : kNames)
        if (const auto* match = std::ranges::find(names, property.name); match != std::end(names))
            return static_cast<int>(match - names);
    return skipped;
}

template <class Body>
class BodyReader {
  public:
    BodyReader(Body body, const Header& header, const MeshInput& input)
        : body_(std::move(body)), header_(header), input_(input), progress_(input) {}

    LoadedMesh read() {
        for (const Element& element : header_.elements) {
            checkCount(element);
            if (element.name == "vertex" || element.name == "face" || element.name == "tristrips")
                requireDistinctProperties(element);
            if (element.name == "vertex") {
                readVertices(element);
            } else if (element.name == "face") {
                readFaces(element);
            } else if (element.name == "tristrips") {
                readStrips(element);
            } else {
                skipElements(element);
            }
        }
        if (const std::size_t unread = body_.unreadBytes(); unread > 0)
            mesh_.leftOut[ShapeDefect::bytesBehindEnd] = unread;
        const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
        if (maxIndex_ >= count)
            throw FormatError({input_.source.subject.string(),
                               fmt::format("face {}", maxIndexFace_),
                               fmt::format("names the vertex {}, but the number of vertices is {}",
                                           maxIndex_, count),
                               "Correct this face, or write the file again."});
        finishNormals();
        finishColours();
        finishAppearance();
        return std::move(mesh_);
    }

  private:
    /// Refuses a count of elements that the rest of the file cannot hold, before anything is
    /// reserved.
    void checkCount(const Element& element) {
        std::uint64_t minBytes = 0;
        for (const Property& property : element.properties)
            minBytes += Body::minSize(property.countType.value_or(property.type));
        if (minBytes == 0 || element.count <= body_.remaining() / minBytes + 1) return;
        throw FormatError(
            {input_.source.subject.string(), fmt::format("line {}", element.headerLine),
             fmt::format("{} elements '{}' are declared, but the file's {} bytes cannot "
                         "hold them",
                         element.count, textPrefix(element.name, 40), body_.remaining()),
             "The file is damaged or incomplete: copy or write it again."});
    }

    /// Refuses an element that declares a property twice: nothing tells which one is meant.
    void requireDistinctProperties(const Element& element) {
        std::set<std::string_view> names;
        for (const Property& property : element.properties)
            if (!property.name.empty() && !names.insert(property.name).second)
                throw FormatError({input_.source.subject.string(),
                                   fmt::format("line {}", element.headerLine),
                                   fmt::format("the element '{}' declares the property '{}' twice",
                                               element.name, textPrefix(property.name, 40)),
                                   "Remove or rename one of them, or write the file again."});
    }

    /// How the properties of a vertex are read.
    struct VertexColumns {
        std::vector<int> fields;  ///< for each property: the Field that it fills, or `skipped`
        std::vector<std::vector<float>*> scalars;  ///< for each property: the scalars that it fills
        std::array<float, fieldCount> scale;       ///< for each Field: the factor of its values
        std::array<bool, fieldCount> hasField{};   ///< for each Field: whether a property fills it
    };

    /// Chooses the columns; counts properties that are not read.
    VertexColumns columnsOf(const Element& element) {
        VertexColumns columns{{}, scalarsOf(element), {}};
        columns.scale.fill(1);
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const Property& property = element.properties[p];
            const int number = fieldOf(property);
            const bool isRead = number != skipped && (number < u || readsTextures());
            columns.fields.push_back(isRead ? number : skipped);
            if (!isRead) {
                if (columns.scalars[p] == nullptr)
                    mesh_.unreadContent["vertex property " + property.name] = element.count;
                continue;
            }
            const auto field = static_cast<std::size_t>(number);
            columns.hasField[field] = true;
            if (field >= red && field <= blue)
                columns.scale[field] = 1.0F / infoOf(property.type).fullIntensity;
        }
        if (!columns.hasField[x] || !columns.hasField[y] || !columns.hasField[z])
            throw FormatError({input_.source.subject.string(),
                               fmt::format("line {}", element.headerLine),
                               "the vertices have no properties x, y and z",
                               "Write the file again, with coordinates."});
        return columns;
    }

    void readVertices(const Element& element) {
        if (!mesh_.vertices.empty()) body_.fail("the vertices are declared twice");
        const auto [fields, scalars, scale, hasField] = columnsOf(element);
        const bool normals = hasField[nx] && hasField[ny] && hasField[nz];
        const bool colours = hasField[red] && hasField[green] && hasField[blue];
        const bool textured = hasField[u] && hasField[v];
        mesh_.vertices.reserve(element.count);
        if (normals) mesh_.normals.reserve(element.count);
        if (colours) mesh_.colours.reserve(element.count);
        for (std::uint64_t i = 0; i < element.count; ++i) {
            progress_.update(body_.offset());
            std::array<float, fieldCount> row{};
            for (std::size_t p = 0; p < fields.size(); ++p) {
                const Property& property = element.properties[p];
                if (scalars[p] != nullptr) {
                    const auto value = static_cast<float>(body_.numberOrNan(property.type));
                    scalars[p]->push_back(
                        std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN());
                    continue;
                }
                if (fields[p] == skipped) {
                    skipProperty(property);
                    continue;
                }
                const auto field = static_cast<std::size_t>(fields[p]);
                const float value = field < red ? coordinate(property, fields[p])
                                    : field < u ? colour(property, i)
                                                : textureCoordinate(property);
                row[field] = value * scale[field];
            }
            mesh_.vertices.emplace_back(row[x], row[y], row[z]);
            if (normals) mesh_.normals.emplace_back(row[nx], row[ny], row[nz]);
            if (colours) mesh_.colours.emplace_back(row[red], row[green], row[blue]);
            if (textured) vertexCoordinates_.emplace_back(row[u], row[v]);
        }
    }

    /// Makes the mesh's scalars. Returns, for each property of the vertices, the values that the
    /// property fills, or null.
    std::vector<std::vector<float>*> scalarsOf(const Element& element) {
        std::vector<std::size_t> filling;  // indices of properties
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const Property& property = element.properties[p];
            const bool isScalar = !property.countType && !isInteger(property.type) &&
                                  !property.name.empty() && fieldOf(property) == skipped;
            if (isScalar && filling.size() < kMaxScalars) filling.push_back(p);
        }
        mesh_.scalars.resize(filling.size());
        std::vector<std::vector<float>*> scalars(element.properties.size(), nullptr);
        for (std::size_t i = 0; i < filling.size(); ++i) {
            mesh_.scalars[i].name = element.properties[filling[i]].name;
            mesh_.scalars[i].values.reserve(element.count);
            scalars[filling[i]] = &mesh_.scalars[i].values;
        }
        return scalars;
    }

    /// If the normals are invalid, drops only them, not the shape.
    void finishNormals() { dropIncomplete(mesh_, mesh_.normals, "normals", !normalsBroken_); }

    /// Drops all colours if one is invalid. If only the faces have colours, gives each vertex the
    /// mean colour of its faces (white to a vertex without faces).
    void finishColours() {
        if (coloursBroken_) {
            if (!mesh_.colours.empty()) mesh_.unreadContent["colours"] = mesh_.colours.size();
            mesh_.colours = {};
            return;
        }
        if (!faceColours_.empty()) takeFaceColours();
        // Some programs write 0…255 as floats.
        scaleColours(mesh_.colours);
    }

    void takeFaceColours() {
        constexpr int kCount = 3;
        mesh_.unreadContent["faces' colours, shown as means at their vertices"] = colouredFaces_;
        mesh_.colours.assign(mesh_.vertices.size(), glm::vec3(1.0F));
        for (std::size_t i = 0; i < std::min(faceColours_.size(), mesh_.colours.size()); ++i)
            if (const glm::vec4& sum = faceColours_[i]; sum[kCount] > 0)
                mesh_.colours[i] = glm::vec3(sum) / sum[kCount];
    }

    bool readsTextures() const {
        return input_.source.appearance != nullptr && !header_.textures.empty();
    }

    void finishAppearance() {
        if (!readsTextures() || mesh_.faces.empty() || !hasCoordinates_) return;
        MeshAppearance& appearance = *input_.source.appearance;
        if (texturesBroken_) {
            appearance.missing.emplace_back(
                "the textures: not all of their coordinates are numbers");
            return;
        }
        appearance.textureCoordinates = std::move(coordinates_);
        appearance.materialOfFace = std::move(textureOfFace_);
        if (input_.source.files != nullptr)
            addTextures(header_.textures, input_.source.subject.parent_path(), *input_.source.files,
                        allowedTextureFolders(input_.source.options), appearance);
    }

    /// Reads a component of a colour. A defect drops the colours, not the shape.
    float colour(const Property& property, std::uint64_t vertex) {
        const auto value = static_cast<float>(body_.numberOrNan(property.type));
        if (!std::isfinite(value) && !coloursBroken_) {
            coloursBroken_ = true;
            if (input_.source.appearance != nullptr)
                input_.source.appearance->missing.push_back(
                    fmt::format("the vertices' colours: {} of vertex {} is not a finite number",
                                property.name, vertex));
        }
        return value;
    }

    /// Reads a coordinate of a position or normal. decodeMesh() drops vertices whose position is
    /// not finite.
    float coordinate(const Property& property, int field) {
        const bool isNormal = field >= nx;
        const float value =
            body_.coordinate(property.type, property.name, isNormal ? 0 : input_.origin[field]);
        if (isNormal && !std::isfinite(value)) normalsBroken_ = true;
        return value;
    }

    float textureCoordinate(const Property& property) {
        const auto value = static_cast<float>(body_.numberOrNan(property.type));
        texturesBroken_ = texturesBroken_ || !std::isfinite(value);
        return value;
    }

    /// Skips a property. Returns the number of its values.
    std::uint64_t skipProperty(const Property& property) {
        const std::uint64_t count = property.countType ? listLength(property) : 1;
        for (std::uint64_t i = 0; i < count; ++i) body_.skip(property.type);
        return count;
    }

    std::uint64_t listLength(const Property& property) {
        const double count = body_.number(*property.countType, "the length of a list");
        const std::uint64_t maxCount = body_.remaining() / Body::minSize(property.type) + 1;
        if (!(count >= 0) || count > static_cast<double>(maxCount) || count != std::floor(count))
            body_.fail(fmt::format("a list of {} values, but only {} bytes are left", count,
                                   body_.remaining()));
        return static_cast<std::uint64_t>(count);
    }

    static bool isCorners(const Property& property) {
        return property.countType &&
               (property.name == "vertex_indices" || property.name == "vertex_index");
    }

    void skipElements(const Element& element) {
        if (element.count == 0) return;
        mesh_.unreadContent["elements " + element.name] = element.count;
        if (element.properties.empty()) return;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            progress_.update(body_.offset());
            for (const Property& property : element.properties) skipProperty(property);
        }
    }

    /// One face of the file.
    struct FaceRow {
        std::vector<std::uint32_t> corners;
        std::vector<glm::vec2> coordinates;  ///< one for each corner, or none
        glm::vec3 colour{0.0F};
        std::uint32_t texture = 0;  ///< an index into Header::textures
    };

    void readFaces(const Element& element) {
        if (std::ranges::none_of(element.properties, isCorners)) return skipElements(element);
        mesh_.faces.reserve(triangleCount(element));
        std::array<bool, fieldCount> hasField{};
        for (const Property& property : element.properties)
            if (const int field = fieldOf(property); field >= red && field <= blue)
                hasField[static_cast<std::size_t>(field)] = true;
        const bool coloured =
            hasField[red] && hasField[green] && hasField[blue] && mesh_.colours.empty();
        FaceRow row;
        for (std::uint64_t i = 0; i < element.count; ++i) {
            progress_.update(body_.offset());
            row.coordinates.clear();
            for (const Property& property : element.properties) {
                const int field = fieldOf(property);
                if (isCorners(property)) {
                    readCorners(property, row.corners, i);
                } else if (readsTextures() && property.countType && property.name == "texcoord") {
                    readCoordinates(property, row.coordinates);
                } else if (readsTextures() && !property.countType && property.name == "texnumber") {
                    row.texture = textureNumber(body_.numberOrNan(property.type));
                } else if (coloured && field >= red && field <= blue) {
                    row.colour[field - red] =
                        colour(property, i) / infoOf(property.type).fullIntensity;
                } else {
                    skipProperty(property);
                }
            }
            addFace(row, coloured);
        }
    }

    void addFace(const FaceRow& row, bool coloured) {
        if (row.corners.size() < 3) {
            ++mesh_.leftOut[ShapeDefect::degenerateFaces];
            return;
        }
        cornerIndices_.clear();
        addPolygon(mesh_, row.corners, readsTextures() ? &cornerIndices_ : nullptr);
        if (coloured) addFaceColour(row);
        if (!readsTextures()) return;
        const bool hasOwn = row.coordinates.size() == row.corners.size();
        for (const std::uint32_t corner : cornerIndices_) {
            if (hasOwn)
                coordinates_.push_back(row.coordinates[corner]);
            else
                addVertexCoordinates(row.corners[corner]);
        }
        hasCoordinates_ = hasCoordinates_ || (hasOwn && !cornerIndices_.empty());
        textureOfFace_.resize(mesh_.faces.size(), row.texture);
    }

    /// Adds the texture coordinate of a corner's vertex; zero if the vertex has none.
    void addVertexCoordinates(std::uint32_t vertex) {
        const bool hasCoordinate = vertex < vertexCoordinates_.size();
        hasCoordinates_ = hasCoordinates_ || hasCoordinate;
        coordinates_.push_back(hasCoordinate ? vertexCoordinates_[vertex] : glm::vec2(0.0F));
    }

    /// Converts a texture's number to an index into the header's textures. Numbers outside the
    /// range are clamped; NaN gives 0.
    std::uint32_t textureNumber(double number) const {
        const double last = static_cast<double>(header_.textures.size()) - 1.0;
        return number > 0 ? static_cast<std::uint32_t>(std::min(number, last)) : 0;
    }

    void addFaceColour(const FaceRow& row) {
        ++colouredFaces_;
        faceColours_.resize(mesh_.vertices.size());
        for (const std::uint32_t corner : row.corners)
            if (corner < faceColours_.size()) faceColours_[corner] += glm::vec4(row.colour, 1.0F);
    }

    /// Reads strips of triangles, each ended by a negative number; every second triangle has the
    /// opposite orientation.
    void readStrips(const Element& element) {
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
            progress_.update(body_.offset());
            const double index = body_.number(property.type, "the number of a vertex");
            if (index < 0) {
                length = 0;
                continue;
            }
            last = {last[1], last[2], cornerOf(index, number)};
            if (++length < 3) continue;
            const auto [a, b, c] = last;
            if (a == b || b == c || c == a)
                continue;  // a triangle without area, which joins strips
            reserveGrowing(mesh_.faces, 1);
            mesh_.faces.push_back(length % 2 == 1 ? glm::u32vec3(a, b, c) : glm::u32vec3(b, a, c));
            if (!readsTextures()) continue;
            const glm::u32vec3 face = mesh_.faces.back();
            for (int corner = 0; corner < 3; ++corner) addVertexCoordinates(face[corner]);
            textureOfFace_.push_back(0);
        }
    }

    /// Number of triangles to reserve, counted beforehand: a hostile file must not make the vector
    /// of faces grow by copying. For a text file, the number of faces is enough: numbers in text
    /// take so many bytes that growing is harmless.
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
            body_.seek(start);
            return triangles;
        }
    }

    void readCorners(const Property& property, std::vector<std::uint32_t>& corners,
                     std::uint64_t face) {
        const std::uint64_t count = listLength(property);
        if (count > kMaxCorners) body_.fail(fmt::format("a face of {} corners", count));
        corners.clear();
        for (std::uint64_t c = 0; c < count; ++c)
            corners.push_back(
                cornerOf(body_.number(property.type, "the number of a vertex"), face));
    }

    std::uint32_t cornerOf(double index, std::uint64_t face) {
        if (!(index >= 0) || index >= std::numeric_limits<std::uint32_t>::max() ||
            index != std::floor(index))
            body_.fail(fmt::format("a face names the vertex {}, which is no valid index", index));
        const auto corner = static_cast<std::uint32_t>(index);
        if (corner > maxIndex_) {
            maxIndex_ = corner;
            maxIndexFace_ = face;
        }
        return corner;
    }

    /// Reads the texture coordinates of a face's corners, in order.
    void readCoordinates(const Property& property, std::vector<glm::vec2>& coordinates) {
        const std::uint64_t count = listLength(property);
        if (count > 2 * kMaxCorners)
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
    ReadProgress progress_;
    LoadedMesh mesh_;
    bool coloursBroken_ = false;
    bool normalsBroken_ = false;
    std::vector<glm::vec4> faceColours_;  // per vertex: sum and number of its faces' colours
    std::uint64_t colouredFaces_ = 0;
    // For the appearance:
    std::vector<glm::vec2> vertexCoordinates_;
    std::vector<std::uint32_t> cornerIndices_;
    std::vector<glm::vec2> coordinates_;
    std::vector<std::uint32_t> textureOfFace_;
    bool hasCoordinates_ = false;
    bool texturesBroken_ = false;
    std::int64_t maxIndex_ = -1;
    std::uint64_t maxIndexFace_ = 0;
};

LoadedMesh readPly(const MeshInput& input) {
    const std::string_view text = asText(input.source.bytes);
    const Header header = readHeader(text, input.source.subject);
    if (header.encoding == Encoding::text)
        return BodyReader(TextBody(text, header, input.source.subject), header, input).read();
    const bool fileIsBig = header.encoding == Encoding::bigEndian;
    const bool swapped = fileIsBig != (std::endian::native == std::endian::big);
    return BodyReader(BinaryBody(input.source.bytes, header.size, swapped, input.source.subject),
                      header, input)
        .read();
}

}  // namespace

const MeshFormatInfo mesh_formats::ply{
    .names = "PLY",
    .extensions = {"ply"},
    .recognises =
        [](const FormatProbe& content) {
            const std::string_view behind = content.beginning.substr(
                std::min<std::size_t>(content.beginning.size(), std::string_view("ply").size()));
            return content.beginning.starts_with("ply") && !behind.empty() &&
                   std::string_view(" \t\r\n").find(behind.front()) != behind.npos;
        },
    .decode = readPly,
    .encode = writePly,
    .carriesFaces = true,
    .carriesColours = true,
};

}  // namespace threefold
