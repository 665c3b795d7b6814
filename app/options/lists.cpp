#include "app/options/lists.h"

#include "app/console/standard_input.h"
#include "engine/formats/files/folders.h"

namespace threefold {
namespace {

constexpr const char* kName = "standard input";

}  // namespace

std::string listSubject(const std::string& list) {
    return list == kStandardInput ? kName : list;
}

std::vector<ListedName> readListFromStandardInput(const std::stop_token& cancel) {
    return parseTestList(readStandardInput(kMaxListBytes, cancel), kName);
}

EvaluationList readList(const std::filesystem::path& list, const std::stop_token& cancel) {
    if (list != kStandardInput) return readEvaluationList(list, cancel);
    return evaluationListOf(readListFromStandardInput(cancel), kName, currentFolder());
}

}  // namespace threefold
