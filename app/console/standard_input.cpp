#include "app/console/standard_input.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "engine/error.h"

namespace threefold {
namespace {

constexpr int kLook = 20;  // milliseconds between two looks at the token

/// Until there is something to read, or the end.
void waitForInput(const std::stop_token& cancel) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (poll(&input, 1, kLook) <= 0)
        if (cancel.stop_requested()) throw Cancelled();
}

}  // namespace

std::string readStandardInput(std::uintmax_t largest, const std::stop_token& cancel) {
    std::string all;
    std::array<char, 1 << 16> part{};
    while (true) {
        waitForInput(cancel);
        const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw IoError({"standard input", "",
                           "cannot be read: " + std::generic_category().message(errno), ""});
        if (got == 0) return all;
        all.append(part.data(), static_cast<std::size_t>(got));
        if (all.size() > largest)
            throw IoError({"standard input", "", fmt::format("has more than {} bytes", largest),
                           "Send a shorter list."});
    }
}

}  // namespace threefold
