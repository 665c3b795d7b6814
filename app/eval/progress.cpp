#include "app/eval/progress.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "app/console/printable.h"

namespace threefold {
namespace {

constexpr double kTerminalPause = 100;  // milliseconds between two lines
constexpr double kLinePause = 10'000;
constexpr double kMillisecondsInSecond = 1000;

}  // namespace

EvalProgress::EvalProgress(std::size_t total, std::span<const SampleRecord> before)
    : terminal_(::isatty(STDERR_FILENO) == 1), total_(total) {
    for (const SampleRecord& record : before) count(record);
}

EvalProgress::~EvalProgress() {
    const std::scoped_lock lock(mutex_);
    if (now_ > shownNow_) show(true);
    if (lineOpen_) std::fputc('\n', stderr);
}

void EvalProgress::count(const SampleRecord& record) {
    ++(record.done() ? done_ : failed_);
    if (const auto means = meansOf(record.silhouettes, &ViewSilhouettes::refined)) {
        ++seen_;
        overlap_ += means->overlap;
    }
    if (record.scores.empty()) return;
    const Measures& measures = record.scores.front().refined.measures;
    ++scored_;
    chamfer_ += measures.chamfer;
    f_ += measures.atTau().f;
}

void EvalProgress::tell(const std::string& line) {
    if (lineOpen_) std::fputs("\r\x1b[K", stderr);
    lineOpen_ = false;
    std::fputs(line.c_str(), stderr);
}

void EvalProgress::add(const SampleRecord& record) {
    const std::scoped_lock lock(mutex_);
    if (!record.done()) {
        tell(fmt::format("threefold: sample {}: {}\n", record.position + 1,
                         printable(record.error)));
    } else if (record.withoutTruth() && !toldOfTruth_) {
        toldOfTruth_ = true;
        tell(fmt::format(
            "threefold: sample {}: {}: no ground truth was found: only silhouettes are measured, "
            "also for others without one; --gt names the folder of the truths\n",
            record.position + 1, printable(record.name)));
    }
    if (record.fitNote) {
        tell(fmt::format("threefold: sample {}: {}: {}\n", record.position + 1,
                         printable(record.name), printable(*record.fitNote)));
    }
    count(record);
    ++now_;
    const double pause = terminal_ ? kTerminalPause : kLinePause;
    if (watch_.milliseconds() - shownAt_ >= pause) show(false);
}

void EvalProgress::show(bool last) {
    shownAt_ = watch_.milliseconds();
    shownNow_ = now_;
    const double seconds = shownAt_ / kMillisecondsInSecond;
    const std::size_t finished = done_ + failed_;
    const double rate = seconds > 0 ? static_cast<double>(now_) / seconds : 0;
    std::string line = fmt::format("{}/{}", finished, total_);
    if (failed_ > 0) line += fmt::format(" ({} failed)", failed_);
    line += fmt::format("  {:.3g} samples/s", rate);
    if (!last && rate > 0 && finished < total_) {
        line += leftText(static_cast<double>(total_ - finished) / rate);
    }
    if (scored_ > 0) {
        const auto scored = static_cast<double>(scored_);
        line +=
            fmt::format("  F(τ) {:.2f} %  CD {:.2f} × 10⁻⁴", f_ / scored, 1e4 * chamfer_ / scored);
    }
    if (seen_ > 0) line += fmt::format("  overlap {:.3f}", overlap_ / static_cast<double>(seen_));
    std::fputs((terminal_ ? "\r\x1b[K" + line : line + '\n').c_str(), stderr);
    std::fflush(stderr);
    lineOpen_ = terminal_;
}

}  // namespace threefold
