#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/journal_text.h"
#include "engine/evaluation/result_files.h"
#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {

/// Where a run keeps what it has done, in the folder of its results.
inline constexpr const char* kJournalName = "journal.jsonl";

/// What to do with a folder that may hold a run already.
enum class JournalStart {
    fresh,      ///< refuse one of which a sample is done, else begin
    resume,     ///< go on with such a one, else begin
    overwrite,  ///< forget it
};

/// The journal of a run, a line of journal_text.h for each thing. The first line says what the run
/// is, the first of each session where and when it began, all others are finished samples. A line
/// is on the disk when append() returns; one that was torn by the end of the process is recognised
/// and cut.
///
/// While it lives, the folder is this process's: a second one is refused, where the file system
/// knows locks. One thread at a time.
class Journal {
  public:
    /// Locks the folder, reads what is there or begins anew, and notes that a session begins.
    /// Temporary files that a killed process has left in the folder are removed.
    /// `about` describes this run: identity and shard must be those of a journal that is gone on
    /// with. Throws IoError (cannot be read or written), FormatError (not a journal), InputError
    /// (held by another process, a run that is there already, another identity: what differs).
    Journal(const std::filesystem::path& folder, const RunDescription& about, JournalStart start);

    /// What it holds now.
    const JournalContents& contents() const { return contents_; }
    EvaluationRun run() const;

    /// Adds finished samples, in one durable write. `seconds`: how long this session has lasted.
    /// Throws IoError (a full disk); then none of them is in it. contents() has them as one who
    /// reads the file would: bytes that are not UTF-8 are U+FFFD.
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

/// The run that a folder holds. Throws IoError (none there), FormatError (not a journal),
/// InputError (a process is still writing it).
JournalContents readJournal(const std::filesystem::path& folder);

/// Writes a run that is complete as a journal, whole or not at all. Throws IoError, InputError
/// (held by another process).
void writeJournal(const std::filesystem::path& folder, const EvaluationRun& run);

}  // namespace threefold
