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

constexpr int kPollMilliseconds = 20;  // between two checks of the token

[[noreturn]] void failRead(int number) {
    throw IoError(
        {"standard input", "", "cannot be read: " + std::generic_category().message(number), ""});
}

/// Waits until there is something to read, or the end of the input. Throws Cancelled.
void waitForInput(const std::stop_token& cancel) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (true) {
        const int ready = poll(&input, 1, kPollMilliseconds);
        if (ready > 0) return;
        if (ready < 0 && errno != EINTR) failRead(errno);
        if (cancel.stop_requested()) throw Cancelled();
    }
}

}  // namespace

std::string readStandardInput(std::uintmax_t maxBytes, const std::stop_token& cancel) {
    std::string text;
    std::array<char, 1 << 16> buffer{};
    while (true) {
        waitForInput(cancel);
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) failRead(errno);
        if (got == 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > maxBytes)
            throw IoError({"standard input", "", fmt::format("has more than {} bytes", maxBytes),
                           "Send a shorter list."});
    }
}

}  // namespace threefold
