#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/sample/test_list.h"

namespace threefold {

/// Argument for a test list on standard input. Relative paths in that list start at the current
/// folder.
inline constexpr const char* kStandardInput = "-";

/// Names a list in messages: "standard input", or the argument itself.
std::string listSubject(const std::string& list);

/// Reads the lines of a test list from standard input. Throws as readStandardInput() and
/// parseTestList() do.
std::vector<ListedName> readListFromStandardInput(const std::stop_token& cancel = {});

/// Reads the samples that an argument names: kStandardInput, or what readEvaluationList() accepts.
EvaluationList readList(const std::filesystem::path& list, const std::stop_token& cancel = {});

}  // namespace threefold
