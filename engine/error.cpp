#include "engine/error.h"

#include <cstddef>
#include <utility>

#include "engine/text.h"

namespace threefold {
namespace {

std::string joinedReport(const ErrorReport& report) {
    std::string line = report.subject;
    for (const std::string* field : {&report.place, &report.problem}) {
        if (field->empty()) continue;
        if (!line.empty()) line += ": ";
        line += *field;
    }
    if (!report.remedy.empty()) {
        if (!line.empty() && line.back() != '.') line += '.';
        line += ' ' + report.remedy;
    }
    return escapeControls(line);
}

/// Replaces NULs in the report's texts: a NUL would truncate the message of std::exception::what().
ErrorReport& escapeNuls(ErrorReport& report) {
    for (std::string* field : {&report.subject, &report.place, &report.problem, &report.remedy})
        for (std::size_t offset = 0; (offset = field->find('\0', offset)) != field->npos;)
            field->replace(offset, 1, R"(\x00)");
    return report;
}

}  // namespace

Error::Error(ErrorReport report)
    : std::runtime_error(joinedReport(escapeNuls(report))), report_(std::move(report)) {}

}  // namespace threefold
