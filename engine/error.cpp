#include "engine/error.h"

#include <utility>

namespace threefold {
namespace {

std::string oneLine(const ErrorReport& report) {
    std::string line = report.subject;
    for (const std::string* part : {&report.place, &report.problem}) {
        if (part->empty()) continue;
        if (!line.empty()) line += ": ";
        line += *part;
    }
    if (!report.remedy.empty()) {
        if (!line.empty() && line.back() != '.') line += '.';
        line += ' ' + report.remedy;
    }
    return line;
}

}  // namespace

Error::Error(ErrorReport report)
    : std::runtime_error(oneLine(report)), report_(std::move(report)) {}

Cancelled::Cancelled() : Error({"", "", "cancelled", ""}) {}

}  // namespace threefold
