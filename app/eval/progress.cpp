#include "app/eval/progress.h"

#include <string>

#include <fmt/format.h>

#include "app/console/printable.h"

namespace threefold {
EvalProgress::EvalProgress(std::size_t total, std::span<const SampleRecord> before)
    : total_(total) {
    for (const SampleRecord& record : before) count(record);
}

EvalProgress::~EvalProgress() {
    const std::scoped_lock lock(mutex_);
    if (now_ > shownNow_) show(true);
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

void EvalProgress::add(const SampleRecord& record) {
    const std::scoped_lock lock(mutex_);
    if (!record.done()) {
        line_.tell(
            fmt::format("threefold: sample {}: {}", record.position + 1, printable(record.error)));
    } else if (record.withoutTruth() && !toldOfTruth_) {
        toldOfTruth_ = true;
        line_.tell(fmt::format(
            "threefold: sample {}: {}: no ground truth was found: only silhouettes are measured, "
            "also for others without one; --gt names the folder of the truths",
            record.position + 1, printable(record.name)));
    }
    if (record.fitNote) {
        line_.tell(fmt::format("threefold: sample {}: {}: {}", record.position + 1,
                               printable(record.name), printable(*record.fitNote)));
    }
    count(record);
    ++now_;
    if (line_.isDue()) show(false);
}

void EvalProgress::show(bool last) {
    shownNow_ = now_;
    const double seconds = line_.seconds();
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
    line_.show(line);
}

}  // namespace threefold
