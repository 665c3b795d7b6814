#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/evaluation/record.h"
#include "engine/evaluation/run_description.h"

/// The text of a journal; journal.h keeps it in a file.
namespace threefold {

/// What a journal holds.
struct JournalContents {
    RunDescription about;                         ///< of all its sessions together
    std::map<std::size_t, SampleRecord> records;  ///< by position, the latest of each
    std::size_t damagedLines = 0;                 ///< left out: their samples count as not done

    std::size_t done() const;  ///< samples
};

/// One JSON document a line, {"check": …, "line": …}, where `check` is the beginning of the SHA-256
/// of the text of `line`. These end with their newline.
std::string journalHeader(const RunDescription& about);
std::string journalSession(const RunDescription& about);
/// `seconds`: how long its session had lasted.
std::string journalLine(const SampleRecord& record, double seconds);

/// The first 16 digits of the SHA-256 of `line`.
std::string journalCheck(std::string_view line);

/// What a journal's bytes say.
struct ParsedJournal {
    JournalContents contents;
    bool begun = false;     ///< its first line is there
    std::size_t whole = 0;  ///< bytes up to the end of the last whole line
};

/// Reads all valid lines; a torn first line is a journal that has not begun. Safe for untrusted
/// bytes: memory stays within 16 × their number + 64 MB. Throws FormatError where the
/// text is not a journal, or one of another release.
ParsedJournal parseJournal(std::string_view text, const std::filesystem::path& file);

[[noreturn]] void throwNotAJournal(const std::filesystem::path& file, std::string problem);

}  // namespace threefold
