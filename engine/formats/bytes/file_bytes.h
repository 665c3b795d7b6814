#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/bytes/sha256.h"

namespace threefold {

/// The whole file. Throws IoError (missing, not a regular file, unreadable, larger than `limit`
/// bytes).
std::vector<std::byte> readFile(const std::filesystem::path& file,
                                std::uintmax_t limit = std::uintmax_t{4} << 30);

/// A read-only view of a file's bytes, mapped, so that large files cost only what is touched.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& file);  ///< Throws IoError.
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
};

/// What a power cut after writing leaves.
enum class Surviving {
    oldOrNew,  ///< the file as it was before or as it is now, whole either way
    theNew,    ///< as it is now; waits for the disk once more, which takes as long again
};

/// Writes to a temporary file in the same folder, flushes, then renames over `file`: afterwards
/// `file` holds all of `bytes` or what it held before, and no temporary is left. A symbolic link is
/// followed, an existing file keeps its permissions. Throws IoError with the system's reason.
void writeFileWhole(const std::filesystem::path& file, std::span<const std::byte> bytes,
                    Surviving powerCut = Surviving::oldOrNew);
void writeFileWhole(const std::filesystem::path& file, std::string_view text,
                    Surviving powerCut = Surviving::oldOrNew);

/// Removes the temporary files that processes which were killed have left in a folder. For who
/// knows that nobody else writes there now.
void removeTemporaryFiles(const std::filesystem::path& folder);

}  // namespace threefold
