#include "app/console/progress_line.h"

#include <cstdio>

#include <unistd.h>

namespace threefold {
namespace {

constexpr double kTerminalPause = 100;  // milliseconds between two lines
constexpr double kLinePause = 10'000;
constexpr double kMillisecondsInSecond = 1000;

}  // namespace

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    if (lineOpen_) std::fputc('\n', stderr);
}

bool ProgressLine::isDue() const {
    return watch_.milliseconds() - shownAt_ >= (terminal_ ? kTerminalPause : kLinePause);
}

void ProgressLine::show(const std::string& line) {
    shownAt_ = watch_.milliseconds();
    std::fputs((terminal_ ? "\r\x1b[K" + line : line + '\n').c_str(), stderr);
    std::fflush(stderr);
    lineOpen_ = terminal_;
}

void ProgressLine::tell(const std::string& line) {
    if (lineOpen_) std::fputs("\r\x1b[K", stderr);
    lineOpen_ = false;
    std::fputs((line + '\n').c_str(), stderr);
}

double ProgressLine::seconds() const {
    return watch_.milliseconds() / kMillisecondsInSecond;
}

}  // namespace threefold
