#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluation/record.h"
#include "engine/sample/data_set.h"

namespace threefold {

/// One sample of a list.
struct ListEntry {
    std::size_t position = 0;  ///< in the whole list, from 0
    std::string given;         ///< the list's line; in a data set, the item's path below its root
    std::filesystem::path location;  ///< for findSample()
    std::string problem;             ///< why it cannot be run; empty if it can
};

/// The samples of a run, in order.
struct EvaluationList {
    std::string source;  ///< as given, for display
    std::vector<ListEntry> entries;
    std::string hash;  ///< SHA-256 of all `given`; does not depend on the list's place
    /// Default folder for names: the list's own if it holds ShapeNetRendering; else empty.
    std::filesystem::path imageRoot;
};

/// From a test list (METHOD.md §10; its paths may be relative to the list), a data set's folder
/// (all its items), or one sample. A repeated line has a `problem`, since a sample scored twice
/// would count twice in every mean. Throws IoError (a list that cannot be read), InputError (no
/// sample in it), Cancelled.
EvaluationList readEvaluationList(const std::filesystem::path& source,
                                  const std::stop_token& cancel = {});

/// The samples of a test list's lines, whose paths may be relative to `folder`; `source` is for
/// display. Throws InputError (no line).
EvaluationList evaluationListOf(std::span<const ListedName> lines, std::string source,
                                const std::filesystem::path& folder);

/// As readEvaluationList() for a file that may be any text. Throws InputError where no line is a
/// name of a test list or a path that exists.
EvaluationList readSampleList(const std::filesystem::path& file);

/// The location for a line of a list in `folder`: a path in the folder if only that one exists,
/// else the line itself, a path or a name for findSample().
std::filesystem::path listedLocation(const std::string& line, const std::filesystem::path& folder);

/// The entries of one part, in order.
std::vector<ListEntry> entriesOf(const EvaluationList& list, const Shard& shard);

/// "2/4": the second of four. Throws UsageError.
Shard shardFromText(const std::string& text);

}  // namespace threefold
