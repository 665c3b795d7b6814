#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "engine/evaluation/journal_text.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

/// Name of the file in the output folder that holds a run's finished samples.
inline constexpr const char* kJournalName = "journal.jsonl";

/// How to begin in a folder that may hold a run already.
enum class JournalStart {
    fresh,      ///< refuse a run with finished samples, else start a new run
    resume,     ///< continue a run with finished samples, else start a new run
    overwrite,  ///< discard any run and start a new one
};

/// The journal of a run, in lines as journal_text.h defines them. The first line describes the run,
/// the first line of each session gives its machine and start time, and all others are finished
/// samples. Lines are on disk when append() returns; a torn last line is detected and removed.
///
/// Locks the folder against other processes during its lifetime, if the file system has locks. Use
/// from one thread at a time.
class Journal {
  public:
    /// Locks the folder, reads its journal or begins one, and adds a session. Removes temporary
    /// files that a killed process left. `about` describes this run: a continued journal must have
    /// the same identity and shard. Throws IoError (cannot be read or written), FormatError (not a
    /// journal), InputError (held by another process; the folder already holds a run; another
    /// identity, with the differences).
    Journal(const std::filesystem::path& folder, const RunDescription& about, JournalStart start);

    /// The current contents.
    const JournalContents& contents() const { return contents_; }
    EvaluationRun run() const { return contents_.run(); }
    /// True if the file, or a folder above it, was removed, moved or replaced meanwhile: the run
    /// cannot be continued. Any thread.
    bool isGone() const;

    /// Adds finished samples, in one durable write. `seconds`: how long this session has lasted.
    /// Throws IoError (a full disk; the file was removed); then none of them is added. contents()
    /// returns them as read back from the file: bytes that are not UTF-8 become U+FFFD.
    void append(std::span<const SampleRecord> records, double seconds);

  private:
    void lock();
    void begin(const RunDescription& about);
    void write(const std::string& text);

    std::filesystem::path file_;
    FileDescriptor folder_;
    FileDescriptor descriptor_;
    JournalContents contents_;
    std::size_t size_ = 0;  ///< bytes of the complete lines
    double secondsBefore_ = 0;
};

/// Reads the run in a folder. Throws IoError (no journal), FormatError (not a journal),
/// InputError (a process is still writing it).
JournalContents readJournal(const std::filesystem::path& folder);

/// Writes a complete run as a journal, atomically. Throws IoError, InputError (held).
void writeJournal(const std::filesystem::path& folder, const EvaluationRun& run);

}  // namespace threefold
