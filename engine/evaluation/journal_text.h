#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/evaluation/result_files.h"

/// The text of a journal; journal.h keeps it in a file.
namespace threefold {

/// The contents of a journal.
struct JournalContents {
    RunDescription about;                         ///< combined over all its sessions
    std::map<std::size_t, SampleRecord> records;  ///< by position, the latest of each
    std::size_t damagedLines = 0;                 ///< skipped; their samples count as not done

    std::size_t done() const;  ///< samples
    EvaluationRun run() const;
};

/// Each line is one JSON document, {"check": …, "line": …}, where `check` is journalCheck() of the
/// text of `line`. The functions below return lines with their newline.
std::string journalHeader(const RunDescription& about);
std::string journalSession(const RunDescription& about);
/// `seconds`: how long the session has lasted.
std::string journalLine(const SampleRecord& record, double seconds);

/// The first 16 digits of the SHA-256 of `line`.
std::string journalCheck(std::string_view line);

/// A parsed journal.
struct ParsedJournal {
    JournalContents contents;
    bool begun = false;     ///< its first line is complete
    std::size_t whole = 0;  ///< bytes up to the end of the last complete line
};

/// Reads all valid lines; a torn first line gives an empty journal. Safe for untrusted bytes:
/// memory stays within 16 × their number + 64 MB. Throws FormatError if the text is not a journal,
/// or one of another release.
ParsedJournal parseJournal(std::string_view text, const std::filesystem::path& file);

[[noreturn]] void throwNotAJournal(const std::filesystem::path& file, std::string problem);

}  // namespace threefold
