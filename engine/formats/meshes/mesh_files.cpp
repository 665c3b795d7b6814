#include "engine/formats/meshes/mesh_files.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/named_files.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

using Bytes = std::span<const std::byte>;

std::string_view beginningOf(Bytes bytes) {
    constexpr std::size_t kLookedAt = 4096;
    return asText(bytes.first(std::min(bytes.size(), kLookedAt)));
}

bool isText(std::string_view beginning) {
    return std::ranges::none_of(beginning, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
}

/// Whether all bytes, in some encoding, may be text: not the text header of binary data.
bool mayBeText(Bytes bytes) {
    const std::string_view beginning = beginningOf(bytes);
    if (hasLengthOfBinaryStl(bytes)) return false;
    if (beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff")) return true;
    const bool bytesFollow =
        beginning.starts_with("ply") && beginning.find("ascii") == beginning.npos;
    return isText(beginning) && !bytesFollow;
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

/// By its content; else, for a long comment or for damage that the reader explains, by its name.
std::optional<MeshFormat> recognised(MeshContent content, const std::filesystem::path& subject) {
    for (const MeshFormat format : meshFormats())
        if (infoOf(format).recognises(content)) return format;
    content.isNamed = true;
    const auto named = meshFormatFromName(subject.extension().string());
    return named && infoOf(*named).recognises(content) ? named : std::nullopt;
}

[[noreturn]] void refuse(std::string place, std::string problem, std::string remedy) {
    throw InputError({"mesh", std::move(place), std::move(problem), std::move(remedy)});
}

void check(const Mesh& mesh, const VertexExtras& extras) {
    const std::size_t count = mesh.vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3& p = mesh.vertices[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            refuse(fmt::format("vertex {}", i),
                   fmt::format("({}, {}, {}) is not finite", p.x, p.y, p.z),
                   "Check the model and the cameras that it comes from.");
    }
    for (std::size_t i = 0; i < mesh.faces.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (mesh.faces[i][corner] >= count)
                refuse(
                    fmt::format("face {}", i),
                    fmt::format("names the vertex {}, there are {}", mesh.faces[i][corner], count),
                    "Check the template that the model holds.");
    for (const std::size_t values : {extras.colours.size(), extras.values.size()})
        if (values != 0 && values != count)
            refuse("", fmt::format("{} colours or values for {} vertices", values, count),
                   "Give one for each vertex, or none.");
    if (extras.texture != nullptr && extras.texture->coordinates.size() != 3 * mesh.faces.size())
        refuse("",
               fmt::format("{} texture coordinates for {} faces",
                           extras.texture->coordinates.size(), mesh.faces.size()),
               "Give three for each face.");
}

}  // namespace

MeshFile decodeMesh(MeshInput input) {
    std::optional<PlainText> text;
    if (mayBeText(input.bytes)) {
        text.emplace(asText(input.bytes));
        input.bytes = asBytes(text->text());
    }
    const std::string subject = input.subject.string();
    if (input.bytes.empty())
        throw FormatError({subject, "byte 0", "is empty", "Export the mesh again."});
    const std::string_view beginning = beginningOf(input.bytes);
    input.isText = isText(beginning) && !hasLengthOfBinaryStl(input.bytes);
    const auto format =
        recognised({input.bytes, beginning, input.isText, firstWord(beginning)}, input.subject);
    if (!format)
        throw NotThisFormat(
            {subject, "byte 0", "is no mesh",
             fmt::format("Threefold reads meshes and points as {}.", meshFormatNames(" and "))});
    MeshFile mesh = infoOf(*format).read(input);
    if (mesh.vertices.empty())
        throw InputError({subject, "",
                          fmt::format("holds no vertices, although it is {} file",
                                      *format == MeshFormat::obj ? "an OBJ" : "a mesh"),
                          "Export the mesh again."});
    for (glm::vec3& colour : mesh.colours) colour = shares(colour);
    mesh.source = input.subject;
    mesh.format = *format;
    return mesh;
}

MeshFile decodeMesh(Bytes bytes, const std::filesystem::path& subject, const MeshReading& reading) {
    return decodeMesh({bytes, subject, reading});
}

MeshFile readMesh(const std::filesystem::path& file, const MeshReading& reading) {
    // Read, not mapped: a file that is shortened meanwhile must not end the process.
    const std::vector<std::byte> bytes = readFile(file, kLargestContent);
    const FilesOnDisk files(file.parent_path());
    return decodeMesh({bytes, file, reading, &files});
}

TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject, const MeshReading& reading,
                                const NamedFiles& files) {
    TexturedMesh textured;
    MeshInput input{bytes, subject, reading, &files, &textured};
    try {
        textured.mesh = decodeMesh(input);
    } catch (const FormatError& error) {
        // What is wrong may be the look of a glTF: then the shape alone can be read.
        static_cast<MeshLook&>(textured) = {};
        input.look = nullptr;
        textured.mesh = decodeMesh(input);
        textured.missing.emplace_back(error.what());
    }
    return textured;
}

TexturedMesh readTexturedMesh(const std::filesystem::path& file, const MeshReading& reading) {
    return decodeTexturedMesh(readFile(file, kLargestContent), file, reading,
                              FilesOnDisk(file.parent_path()));
}

std::string encodeMesh(MeshFormat format, const Mesh& mesh, const VertexExtras& extras) {
    check(mesh, extras);
    const MeshFormatInfo& info = infoOf(format);
    if (info.write == nullptr)
        refuse("", fmt::format("cannot be written as {}", info.names),
               fmt::format("Choose {}.", meshFormatNames(" or ", mesh_formats::written)));
    return info.write(mesh, extras);
}

std::vector<std::filesystem::path> writeMesh(const std::filesystem::path& file, MeshFormat format,
                                             const Mesh& mesh, VertexExtras extras) {
    std::optional<SurfaceTexture> texture;
    std::vector<std::filesystem::path> written;
    if (extras.texture != nullptr) {
        texture = *extras.texture;
        texture->name = file.stem().string();
        extras.texture = &*texture;
    }
    std::string bytes = encodeMesh(format, mesh, extras);
    if (format == MeshFormat::glb && file.extension() == ".gltf") bytes = gltfOfGlb(bytes);
    if (texture && format == MeshFormat::obj) {
        std::filesystem::path beside = file;
        writePng(written.emplace_back(beside.replace_extension(".png")), *texture->picture);
        const std::string library = fmt::format(
            "newmtl photographs\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {}.png\n",
            texture->name);
        writeFileWhole(written.emplace_back(beside.replace_extension(".mtl")),
                       std::string_view(library));
    }
    writeFileWhole(file, std::string_view(bytes));
    written.push_back(file);
    return written;
}

}  // namespace threefold
