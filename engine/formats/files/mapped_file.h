#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/formats/files/mapping_guard.h"

namespace threefold {

/// A file mapped read-only: pages are read from disk on first access. Bytes that no longer exist
/// then, because the file was truncated or the disk fails, read as zeros: call requireUndamaged()
/// before results computed from the bytes are used, or use decode(), which calls it.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& file);  ///< Throws IoError.
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    /// The mapped bytes.
    std::span<const std::byte> bytes() const { return bytes_; }

    /// Throws IoError if bytes were accessed that no longer existed.
    void requireUndamaged() const;

    /// Returns decoder(bytes()). Throws as requireUndamaged(); if that does not throw, as
    /// `decoder`.
    template <typename Decoder>
    auto decode(const Decoder& decoder) const {
        try {
            auto result = decoder(bytes_);
            requireUndamaged();
            return result;
        } catch (...) {
            requireUndamaged();
            throw;
        }
    }

  private:
    std::filesystem::path file_;
    std::span<const std::byte> bytes_;
    MappingGuard guard_;
};

}  // namespace threefold
