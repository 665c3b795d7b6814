#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/evaluation/evaluation_list.h"
#include "engine/sample/data_set.h"

namespace threefold {

/// Stands for a test list on standard input, whose paths may be relative to the current folder.
inline constexpr const char* kStandardInput = "-";

/// "standard input", or the argument itself: the subject of messages.
std::string listSubject(const std::string& given);

/// The lines of a test list on standard input. Throws as readStandardInput() and parseTestList().
std::vector<ListedName> readPipedList(const std::stop_token& cancel = {});

/// The samples that an argument names: as readEvaluationList(), or kStandardInput.
EvaluationList readGivenList(const std::filesystem::path& given,
                             const std::stop_token& cancel = {});

}  // namespace threefold
