#include "engine/formats/meshes/mesh_writing.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/formats/text/text_encoding.h"

namespace threefold {
namespace {

[[noreturn]] void refuse(std::string place, std::string problem, std::string remedy) {
    throw InputError({"mesh", std::move(place), std::move(problem), std::move(remedy)});
}

void checkMesh(const Mesh& mesh, const MeshWriteOptions& options) {
    const std::size_t count = mesh.vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3& p = mesh.vertices[i];
        if (!isFinite(p))
            refuse(fmt::format("vertex {}", i),
                   fmt::format("({}, {}, {}) is not finite", p.x, p.y, p.z),
                   "Check the model and the cameras that it comes from.");
    }
    for (std::size_t i = 0; i < mesh.faces.size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            if (mesh.faces[i][corner] >= count)
                refuse(fmt::format("face {}", i),
                       fmt::format("names the vertex {}, but the number of vertices is {}",
                                   mesh.faces[i][corner], count),
                       "Check the template that the model holds.");
    for (const std::size_t values : {options.colours.size(), options.scalars.size()})
        if (values != 0 && values != count)
            refuse("", fmt::format("{} colours or values for {} vertices", values, count),
                   "Give one for each vertex, or none.");
    if (options.texture != nullptr &&
        options.texture->textureCoordinates.size() != 3 * mesh.faces.size())
        refuse("",
               fmt::format("{} texture coordinates for {} faces",
                           options.texture->textureCoordinates.size(), mesh.faces.size()),
               "Give three for each face.");
}

/// Replaces control characters by '_': line ends among them would break the lines of a text file.
std::string nameInText(std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, '_');
    return name;
}

/// Beginning of a kind of files that writeMesh() writes; "0" stands for any number of digits, after
/// a minus or not.
struct WrittenBeginning {
    std::string_view extension;
    std::string_view pattern;
};
constexpr WrittenBeginning kWrittenBeginnings[] = {
    {".obj", "v 0.0 "},
    {".obj", "mtllib "},
    {".xyz", "0.0e"},
    {".ply", "ply\nformat "},
    {".stl", "binary STL of Threefold"},
    {".glb", "glTF"},
    {".gltf", "{\""},
    {".mtl", "newmtl photographs"},
    {".png", "\x89PNG"},
};

bool matches(std::string_view text, std::string_view pattern) {
    constexpr std::string_view kDigits = "0123456789";
    for (const char expected : pattern) {
        if (expected != '0') {
            if (!text.starts_with(expected)) return false;
            text.remove_prefix(1);
            continue;
        }
        if (text.starts_with('-')) text.remove_prefix(1);
        const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
        if (digits == 0) return false;
        text.remove_prefix(digits);
    }
    return true;
}

}  // namespace

bool beginsAsWritten(std::string_view extension, std::string_view beginning) {
    return std::ranges::any_of(kWrittenBeginnings, [&](const WrittenBeginning& written) {
        return written.extension == extension && matches(beginning, written.pattern);
    });
}

std::string encodeMesh(MeshFormat format, const Mesh& mesh, const MeshWriteOptions& options) {
    checkMesh(mesh, options);
    const MeshFormatInfo& info = infoOf(format);
    if (info.encode == nullptr)
        refuse("", fmt::format("cannot be written as {}", info.names),
               fmt::format("Choose {}.", meshFormatNames(" or ", mesh_format_filters::writable)));
    return info.encode(mesh, options);
}

std::vector<std::filesystem::path> textureFilesOf(const std::filesystem::path& file,
                                                  MeshFormat format) {
    if (format != MeshFormat::obj) return {};
    const std::string beside = (file.parent_path() / nameInText(file.stem().string())).string();
    return {beside + ".png", beside + ".mtl"};
}

std::vector<std::filesystem::path> writeMesh(const std::filesystem::path& file, MeshFormat format,
                                             const Mesh& mesh, MeshWriteOptions options) {
    std::optional<SurfaceTexture> texture;
    std::vector<std::filesystem::path> written;
    if (options.texture != nullptr) {
        texture = *options.texture;
        texture->name = nameInText(file.stem().string());
        options.texture = &*texture;
    }
    std::string bytes = encodeMesh(format, mesh, options);
    if (format == MeshFormat::glb && lowered(file.extension().string()) == ".gltf")
        bytes = gltfFromGlb(bytes);
    if (texture) written = textureFilesOf(file, format);
    std::vector<std::byte> picture;
    std::string library;
    std::vector<NewFile> files;
    if (!written.empty()) {
        picture = encodePng(*texture->picture);
        library = fmt::format(
            "newmtl photographs\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nillum 1\nmap_Kd {}.png\n",
            texture->name);
        files = {{written[0], picture}, {written[1], asBytes(library)}};
    }
    files.push_back({file, asBytes(bytes)});
    writeFilesAtomically(files);
    written.push_back(file);
    return written;
}

}  // namespace threefold
