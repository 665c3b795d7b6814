#include "engine/formats/npz.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

#include "engine/error.h"
#include "engine/formats/byte_cursor.h"
#include "engine/formats/file_bytes.h"

namespace threefold {
namespace {

/// No deflate stream unpacks to more than this many times its size.
constexpr std::uint64_t kDeflateLimit = 1032;
/// Of all arrays together, so that a well-made bomb ends as an error and not as a dead machine.
constexpr std::uint64_t kLargestContent = std::uint64_t{16} << 30;
constexpr std::size_t kChunk = std::size_t{1} << 20;

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using EntryHandle = std::unique_ptr<zip_file_t, CloseEntry>;

class Archive {
  public:
    Archive(std::span<const std::byte> bytes, std::filesystem::path subject)
        : bytes_(bytes), subject_(std::move(subject)) {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
        if (source != nullptr) handle_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        if (handle_) return;
        zip_source_free(source);
        fail("", "its table of contents cannot be read: " + reason);
    }

    ArrayMap readAll() {
        const zip_int64_t count = zip_get_num_entries(handle_.get(), 0);
        std::uint64_t packed = 0, unpacked = 0;
        for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
            const zip_stat_t status = checkedStatus(i);
            // Entries that share their bytes would unpack to more than the file can hold.
            packed += status.comp_size;
            unpacked += status.size;
            if (packed > bytes_.size() || unpacked > kLargestContent)
                fail(status.name, fmt::format("{} bytes packed and {} unpacked are declared up to "
                                              "here, the file has {} bytes",
                                              packed, unpacked, bytes_.size()));
            addArray(i, status);
        }
        return std::move(arrays_);
    }

  private:
    [[noreturn]] void fail(const std::string& entry, std::string problem) const {
        throw FormatError({subject_.string(), entry.empty() ? "" : "entry '" + entry + "'",
                           std::move(problem),
                           "The file is damaged or incomplete: copy or download it again."});
    }

    zip_stat_t checkedStatus(zip_uint64_t index) const {
        zip_stat_t status;
        zip_stat_init(&status);
        constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                         ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(handle_.get(), index, 0, &status) != 0 ||
            (status.valid & kNeeded) != kNeeded)
            fail(fmt::format("{}", index), "its place in the table of contents is incomplete");
        if (status.encryption_method != ZIP_EM_NONE) fail(status.name, "is encrypted");
        const bool stored = status.comp_method == ZIP_CM_STORE;
        if (!stored && status.comp_method != ZIP_CM_DEFLATE)
            fail(status.name, fmt::format("is packed by method {}, stored and deflated are read",
                                          status.comp_method));
        if (status.comp_size > bytes_.size() ||
            status.size > status.comp_size * (stored ? 1 : kDeflateLimit))
            fail(status.name, fmt::format("declares {} bytes, which {} packed bytes cannot hold",
                                          status.size, status.comp_size));
        return status;
    }

    void addArray(zip_uint64_t index, const zip_stat_t& status) {
        constexpr std::string_view kEnding = ".npy";
        std::string name = status.name;
        if (!name.ends_with(kEnding)) return;
        const std::vector<std::byte> content = unpack(index, status);
        Array array = decodeEntry(content, name);
        name.resize(name.size() - kEnding.size());
        if (!arrays_.emplace(name, std::move(array)).second) fail(name, "is there twice");
    }

    /// Grows as bytes really come, so that a declared size alone never takes memory.
    std::vector<std::byte> unpack(zip_uint64_t index, const zip_stat_t& status) const {
        const EntryHandle entry(zip_fopen_index(handle_.get(), index, 0));
        if (!entry) fail(status.name, zip_strerror(handle_.get()));
        std::vector<std::byte> content;
        for (;;) {
            const std::size_t done = content.size();
            // One byte more than declared: reading to the end is what checks the CRC.
            const std::size_t wanted =
                std::min<std::uint64_t>(std::max(kChunk, done), status.size - done + 1);
            content.resize(done + wanted);
            const zip_int64_t count = zip_fread(entry.get(), content.data() + done, wanted);
            if (count < 0) fail(status.name, zip_error_strerror(zip_file_get_error(entry.get())));
            content.resize(done + static_cast<std::size_t>(count));
            if (count == 0) break;
            if (content.size() > status.size) break;
        }
        if (content.size() != status.size)
            fail(status.name,
                 fmt::format("declares {} bytes and holds {}", status.size, content.size()));
        return content;
    }

    Array decodeEntry(std::span<const std::byte> content, const std::string& name) const {
        try {
            return decodeNpy(content, subject_ / name);
        } catch (const NotThisFormat& error) {
            fail(name, error.report().problem);
        }
    }

    std::span<const std::byte> bytes_;
    std::filesystem::path subject_;
    std::unique_ptr<zip_t, CloseArchive> handle_;
    ArrayMap arrays_;
};

bool looksLikeZip(std::string_view text) {
    return text.starts_with("PK\x03\x04") || text.starts_with(std::string_view("PK\x05\x06"));
}

}  // namespace

ArrayMap decodeNpz(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    if (!looksLikeZip(asText(bytes)))
        throw NotThisFormat({subject.string(), "byte 0", "is not an .npz archive",
                             "Save it with numpy.savez or numpy.savez_compressed."});
    return Archive(bytes, subject).readAll();
}

ArrayMap readNpz(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    return decodeNpz(mapped.bytes(), file);
}

}  // namespace threefold
