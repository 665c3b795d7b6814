#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/zip_archive.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

constexpr const char* kPicture = "Convert it to PNG or JPEG.";
constexpr const char* kWithLibheif = "Install libheif1, or convert it to PNG or JPEG.";
constexpr const char* kArchive = "Unpack it, and inspect what was in it.";
constexpr const char* kMesh = "Export it from its program as one of";
constexpr const char* kArrays = "Save its arrays with numpy.savez.";

/// A kind of file that is none of ours, and what its bytes have at a place.
struct Signature {
    std::string_view bytes;
    std::size_t place;
    const char* kind;
    const char* remedy;
};

using namespace std::string_view_literals;

constexpr Signature kSignatures[] = {
    {"GIF87a", 0, "a GIF image", kPicture},
    {"GIF89a", 0, "a GIF image", kPicture},
    {"II*\0"sv, 0, "a TIFF image", kPicture},
    {"MM\0*"sv, 0, "a TIFF image", kPicture},
    {"ftypavif", 4, "an AVIF image", kWithLibheif},
    {"ftyphei", 4, "a HEIC image", kWithLibheif},
    {"ftypmif1", 4, "a HEIC image", kWithLibheif},
    {"\0\0\0\x0cjP  "sv, 0, "a JPEG 2000 image", kPicture},
    {"8BPS", 0, "a Photoshop image", kPicture},
    {"\x76\x2f\x31\x01", 0, "an OpenEXR image", kPicture},
    {"DDS ", 0, "a DDS image", kPicture},
    {"\xabKTX 20", 0, "a KTX2 image", kPicture},
    {"%PDF-", 0, "a PDF document", "Save its pictures as PNG or JPEG."},
    {"\x1f\x8b", 0, "packed with gzip", kArchive},
    {"BZh", 0, "packed with bzip2", kArchive},
    {"\xfd"
     "7zXZ",
     0, "packed with xz", kArchive},
    {"\x28\xb5\x2f\xfd", 0, "packed with zstd", kArchive},
    {"7z\xbc\xaf", 0, "a 7z archive", kArchive},
    {"Rar!", 0, "a RAR archive", kArchive},
    {"ustar", 257, "a tar archive", kArchive},
    {"Kaydara FBX", 0, "an FBX scene", kMesh},
    {"BLENDER", 0, "a Blender scene", kMesh},
    {"\x89HDF\r\n", 0, "an HDF5 file", kArrays},
    {"MATLAB 5.0", 0, "a MATLAB file", kArrays},
};

/// A Windows bitmap begins with two letters alone; more of its header is always the same.
bool isBmp(std::string_view text) {
    return text.starts_with("BM") && text.size() > 18 && text.substr(6, 4) == "\0\0\0\0"sv &&
           text.substr(15, 3) == "\0\0\0"sv;
}

bool hasName(const ZipArchive& zip, std::string_view ending) {
    return std::ranges::any_of(zip.entries(), [&](const ZipArchive::Entry& entry) {
        return entry.name.ends_with(ending);
    });
}

/// Names the kind of a zip without arrays or a PyTorch archive; none for others, and for a damaged
/// one, which its reader reports.
std::optional<ErrorReport> reportOfZip(std::span<const std::byte> bytes, const std::string& file) {
    try {
        const ZipArchive zip(bytes, file);
        if (zip.entries().empty() || hasName(zip, ".npy") || hasName(zip, "data.pkl"))
            return std::nullopt;
        if (zip.find("[Content_Types].xml") != nullptr && hasName(zip, ".model"))
            return ErrorReport{file, "", "is a 3MF model, which is not read", kMesh};
        if (zip.find("[Content_Types].xml") != nullptr)
            return ErrorReport{file, "", "is an Office document, which is not read",
                               "Save its pictures as PNG or JPEG."};
        return ErrorReport{
            file, "",
            fmt::format("is a zip archive without arrays, of {} files", zip.entries().size()),
            kArchive};
    } catch (const FormatError&) {
        return std::nullopt;
    }
}

std::optional<ErrorReport> reportOf(std::span<const std::byte> bytes,
                                    const std::filesystem::path& file) {
    const std::string_view text = asText(bytes);
    const auto unread = [&](const char* kind, const char* remedy) {
        return ErrorReport{file.string(), "", fmt::format("is {}, which is not read", kind),
                           remedy};
    };
    for (const Signature& signature : kSignatures)
        if (text.substr(std::min(signature.place, text.size())).starts_with(signature.bytes))
            return unread(signature.kind, signature.remedy);
    if (isBmp(text)) return unread("a BMP image", kPicture);
    if (file.extension() == ".yaml" || file.extension() == ".yml")
        return unread("a YAML file", "Cameras are read from transforms.json and cameras.json.");
    return looksLikeZip(bytes) ? reportOfZip(bytes, file.string()) : std::nullopt;
}

}  // namespace

Description describeForeign(const std::filesystem::path& file, Ranges) {
    const MappedFile mapped(file);
    std::optional<ErrorReport> report = reportOf(mapped.bytes(), file);
    if (!report) throw NotThisFormat({file.string(), "", "is of no kind that is known here", ""});
    if (report->remedy == kMesh)
        report->remedy += fmt::format(" {}.", meshFormatNames(" or ", mesh_formats::notArrays));
    throw InputError(std::move(*report));
}

}  // namespace threefold
