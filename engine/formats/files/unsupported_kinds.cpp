#include "engine/formats/files/unsupported_kinds.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/zip_archive.h"
#include "engine/formats/files/file_bytes.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPictureRemedy = "Convert it to PNG or JPEG.";
constexpr std::string_view kHeicRemedy = "Install libheif1, or convert it to PNG or JPEG.";
constexpr std::string_view kArchiveRemedy = "Unpack it and open the files that it contains.";
constexpr std::string_view kMeshRemedy = "Export it from its program as OBJ, PLY, STL or glTF.";
constexpr std::string_view kArraysRemedy = "Save its arrays with numpy.savez.";

/// Bytes at a fixed offset that identify a kind.
struct Signature {
    std::string_view bytes;
    std::size_t offset;
    std::string_view kind;
    std::string_view remedy;
};

constexpr Signature kSignatures[] = {
    {"GIF87a", 0, "a GIF image", kPictureRemedy},
    {"GIF89a", 0, "a GIF image", kPictureRemedy},
    {"II*\0"sv, 0, "a TIFF image", kPictureRemedy},
    {"MM\0*"sv, 0, "a TIFF image", kPictureRemedy},
    {"II+\0"sv, 0, "a TIFF image", kPictureRemedy},
    {"FUJIFILMCCD-RAW", 0, "a raw photograph", kPictureRemedy},
    {"IIU\0"sv, 0, "a raw photograph", kPictureRemedy},
    {"ftypcrx ", 4, "a raw photograph", kPictureRemedy},
    {"ftypavif", 4, "an AVIF image", kHeicRemedy},
    {"ftyphei", 4, "a HEIC image", kHeicRemedy},
    {"ftypmif1", 4, "a HEIC image", kHeicRemedy},
    {"\0\0\0\x0cjP  "sv, 0, "a JPEG 2000 image", kPictureRemedy},
    {"\0\0\0\x0cJXL "sv, 0, "a JPEG XL image", kPictureRemedy},
    {"\xff\x0a", 0, "a JPEG XL image", kPictureRemedy},
    {"8BPS", 0, "a Photoshop image", kPictureRemedy},
    {"\x76\x2f\x31\x01", 0, "an OpenEXR image", kPictureRemedy},
    {"#?RADIANCE", 0, "a Radiance image", kPictureRemedy},
    {"DDS ", 0, "a DDS image", kPictureRemedy},
    {"\xabKTX 20", 0, "a KTX2 image", kPictureRemedy},
    {"%PDF-", 0, "a PDF document", "Save its pictures as PNG or JPEG."},
    {"\x1f\x8b", 0, "packed with gzip", kArchiveRemedy},
    {"BZh", 0, "packed with bzip2", kArchiveRemedy},
    {"\xfd"
     "7zXZ",
     0, "packed with xz", kArchiveRemedy},
    {"\x28\xb5\x2f\xfd", 0, "packed with zstd", kArchiveRemedy},
    {"7z\xbc\xaf", 0, "a 7z archive", kArchiveRemedy},
    {"Rar!", 0, "a RAR archive", kArchiveRemedy},
    {"ustar", 257, "a tar archive", kArchiveRemedy},
    {"Kaydara FBX", 0, "an FBX scene", kMeshRemedy},
    {"; FBX ", 0, "an FBX scene", kMeshRemedy},
    {"BLENDER", 0, "a Blender scene", kMeshRemedy},
    {"PXR-USDC", 0, "a USD scene", kMeshRemedy},
    {"#usda", 0, "a USD scene", kMeshRemedy},
    {"DRACO", 0, "a mesh packed with Draco", kMeshRemedy},
    {"\x89HDF\r\n", 0, "an HDF5 file", kArraysRemedy},
    {"MATLAB 5.0", 0, "a MATLAB file", kArraysRemedy},
};

/// Whether the text is a Windows bitmap: "BM", and the bytes of its header that are always 0.
bool isBmp(std::string_view text) {
    return text.starts_with("BM") && text.size() > 18 && text.substr(6, 4) == "\0\0\0\0"sv &&
           text.substr(15, 3) == "\0\0\0"sv;
}

/// Whether the text is a Targa image of version 2, which ends with a signature; version 1 has none.
bool isTarga(std::string_view text) {
    return text.ends_with("TRUEVISION-XFILE.\0"sv);
}

/// Whether the text is a 3D Studio file: a main chunk as long as the file. The main chunk begins
/// with the chunk of the version or of the editor.
bool is3ds(std::string_view text) {
    constexpr std::size_t kHead = 6;  // a chunk's number and length
    if (!text.starts_with("MM") || text.size() < 2 * kHead) return false;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
        length |= std::uint64_t{static_cast<unsigned char>(text[2 + i])} << (8 * i);
    const std::string_view inner = text.substr(kHead, 2);
    return length == text.size() && (inner == "\x02\0"sv || inner == "==");
}

/// Whether the text is an XML document with this root element; a declaration and comments may come
/// first.
bool isXmlOf(std::string_view text, std::string_view root) {
    constexpr std::size_t kSearchedBytes = 4096;
    const std::string_view head = text.substr(0, std::min(text.size(), kSearchedBytes));
    return head.find_first_not_of("\xef\xbb\xbf \t\r\n") != std::string_view::npos &&
           head[head.find_first_not_of("\xef\xbb\xbf \t\r\n")] == '<' &&
           head.find(fmt::format("<{}", root)) != std::string_view::npos;
}

bool hasName(const ZipArchive& zip, std::string_view ending) {
    return std::ranges::any_of(zip.entries(), [&](const ZipArchive::Entry& entry) {
        return entry.name.ends_with(ending);
    });
}

/// Kind of a zip file that is neither an .npz file nor a PyTorch archive. nullopt for these two,
/// and for a damaged file: the reader of the file reports the damage.
std::optional<UnsupportedKind> kindOfZip(std::span<const std::byte> bytes) {
    try {
        const ZipArchive zip(bytes, {});
        if (zip.entries().empty() || hasName(zip, ".npy") || hasName(zip, "data.pkl"))
            return std::nullopt;
        if (hasName(zip, ".usdc") || hasName(zip, ".usda") || hasName(zip, ".usd"))
            return UnsupportedKind{"a USD scene", kMeshRemedy};
        if (zip.find("[Content_Types].xml") != nullptr && hasName(zip, ".model"))
            return UnsupportedKind{"a 3MF model", kMeshRemedy};
        if (zip.find("[Content_Types].xml") != nullptr)
            return UnsupportedKind{"an Office document", "Save its pictures as PNG or JPEG."};
        return UnsupportedKind{
            fmt::format("a zip archive without arrays, of {} files", zip.entries().size()),
            kArchiveRemedy};
    } catch (const FormatError&) {
        return std::nullopt;
    }
}

/// The first 512 bytes of a file followed by the last 32, which identify a Targa image; all of a
/// short file. Empty if the file cannot be read.
std::string headAndTailOf(const std::filesystem::path& file) {
    constexpr std::streamsize kHead = 512, kTail = 32;
    std::ifstream in(file, std::ios::binary);
    std::string ends(static_cast<std::size_t>(kHead + kTail), '\0');
    in.read(ends.data(), kHead);
    std::streamsize size = std::max<std::streamsize>(in.gcount(), 0);
    if (in) {
        in.seekg(0, std::ios::end);
        const std::streamoff tail =
            std::min<std::streamoff>(in.tellg() - std::streamoff{kHead}, kTail);
        in.seekg(-tail, std::ios::end);
        in.read(ends.data() + size, tail);
        size += std::max<std::streamsize>(in.gcount(), 0);
    }
    ends.resize(static_cast<std::size_t>(size));
    return ends;
}

}  // namespace

std::optional<UnsupportedKind> unsupportedKind(std::span<const std::byte> bytes) {
    const std::string_view text = asText(bytes);
    for (const Signature& signature : kSignatures)
        if (text.substr(std::min(signature.offset, text.size())).starts_with(signature.bytes))
            return UnsupportedKind{
                std::string(signature.kind), signature.remedy,
                signature.remedy == kPictureRemedy || signature.remedy == kHeicRemedy};
    if (isBmp(text)) return UnsupportedKind{"a BMP image", kPictureRemedy, true};
    if (isTarga(text)) return UnsupportedKind{"a Targa image", kPictureRemedy, true};
    if (isVideo(bytes)) return UnsupportedKind{"a video", "Save frames of it as JPEG."};
    if (is3ds(text)) return UnsupportedKind{"a 3D Studio scene", kMeshRemedy};
    if (isXmlOf(text, "COLLADA")) return UnsupportedKind{"a COLLADA scene", kMeshRemedy};
    if (isXmlOf(text, "X3D")) return UnsupportedKind{"an X3D scene", kMeshRemedy};
    return looksLikeZip(bytes) ? kindOfZip(bytes) : std::nullopt;
}

bool isVideo(std::span<const std::byte> bytes) {
    const std::string_view text = asText(bytes);
    constexpr std::string_view kMatroska = "\x1a\x45\xdf\xa3";
    if (text.starts_with(kMatroska)) return true;
    if (text.starts_with("RIFF") && text.substr(std::min<std::size_t>(8, text.size()), 4) == "AVI ")
        return true;
    // First boxes of ISO 14496-12 files. kPictureBrands: HEIC, AVIF and raw photographs, not
    // videos.
    constexpr std::string_view kFirstBoxes[] = {"moov", "mdat", "wide"};
    constexpr std::string_view kPictureBrands[] = {"hei", "hev", "avi", "mif", "msf", "crx", "mia"};
    const std::string_view box = text.substr(std::min<std::size_t>(4, text.size()), 4);
    if (std::ranges::find(kFirstBoxes, box) != std::ranges::end(kFirstBoxes)) return true;
    if (box != "ftyp" || text.size() < 12) return false;
    return std::ranges::none_of(kPictureBrands, [brand = text.substr(8)](std::string_view picture) {
        return brand.starts_with(picture);
    });
}

std::string unsupportedPicturesText(const std::filesystem::path& folder) {
    std::map<std::string, std::size_t> counts;
    for (const std::filesystem::path& path : tryListFolder(folder)) {
        if (!isFile(path)) continue;  // opening a pipe would block
        const std::string ends = headAndTailOf(path);
        const auto kind = unsupportedKind(std::as_bytes(std::span(ends)));
        if (kind && kind->isPicture) ++counts[kind->name];
    }
    const auto mostFrequent =
        std::ranges::max_element(counts, {}, [](const auto& counted) { return counted.second; });
    if (mostFrequent == counts.end()) return {};
    const std::string_view name =
        std::string_view(mostFrequent->first).substr(mostFrequent->first.find(' ') + 1);
    return mostFrequent->second == 1
               ? fmt::format("one file is {}, which is not supported", mostFrequent->first)
               : fmt::format("{} files are {}s, which are not read", mostFrequent->second, name);
}

}  // namespace threefold
