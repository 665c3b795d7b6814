#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "engine/evaluation/journal/journal_text.h"
#include "engine/formats/files/file_descriptor.h"

namespace threefold {

/// Name of the file in the output folder that holds a run's finished samples.
inline constexpr const char* kJournalName = "journal.jsonl";

/// Treatment of a run that the folder already holds.
enum class ExistingRun {
    refuse,     ///< refuse a run with samples that are done, else start a new run
    resume,     ///< continue a run with samples that are done, else start a new run
    overwrite,  ///< discard any run and start a new one
};

/// The journal of a run; journal_text.h defines its lines. The first line describes the run, a line
/// at the start of each session gives machine and start time, all other lines are finished samples.
/// Lines are on disk when append() returns; a torn last line is detected and removed.
///
/// Locks its file against other processes during its lifetime, if the file system has locks.
/// Not thread-safe, except isGone().
class Journal {
  public:
    /// Locks the folder's journal, reads or begins it, and adds a session. Removes temporary files
    /// of killed processes. `description` describes this run; a continued journal must have
    /// this run's identity and shard. Throws IoError (cannot be read or written), FormatError (not
    /// a journal), InputError (locked by another process; the folder already holds a run, or a file
    /// of no run that a report would replace; another identity, with the differences; the journal
    /// has further hard links; the journal or the folder of thumbnails is a symbolic link).
    Journal(const std::filesystem::path& folder, const RunDescription& description,
            ExistingRun existing);

    /// The current contents.
    const JournalContents& contents() const { return contents_; }
    EvaluationRun run() const { return contents_.run(); }
    /// Whether the file or a folder above it was removed, moved or replaced, so that the run cannot
    /// continue. Thread-safe.
    bool isGone() const;

    /// Appends finished samples in one durable write. `seconds`: duration of this session so far.
    /// Throws IoError (full disk; removed file); then no sample is added. contents() has the
    /// samples as read back from the file: bytes that are not UTF-8 become U+FFFD.
    void append(std::span<const SampleRecord> records, double seconds);

  private:
    /// Opens and locks the file; refuses files that a run must not write to.
    void openAndLock(const std::filesystem::path& folder, ExistingRun existing);
    /// Reads the contents of a run to continue. Removes the files of a run that is overwritten, or
    /// in which no sample is done. Throws InputError for a run that must not be continued.
    void continueOrDiscard(const std::filesystem::path& folder, const RunDescription& description,
                           ExistingRun existing);
    void begin(const RunDescription& description);
    void write(const std::string& text);

    std::filesystem::path file_;
    FileDescriptor folder_;
    FileDescriptor descriptor_;
    JournalContents contents_;
    std::size_t size_ = 0;      ///< bytes of the complete lines
    double secondsBefore_ = 0;  ///< wall time of earlier sessions
};

/// Whether a folder has a journal; an empty file is none.
bool holdsJournal(const std::filesystem::path& folder);

/// Reads the journal in a folder. Throws IoError (no journal), FormatError (not a journal),
/// InputError (a process is still writing it).
JournalContents readJournal(const std::filesystem::path& folder);

/// Writes a run as a journal, atomically and with the journal locked. Unless `existing` is
/// `overwrite`, refuses a folder with samples that are done, or with files of no run that a report
/// or thumbnail would replace. Reports and thumbnails of a discarded run are removed once the new
/// journal is on disk. Throws IoError, FormatError (the existing file is not a journal; not with
/// `overwrite`), InputError (a refused folder; locked by another process; the journal or the folder
/// of thumbnails is a symbolic link).
void writeJournal(const std::filesystem::path& folder, const EvaluationRun& run,
                  ExistingRun existing = ExistingRun::refuse);

}  // namespace threefold
