#include "app/options/lists.h"

#include "app/console/standard_input.h"
#include "engine/formats/bytes/folders.h"

namespace threefold {
namespace {

constexpr const char* kName = "standard input";

}  // namespace

std::string listSubject(const std::string& given) {
    return given == kStandardInput ? kName : given;
}

std::vector<ListedName> readListFromStandardInput(const std::stop_token& cancel) {
    return parseTestList(readStandardInput(kMaxListBytes, cancel), kName);
}

EvaluationList readList(const std::filesystem::path& given, const std::stop_token& cancel) {
    if (given != kStandardInput) return readEvaluationList(given, cancel);
    return evaluationListOf(readListFromStandardInput(cancel), kName, currentFolder());
}

}  // namespace threefold
