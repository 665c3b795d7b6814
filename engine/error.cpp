#include "engine/error.h"

#include <cstddef>
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

/// A zero byte would end what() there, and with it the message.
ErrorReport& escapeNuls(ErrorReport& report) {
    for (std::string* part : {&report.subject, &report.place, &report.problem, &report.remedy})
        for (std::size_t at = 0; (at = part->find('\0', at)) != part->npos;)
            part->replace(at, 1, R"(\x00)");
    return report;
}

}  // namespace

Error::Error(ErrorReport report)
    : std::runtime_error(oneLine(escapeNuls(report))), report_(std::move(report)) {}

}  // namespace threefold
