#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluation/run/run_description.h"
#include "engine/sample/test_list.h"

namespace threefold {

/// A sample of a list.
struct ListEntry {
    std::size_t position = 0;  ///< in the whole list, from 0
    /// The list's line; in a data set, the sample's path below the root; for a single sample, its
    /// path as given.
    std::string listedName;
    std::filesystem::path location;  ///< for findSample()
    std::string problem;             ///< why the entry cannot be run; empty if it can
};

/// The samples of a run, in order.
struct EvaluationList {
    std::string source;  ///< as given, for display
    std::vector<ListEntry> entries;
    /// SHA-256 of all `listedName`, independent of the list's location. For a single sample:
    /// SHA-256 of its canonical path, or of its path as given if no file has that path.
    std::string hash;
    /// Default folder for names: the list's folder if it holds ShapeNetRendering, else empty.
    std::filesystem::path imageRoot;
};

/// Reads a test list (METHOD.md §10; paths may be relative to the list), a data set's folder (all
/// its samples), or one sample. A repeated line gets a `problem`, since a sample scored twice would
/// count twice in all means. Throws IoError (unreadable list), InputError (no sample), Cancelled.
EvaluationList readEvaluationList(const std::filesystem::path& source,
                                  const std::stop_token& cancel = {});

/// Makes a list from lines of a test list, with paths that may be relative to `folder`. `source`:
/// for display. Throws InputError (no line).
EvaluationList evaluationListOf(std::span<const ListedName> lines, std::string source,
                                const std::filesystem::path& folder);

/// Reads a list as readEvaluationList() does, from a file that the user chose, which may be no
/// list. Throws InputError if no line is a name of a test list or an existing path.
EvaluationList readListFromAnyTextFile(const std::filesystem::path& file);

/// The location of a list's line: `folder`/line if only that path exists and the line does not end
/// in .dat; else the line itself, a path or a name for findSample().
std::filesystem::path listedLocation(const std::string& line, const std::filesystem::path& folder);

/// The entries of a shard, in order.
std::vector<ListEntry> entriesOf(const EvaluationList& list, const Shard& shard);

/// Parses "2/4": the second shard of four. Throws UsageError.
Shard shardFromText(const std::string& text);

}  // namespace threefold
