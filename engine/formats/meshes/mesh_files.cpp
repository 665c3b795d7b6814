#include "engine/formats/meshes/mesh_files.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/files/unsupported_kinds.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_origin.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/pictures/srgb.h"
#include "engine/formats/text/text_encoding.h"

namespace threefold {
namespace {

using Bytes = std::span<const std::byte>;

std::string_view beginningOf(Bytes bytes) {
    constexpr std::size_t kInspectedBytes = 4096;
    return asText(bytes.first(std::min(bytes.size(), kInspectedBytes)));
}

bool isText(std::string_view beginning) {
    return std::ranges::none_of(beginning, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
}

/// Whether the whole file may be text in some encoding, not a text header before binary data.
bool mayBeText(Bytes bytes) {
    const std::string_view beginning = beginningOf(bytes);
    if (hasLengthOfBinaryStl(bytes)) return false;
    if (beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff")) return true;
    const bool isBinaryPly =
        beginning.starts_with("ply") && beginning.find("ascii") == beginning.npos;
    return isText(beginning) && !isBinaryPly;
}

/// The first word that is not in a comment.
std::string_view firstWord(std::string_view text) {
    while (!text.empty()) {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        if (start == text.npos) return {};
        text.remove_prefix(start);
        if (text.front() != '#') return text.substr(0, text.find_first_of(" \t\r\n,"));
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    return {};
}

/// Detects the format by the content. If no format recognises the content (a long comment, or
/// damage, which the reader will explain), uses the extension.
std::optional<MeshFormat> detectFormat(FormatProbe content, const std::filesystem::path& subject) {
    for (const MeshFormat format : meshFormats())
        if (infoOf(format).recognises(content)) return format;
    content.hasExtension = true;
    const auto named = meshFormatFromExtension(subject.extension().string());
    return named && infoOf(*named).recognises(content) ? named : std::nullopt;
}

/// Removes vertices that are not finite and their faces, also from the appearance.
void removeNonFinite(LoadedMesh& mesh, MeshAppearance* appearance) {
    const std::size_t count = mesh.vertices.size();
    if (std::ranges::all_of(mesh.vertices, isFinite)) return;
    constexpr std::uint32_t kRemoved = UINT32_MAX;
    std::vector<std::uint32_t> newIndex(count, kRemoved);
    std::uint32_t keptVertices = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (isFinite(mesh.vertices[i])) newIndex[i] = keptVertices++;
    if (keptVertices == 0) return;
    mesh.fileIndices.reserve(keptVertices);
    for (std::uint32_t i = 0; i < count; ++i)
        if (newIndex[i] != kRemoved) mesh.fileIndices.push_back(i);
    const auto compact = [&](auto& values) {
        if (values.size() != count) return;
        for (std::size_t i = 0; i < count; ++i)
            if (newIndex[i] != kRemoved) values[newIndex[i]] = values[i];
        values.resize(keptVertices);
    };
    mesh.leftOut[ShapeDefect::nonFinitePoints] += count - keptVertices;
    if (appearance != nullptr) compact(appearance->linearColours);
    compact(mesh.normals);
    compact(mesh.colours);
    for (VertexScalars& scalars : mesh.scalars) compact(scalars.values);
    compact(mesh.vertices);

    const std::size_t faces = mesh.faces.size();
    const bool hasMaterials = appearance != nullptr && appearance->materialOfFace.size() == faces;
    const bool hasCoordinates =
        appearance != nullptr && appearance->textureCoordinates.size() == 3 * faces;
    std::size_t keptFaces = 0;
    for (std::size_t i = 0; i < faces; ++i) {
        glm::u32vec3 face = mesh.faces[i];
        for (int corner = 0; corner < 3; ++corner) face[corner] = newIndex[face[corner]];
        if (face.x == kRemoved || face.y == kRemoved || face.z == kRemoved) continue;
        mesh.faces[keptFaces] = face;
        if (hasMaterials) appearance->materialOfFace[keptFaces] = appearance->materialOfFace[i];
        for (std::size_t corner = 0; hasCoordinates && corner < 3; ++corner)
            appearance->textureCoordinates[3 * keptFaces + corner] =
                appearance->textureCoordinates[3 * i + corner];
        ++keptFaces;
    }
    if (keptFaces < faces) mesh.leftOut[ShapeDefect::nonFiniteFaces] += faces - keptFaces;
    mesh.faces.resize(keptFaces);
    if (hasMaterials) appearance->materialOfFace.resize(keptFaces);
    if (hasCoordinates) appearance->textureCoordinates.resize(3 * keptFaces);
}

struct DefectNames {
    std::string_view plural;
    std::string_view singular;
};

const DefectNames& namesOf(ShapeDefect defect) {
    static constexpr DefectNames kNames[] = {
        {"bytes behind the last element", "byte behind the last element"},
        {"faces of one or two corners", "face of one or two corners"},
        {"faces of points that are not finite", "face of points that are not finite"},
        {"points that are not finite", "point that is not finite"},
        {"repetitions of meshes by EXT_mesh_gpu_instancing",
         "repetition of a mesh by EXT_mesh_gpu_instancing"},
        {"triangles of points that are not finite", "triangle of points that are not finite"},
    };
    static_assert(std::size(kNames) ==
                  static_cast<std::size_t>(ShapeDefect::nonFiniteTriangles) + 1);
    return kNames[static_cast<std::size_t>(defect)];
}

LoadedMesh decodeAs(MeshFormat format, const MeshSource& source, bool holdsText,
                    const glm::dvec3& origin) {
    LoadedMesh mesh = infoOf(format).decode({source, holdsText, origin});
    removeNonFinite(mesh, source.appearance);
    mesh.origin = origin;
    return mesh;
}

/// Moves the mesh to an origin near it, if floats relative to 0 would round its shape.
void moveToOriginNearMesh(LoadedMesh& mesh, MeshFormat format, const MeshSource& source,
                          bool holdsText) {
    const glm::dvec3 origin = chooseOrigin(mesh.vertices, [&](const glm::dvec3& nearPoints) {
        MeshReadOptions silent = source.options;
        silent.onProgress = {};
        if (source.appearance != nullptr) *source.appearance = {};
        mesh = {};  // two meshes would take too much memory
        mesh = decodeAs(format,
                        {source.bytes, source.subject, silent, source.files, source.appearance},
                        holdsText, nearPoints);
        return std::span<const glm::vec3>(mesh.vertices);
    });
    moveOrigin(mesh, origin);
}

}  // namespace

LoadedMesh decodeMesh(MeshSource source) {
    std::optional<Utf8Text> text;
    if (mayBeText(source.bytes)) {
        text.emplace(asText(source.bytes));
        source.bytes = asBytes(text->text());
    }
    const std::string subject = source.subject.string();
    if (source.bytes.empty())
        throw FormatError({subject, "", "the file is empty", "Export the mesh again."});
    const std::string_view beginning = beginningOf(source.bytes);
    const bool holdsText = isText(beginning) && !hasLengthOfBinaryStl(source.bytes);
    const auto format =
        detectFormat({source.bytes, beginning, holdsText, firstWord(beginning)}, source.subject);
    if (!format) {
        if (const auto kind = unsupportedKind(source.bytes))
            throw NotThisFormat({subject, "",
                                 fmt::format("is {}, which is not supported", kind->name),
                                 std::string(kind->remedy)});
        throw NotThisFormat(
            {subject, "byte 0", "is no mesh",
             fmt::format("Threefold reads meshes and points as {}.", meshFormatNames(" and "))});
    }
    LoadedMesh mesh = decodeAs(*format, source, holdsText, glm::dvec3(0.0));
    moveToOriginNearMesh(mesh, *format, source, holdsText);
    if (mesh.vertices.empty() ? !mesh.leftOut.empty() : !isFinite(mesh.vertices.front()))
        throw InputError({subject, "", "holds no point that is finite", "Export the mesh again."});
    if (mesh.vertices.empty())
        throw InputError({subject, "",
                          fmt::format("holds no vertices, although it is {} file",
                                      *format == MeshFormat::obj ? "an OBJ" : "a mesh"),
                          "Export the mesh again."});
    for (glm::vec3& colour : mesh.colours) colour = clampedToUnit(colour);
    mesh.source = source.subject;
    mesh.format = *format;
    return mesh;
}

LoadedMesh decodeMesh(Bytes bytes, const std::filesystem::path& subject,
                      const MeshReadOptions& options) {
    return decodeMesh({bytes, subject, options});
}

float coordinateOf(const TextScanner& scanner, std::string_view word, std::string_view expected,
                   double origin) {
    if (isNotFiniteWord(word)) return std::numeric_limits<float>::quiet_NaN();
    if (origin == 0) return scanner.toFloat(word, expected);
    return static_cast<float>(scanner.toDouble(word, expected) - origin);
}

std::string_view defectName(ShapeDefect defect) {
    return namesOf(defect).plural;
}

std::string leftOutText(const LoadedMesh& mesh) {
    if (mesh.leftOut.empty()) return {};
    std::string text;
    std::size_t total = 0;
    for (const auto& [defect, count] : mesh.leftOut) {
        total += count;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count,
                            count == 1 ? namesOf(defect).singular : namesOf(defect).plural);
    }
    if (const std::size_t at = text.rfind(", "); at != text.npos) text.replace(at, 2, " and ");
    return text + (total == 1 ? " is left out" : " are left out");
}

LoadedMesh readMesh(const std::filesystem::path& file, const MeshReadOptions& options) {
    // The file is not mapped: its truncation meanwhile must not end the process.
    const std::vector<std::byte> bytes = readFile(file, kMaxContentBytes);
    const ReferencedFilesOnDisk files(file.parent_path());
    return decodeMesh({bytes, file, options, &files});
}

TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject,
                                const MeshReadOptions& options, const ReferencedFiles& files) {
    TexturedMesh textured;
    MeshSource source{bytes, subject, options, &files, &textured.appearance};
    try {
        textured.mesh = decodeMesh(source);
    } catch (const FormatError& error) {
        // The defect may be in the appearance of a glTF: then the shape alone can be read.
        textured = {};
        source.appearance = nullptr;
        textured.mesh = decodeMesh(source);
        textured.appearance.missing.emplace_back(error.what());
    }
    return textured;
}

TexturedMesh readTexturedMesh(const std::filesystem::path& file, const MeshReadOptions& options) {
    return decodeTexturedMesh(readFile(file, kMaxContentBytes), file, options,
                              ReferencedFilesOnDisk(file.parent_path()));
}

}  // namespace threefold
