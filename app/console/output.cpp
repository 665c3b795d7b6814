#include "app/console/output.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <nlohmann/json.hpp>

#include "app/console/printable.h"

namespace threefold {

namespace {

void write(std::string_view text) {
    errno = 0;
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (written) return;
    const int reason = errno;
    const ErrorReport report{"standard output", "",
                             "cannot be written: " + std::generic_category().message(reason),
                             "Send it to a place with space left."};
    if (reason == EPIPE) throw OutputClosed(report);
    throw IoError(report);
}

}  // namespace

void printText(std::string_view text) {
    write(printable(text, "\n\t"));
}

void printJsonText(std::string_view json) {
    write(printableJson(json));
}

void printJson(const nlohmann::ordered_json& document) {
    printJsonText(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                  '\n');
}

}  // namespace threefold
