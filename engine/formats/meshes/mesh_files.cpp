#include "engine/formats/meshes/mesh_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/named_files.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

using Bytes = std::span<const std::byte>;
using Decode = MeshFile (*)(Bytes, const std::filesystem::path&, const MeshReading&);

constexpr const char* kRemedy =
    "Threefold reads meshes and points as OBJ, PLY, STL, GLB, glTF, XYZ, NPY and NPZ.";

constexpr std::array<std::pair<std::string_view, MeshFormat>, 8> kNames{{
    {"obj", MeshFormat::obj},
    {"xyz", MeshFormat::xyz},
    {"ply", MeshFormat::ply},
    {"stl", MeshFormat::stl},
    {"glb", MeshFormat::glb},
    {"gltf", MeshFormat::glb},
    {"npy", MeshFormat::npy},
    {"npz", MeshFormat::npz},
}};

struct Reader {
    MeshFormat format;
    Decode decode;  ///< null: decodeGlb()
};

constexpr Reader kGltf{MeshFormat::glb, nullptr};

/// An STL of bytes has no signature, but its length follows from what it declares.
bool hasLengthOfBinaryStl(Bytes bytes) {
    constexpr std::size_t kHeader = 84;
    constexpr std::size_t kTriangle = 50;
    if (bytes.size() < kHeader) return false;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < 4; ++i)
        count |= std::to_integer<std::uint64_t>(bytes[kHeader - 4 + i]) << (8 * i);
    return bytes.size() == kHeader + count * kTriangle;
}

bool isText(std::string_view beginning) {
    return std::none_of(beginning.begin(), beginning.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
}

/// Whether the bytes, in some encoding, are text as a whole: not a text's header before bytes.
bool mayBeText(Bytes bytes) {
    const std::string_view beginning =
        asText(bytes.first(std::min(bytes.size(), std::size_t{4096})));
    if (hasLengthOfBinaryStl(bytes)) return false;
    if (beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff")) return true;
    const bool bytesFollow =
        beginning.starts_with("ply") && beginning.find("ascii") == beginning.npos;
    return isText(beginning) && !bytesFollow;
}

/// The first word that is no comment.
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

bool isStatementOfObj(std::string_view word) {
    constexpr std::string_view kWords[] = {"v", "vn", "vt", "vp", "f",      "o",
                                           "g", "s",  "l",  "p",  "mtllib", "usemtl"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

std::optional<Reader> readerByContent(Bytes bytes) {
    constexpr std::size_t kLookedAt = 4096;
    const std::string_view beginning = asText(bytes.first(std::min(bytes.size(), kLookedAt)));
    if (beginning.starts_with("ply\n") || beginning.starts_with("ply\r"))
        return Reader{MeshFormat::ply, decodePly};
    if (beginning.starts_with("glTF")) return kGltf;
    if (beginning.starts_with("\x93NUMPY")) return Reader{MeshFormat::npy, decodeNpyCloud};
    if (beginning.starts_with("PK\x03\x04") || beginning.starts_with("PK\x05\x06"))
        return Reader{MeshFormat::npz, decodeNpzMesh};
    if (hasLengthOfBinaryStl(bytes)) return Reader{MeshFormat::stl, decodeBinaryStl};
    if (!isText(beginning)) return std::nullopt;
    const std::string_view word = firstWord(beginning);
    if (word.starts_with('{') && beginning.find("\"asset\"") != beginning.npos) return kGltf;
    if (word == "solid") return Reader{MeshFormat::stl, decodeTextStl};
    if (isStatementOfObj(word)) return Reader{MeshFormat::obj, decodeObj};
    const bool number = !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) != 0 ||
                                          word[0] == '-' || word[0] == '+' || word[0] == '.');
    if (number) return Reader{MeshFormat::xyz, decodeXyz};
    return std::nullopt;
}

/// For what its content does not tell: a long comment, or damage, which the reader then explains.
std::optional<Reader> readerByExtension(const std::filesystem::path& subject, Bytes bytes) {
    const auto format = meshFormatFromName(subject.extension().string());
    if (!format) return std::nullopt;
    const std::string_view text = asText(bytes.first(std::min(bytes.size(), std::size_t{4096})));
    switch (*format) {
        case MeshFormat::obj:
            return Reader{MeshFormat::obj, decodeObj};
        case MeshFormat::xyz:
            return Reader{MeshFormat::xyz, decodeXyz};
        case MeshFormat::stl:
            if (text.starts_with("solid") && isText(text))
                return Reader{MeshFormat::stl, decodeTextStl};
            return Reader{MeshFormat::stl, decodeBinaryStl};
        case MeshFormat::glb:
            if (firstWord(text).starts_with('{')) return kGltf;
            return std::nullopt;
        default:
            return std::nullopt;  // these begin with a signature
    }
}

}  // namespace

MeshBytes::MeshBytes(Bytes bytes) : bytes_(bytes) {
    if (mayBeText(bytes)) text_.emplace(asText(bytes));
}

Bytes MeshBytes::plain() const {
    return text_ ? asBytes(text_->text()) : bytes_;
}

MeshFile decodePlainMesh(const MeshBytes& bytes, const std::filesystem::path& subject,
                         const MeshReading& reading, const NamedFiles* files,
                         GltfSurface* surface) {
    const Bytes plain = bytes.plain();
    if (plain.empty())
        throw FormatError({subject.string(), "byte 0", "is empty", "Export the mesh again."});
    auto reader = readerByContent(plain);
    if (!reader) reader = readerByExtension(subject, plain);
    if (!reader) throw NotThisFormat({subject.string(), "byte 0", "is no mesh", kRemedy});
    MeshFile mesh = reader->decode == nullptr ? decodeGlb(plain, subject, reading, files, surface)
                                              : reader->decode(plain, subject, reading);
    if (mesh.vertices.empty())
        throw InputError({subject.string(), "",
                          fmt::format("holds no vertices, although it is {} file",
                                      reader->format == MeshFormat::obj ? "an OBJ" : "a mesh"),
                          "Export the mesh again."});
    mesh.source = subject;
    mesh.format = reader->format;
    return mesh;
}

MeshFile decodeMesh(Bytes bytes, const std::filesystem::path& subject, const MeshReading& reading) {
    return decodePlainMesh(MeshBytes(bytes), subject, reading);
}

MeshFile readMesh(const std::filesystem::path& file, const MeshReading& reading) {
    // Read, not mapped: a file that somebody shortens meanwhile must not end the process.
    const std::vector<std::byte> bytes = readFile(file);
    const FilesOnDisk files;
    return decodePlainMesh(MeshBytes(bytes), file, reading, &files);
}

std::string_view meshFormatName(MeshFormat format) {
    return std::find_if(kNames.begin(), kNames.end(),
                        [&](const auto& each) { return each.second == format; })
        ->first;
}

std::optional<MeshFormat> meshFormatFromName(std::string_view name) {
    if (name.starts_with('.')) name.remove_prefix(1);
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    for (const auto& [each, format] : kNames)
        if (std::equal(name.begin(), name.end(), each.begin(), each.end(), same)) return format;
    return std::nullopt;
}

bool looksLikeMeshFile(const std::filesystem::path& file) {
    return meshFormatFromName(file.extension().string()).has_value();
}

}  // namespace threefold
