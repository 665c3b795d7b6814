#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/evaluation/run/evaluation_run.h"

/// Text format of a journal; journal.h reads and writes the file.
namespace threefold {

/// Contents of a journal.
struct JournalContents {
    RunDescription description;                   ///< combined over all sessions
    std::map<std::size_t, SampleRecord> records;  ///< latest record by position
    std::size_t damagedLines = 0;  ///< skipped lines; their samples count as not done

    std::size_t succeededCount() const;  ///< number of samples that succeeded
    EvaluationRun run() const;
};

/// Lines of a journal, newline included: {"check": …, "line": …}, where `check` is
/// journalChecksum() of the text of `line`.
std::string journalHeaderLine(const RunDescription& description);
std::string journalSessionLine(const RunDescription& description);
/// Formats a sample's line. `seconds`: duration of the session so far.
std::string journalRecordLine(const SampleRecord& record, double seconds);

/// The first 16 digits of the SHA-256 of `line`.
std::string journalChecksum(std::string_view line);

/// A parsed journal.
struct ParsedJournal {
    JournalContents contents;
    bool hasHeader = false;  ///< whether the first line is complete
    /// Bytes up to the end of the last valid line; the rest is cut when the run continues.
    std::size_t completeBytes = 0;
};

/// Parses all valid lines; a torn first line gives an empty journal. Safe for untrusted bytes: uses
/// at most 16 × the size of `text` + 64 MB of memory. Throws FormatError if the text is not a
/// journal, or is one of another release.
ParsedJournal parseJournal(std::string_view text, const std::filesystem::path& file);

[[noreturn]] void throwNotAJournal(const std::filesystem::path& file, std::string problem);

}  // namespace threefold
