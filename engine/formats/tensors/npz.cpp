#include "engine/formats/tensors/npz.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/zip_archive.h"

namespace threefold {
namespace {

constexpr std::string_view kExtension = ".npy";
/// Number of bytes at an array's beginning that hold any accepted header.
constexpr std::size_t kBeginningBytes = (std::size_t{1} << 16) + 16;

ZipArchive openNpz(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    if (!looksLikeZip(bytes))
        throw NotThisFormat({subject.string(), "byte 0", "is not an .npz archive",
                             "Save it with numpy.savez or numpy.savez_compressed."});
    ZipArchive archive(bytes, subject);
    for (const ZipArchive::Entry& entry : archive.entries())
        if (entry.name == "data.pkl" || entry.name.ends_with("/data.pkl"))
            throw NotThisFormat({subject.string(), fmt::format("entry '{}'", entry.name),
                                 "is an archive of PyTorch, not of numpy",
                                 "Save it with numpy.savez or numpy.savez_compressed."});
    return archive;
}

/// Calls `use` with every array's entry and its name without the ending.
template <typename Use>
void forEachArray(const ZipArchive& archive, Use use) {
    for (const ZipArchive::Entry& entry : archive.entries()) {
        if (!entry.name.ends_with(kExtension)) continue;
        const std::string name = entry.name.substr(0, entry.name.size() - kExtension.size());
        try {
            use(entry, name);
        } catch (const NotThisFormat& error) {
            archive.fail(entry.name, error.report().problem);
        }
    }
}

}  // namespace

ArrayMap decodeNpz(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    const ZipArchive archive = openNpz(bytes, subject);
    ArrayMap arrays;
    forEachArray(archive, [&](const ZipArchive::Entry& entry, const std::string& name) {
        const std::vector<std::byte> content = archive.read(entry);
        const std::filesystem::path entryPath = subject / entry.name;
        const NpyHeader header = decodeNpyHeader(content, entryPath);
        if (header.type) arrays.emplace(name, decodeNpy(content, entryPath));
    });
    return arrays;
}

std::map<std::string, NpyHeader> decodeNpzHeaders(std::span<const std::byte> bytes,
                                                  const std::filesystem::path& subject) {
    const ZipArchive archive = openNpz(bytes, subject);
    std::map<std::string, NpyHeader> headers;
    forEachArray(archive, [&](const ZipArchive::Entry& entry, const std::string& name) {
        const std::vector<std::byte> beginning = archive.readPrefix(entry, kBeginningBytes);
        NpyHeader header = decodeNpyHeader(beginning, subject / entry.name);
        if (header.type && byteCount(header.type->dtype, header.shape) !=
                               entry.uncompressedSize - header.dataOffset)
            archive.fail(
                entry.name,
                fmt::format("the shape {} of {} does not fit its {} bytes", shapeText(header.shape),
                            dtypeName(header.type->dtype), entry.uncompressedSize));
        headers.emplace(name, std::move(header));
    });
    return headers;
}

}  // namespace threefold
