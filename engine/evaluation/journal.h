#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "engine/evaluation/journal_text.h"
#include "engine/evaluation/result_files.h"
#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {

/// The file of a run's finished samples, in its output folder.
inline constexpr const char* kJournalName = "journal.jsonl";

/// What to do with a folder that may hold a run already.
enum class JournalStart {
    fresh,      ///< refuse a run with finished samples, else begin
    resume,     ///< continue such a run, else begin
    overwrite,  ///< discard it
};

/// The journal of a run, in lines of journal_text.h. The first line describes the run, the first of
/// each session says where and when it began, all others are finished samples. Lines are on disk
/// when append() returns; a torn last line is detected and cut.
///
/// Locks the folder against other processes while it lives, where the file system has locks. One
/// thread at a time.
class Journal {
  public:
    /// Locks the folder, reads its journal or begins one, and adds a session. Removes temporary
    /// files that a killed process left. `about` describes this run: a continued journal must have
    /// the same identity and shard. Throws IoError (cannot be read or written), FormatError (not a
    /// journal), InputError (held by another process, a run is there already, another identity:
    /// what differs).
    Journal(const std::filesystem::path& folder, const RunDescription& about, JournalStart start);

    /// What it holds now.
    const JournalContents& contents() const { return contents_; }
    EvaluationRun run() const;

    /// Adds finished samples, in one durable write. `seconds`: how long this session has lasted.
    /// Throws IoError (a full disk); then none of them is added. contents() has them as read back
    /// from the file: bytes that are not UTF-8 are U+FFFD.
    void append(std::span<const SampleRecord> records, double seconds);

  private:
    void lock();
    void begin(const RunDescription& about);
    void write(const std::string& text);

    std::filesystem::path file_;
    FileDescriptor folder_;
    FileDescriptor descriptor_;
    JournalContents contents_;
    std::size_t size_ = 0;  ///< bytes that are whole lines
    double secondsBefore_ = 0;
};

/// The run in a folder. Throws IoError (none there), FormatError (not a journal),
/// InputError (a process is still writing it).
JournalContents readJournal(const std::filesystem::path& folder);

/// Writes a complete run as a journal, atomically. Throws IoError, InputError
/// (held by another process).
void writeJournal(const std::filesystem::path& folder, const EvaluationRun& run);

}  // namespace threefold
