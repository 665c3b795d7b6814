#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace threefold {

/// Whether the bytes begin like a zip file.
bool looksLikeZip(std::span<const std::byte> bytes);

/// Reads the stored or deflated entries of a zip file, such as `.npz` and PyTorch's archives. Safe
/// for untrusted bytes: all declared sizes are checked against the file and a budget before
/// anything is unpacked. One thread at a time.
class ZipArchive {
  public:
    /// File in the archive.
    struct Entry {
        std::string name;
        std::uint64_t uncompressedSize = 0;  ///< bytes
        std::uint64_t compressedSize = 0;    ///< bytes
        std::uint64_t index = 0;             ///< in the central directory
    };

    /// `bytes` must outlive the archive. Throws FormatError: damaged, encrypted, another
    /// compression method, false sizes, a repeated entry, or content beyond contentLimit().
    ZipArchive(std::span<const std::byte> bytes, std::filesystem::path subject);

    /// All entries, in the file's order.
    const std::vector<Entry>& entries() const { return entries_; }
    /// The entry of this name, or null.
    const Entry* find(std::string_view name) const;

    /// Unpacks an entry and verifies its checksum. Throws FormatError.
    std::vector<std::byte> read(const Entry& entry) const;
    /// Unpacks the first `count` bytes of an entry, or all if there are fewer; verifies nothing.
    /// Throws FormatError.
    std::vector<std::byte> readPrefix(const Entry& entry, std::size_t count) const;

    const std::filesystem::path& subject() const { return subject_; }
    /// Throws FormatError: "subject: entry 'name': problem. Remedy."; without a remedy "The file is
    /// damaged …".
    [[noreturn]] void fail(std::string_view entryName, std::string problem,
                           std::string remedy = {}) const;

    /// Maximum sum of uncompressed sizes, in bytes, for a zip file of `fileSize` bytes.
    static std::uint64_t contentLimit(std::uint64_t fileSize);

  private:
    void addEntry(std::uint64_t index);
    /// Unpacks the first `maxBytes` bytes of an entry, or all if there are fewer.
    std::vector<std::byte> unpack(const Entry& entry, std::uint64_t maxBytes) const;

    std::filesystem::path subject_;
    std::unique_ptr<zip, void (*)(zip*)> handle_;
    std::vector<Entry> entries_;  ///< index in the zip file = index here
    std::map<std::string_view, std::size_t> names_;
};

}  // namespace threefold
