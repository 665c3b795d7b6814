#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace threefold {

/// Reserves a path for one writer, so that two results of a run cannot replace each other: while
/// the object lives, all functions of write_file.h throw UsageError for the path, for links to it
/// and for other names of the file. Thread-safe.
class ReservedFile {
  public:
    /// Reserves `file`; an empty path reserves no file. `use` names the purpose in messages: "the
    /// log". Throws UsageError if the file is reserved already.
    ReservedFile(const std::filesystem::path& file, std::string use);
    ~ReservedFile();
    ReservedFile(const ReservedFile&) = delete;
    ReservedFile& operator=(const ReservedFile&) = delete;

    /// Ends the reservation, so that the owner can write the file.
    void release();

  private:
    struct Entry;
    std::unique_ptr<Entry> entry_;  ///< null: nothing is reserved
};

/// Throws UsageError if the file is reserved, under any of its names. Thread-safe.
void requireUnreserved(const std::filesystem::path& file);

}  // namespace threefold
