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

/// The entries of a zip file that are stored or deflated, as `.npz` and PyTorch's archives are.
/// Safe for untrusted bytes: all declared sizes are checked against the file and a budget before
/// anything is unpacked. One thread at a time.
class ZipArchive {
  public:
    struct Entry {
        std::string name;
        std::uint64_t size = 0;    ///< unpacked, in bytes
        std::uint64_t packed = 0;  ///< in bytes
    };

    /// `bytes` must outlive the archive. Throws FormatError: damaged, encrypted, another packing
    /// method, false sizes, a repeated entry, or content beyond contentLimit().
    ZipArchive(std::span<const std::byte> bytes, std::filesystem::path subject);

    /// In the order of the file.
    const std::vector<Entry>& entries() const { return entries_; }
    /// Null if missing.
    const Entry* find(std::string_view name) const;

    /// The whole entry, its checksum verified. Throws FormatError.
    std::vector<std::byte> read(const Entry& entry) const;
    /// Its first `count` bytes, or all if there are fewer; nothing is verified.
    std::vector<std::byte> readBeginning(const Entry& entry, std::size_t count) const;

    const std::filesystem::path& subject() const { return subject_; }
    /// Throws FormatError: "subject: entry 'name': problem. Remedy."; without a remedy "The file is
    /// damaged …".
    [[noreturn]] void fail(std::string_view entry, std::string problem,
                           std::string remedy = {}) const;

    /// Most bytes that the entries of a file of this size may unpack to, together.
    static std::uint64_t contentLimit(std::uint64_t fileSize);

  private:
    void addEntry(std::uint64_t index);
    /// Its first `most` bytes, or all if there are fewer.
    std::vector<std::byte> unpack(const Entry& entry, std::uint64_t most) const;

    std::filesystem::path subject_;
    std::unique_ptr<zip, void (*)(zip*)> handle_;
    std::vector<Entry> entries_;  ///< index in the zip file = index here
    std::map<std::string_view, std::size_t> names_;
};

}  // namespace threefold
