#include "engine/formats/bytes/zip_archive.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

/// Maximum ratio of unpacked to packed size of a deflate stream.
constexpr std::uint64_t kDeflateLimit = 1032;
/// Limit of unpacked content: half of the memory that a reader may take, as an entry and the array
/// decoded from it exist at the same time.
constexpr std::uint64_t kContentPerByte = 8;
constexpr std::uint64_t kContentBase = std::uint64_t{32} << 20;

}  // namespace

bool looksLikeZip(std::span<const std::byte> bytes) {
    const std::string_view text = asText(bytes);
    return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

ZipArchive::ZipArchive(std::span<const std::byte> bytes, std::filesystem::path subject)
    : subject_(std::move(subject)), handle_(nullptr, zip_discard) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source != nullptr) handle_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!handle_) {
        zip_source_free(source);
        fail("", "the table of contents cannot be read: " + reason);
    }

    const auto count = static_cast<std::uint64_t>(zip_get_num_entries(handle_.get(), 0));
    std::uint64_t packed = 0, unpacked = 0;
    entries_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        addEntry(i);
        const Entry& entry = entries_.back();
        if (entry.compressedSize > bytes.size())
            fail(entry.name, fmt::format("declares {} packed bytes, but the file has {} bytes",
                                         entry.compressedSize, bytes.size()));
        // Entries that overlap would unpack to more than the file can hold.
        packed += entry.compressedSize;
        unpacked += entry.uncompressedSize;
        if (packed > bytes.size())
            fail(entry.name,
                 fmt::format("{} packed bytes are declared up to here, but the file has {} bytes",
                             packed, bytes.size()));
        if (unpacked > contentLimit(bytes.size()))
            fail(entry.name,
                 fmt::format("unpacks to {} bytes, together with the entries before it: more than "
                             "is allowed for a "
                             "file of {} bytes",
                             unpacked, bytes.size()),
                 "If you trust it, unzip it and zip it again without compression.");
        if (!names_.emplace(entry.name, i).second) fail(entry.name, "exists twice");
    }
}

std::uint64_t ZipArchive::contentLimit(std::uint64_t fileSize) {
    return kContentBase + kContentPerByte * fileSize;
}

void ZipArchive::addEntry(std::uint64_t index) {
    zip_stat_t status;
    zip_stat_init(&status);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                     ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(handle_.get(), index, 0, &status) != 0 ||
        (status.valid & kNeeded) != kNeeded)
        fail(fmt::format("{}", index), "its central directory entry is incomplete");
    if (status.encryption_method != ZIP_EM_NONE)
        fail(status.name, "is encrypted", "Unzip it, and zip it again without a password.");
    const bool stored = status.comp_method == ZIP_CM_STORE;
    if (!stored && status.comp_method != ZIP_CM_DEFLATE)
        fail(status.name,
             fmt::format("uses compression method {}; only stored and deflated are supported",
                         status.comp_method),
             "Unzip it, and zip it again by the usual method, deflate.");
    if (status.size / (stored ? 1 : kDeflateLimit) > status.comp_size)
        fail(status.name, fmt::format("declares {} bytes, which {} packed bytes cannot hold",
                                      status.size, status.comp_size));
    entries_.push_back({status.name, status.size, status.comp_size, index});
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
    const auto entry = names_.find(name);
    return entry == names_.end() ? nullptr : &entries_[entry->second];
}

std::vector<std::byte> ZipArchive::unpack(const Entry& entry, std::uint64_t maxBytes) const {
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> handle(
        zip_fopen_index(handle_.get(), entry.index, 0), zip_fclose);
    if (!handle) fail(entry.name, zip_strerror(handle_.get()));
    std::vector<std::byte> content(maxBytes);
    std::size_t unpacked = 0;
    while (unpacked < content.size()) {
        const zip_int64_t count =
            zip_fread(handle.get(), content.data() + unpacked, content.size() - unpacked);
        if (count < 0) fail(entry.name, zip_error_strerror(zip_file_get_error(handle.get())));
        if (count == 0) break;
        unpacked += static_cast<std::size_t>(count);
    }
    content.resize(unpacked);
    return content;
}

std::vector<std::byte> ZipArchive::readPrefix(const Entry& entry, std::size_t count) const {
    return unpack(entry, std::min<std::uint64_t>(count, entry.uncompressedSize));
}

std::vector<std::byte> ZipArchive::read(const Entry& entry) const {
    // Asks for one byte more than declared, because only reading to the end verifies the checksum.
    std::vector<std::byte> content = unpack(entry, entry.uncompressedSize + 1);
    if (content.size() != entry.uncompressedSize)
        fail(entry.name,
             fmt::format("declares {} bytes, but holds {} bytes", entry.uncompressedSize,
                         content.size() > entry.uncompressedSize
                             ? "more"
                             : fmt::format("{}", content.size())));
    return content;
}

void ZipArchive::fail(std::string_view entryName, std::string problem, std::string remedy) const {
    if (remedy.empty()) remedy = kDamagedRemedy;
    throw FormatError({subject_.string(),
                       entryName.empty() ? "" : fmt::format("entry '{}'", entryName),
                       std::move(problem), std::move(remedy)});
}

}  // namespace threefold
