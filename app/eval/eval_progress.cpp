#include "app/eval/eval_progress.h"

#include <string>

#include <fmt/format.h>

#include "engine/text.h"

namespace threefold {

EvalProgress::EvalProgress(std::size_t total, std::span<const SampleRecord> before,
                           const GpuMonitor& monitor)
    : total_(total), monitor_(monitor) {
    for (const SampleRecord& record : before) count(record);
}

EvalProgress::~EvalProgress() {
    const std::scoped_lock lock(mutex_);
    if (finishedNow_ > shownNow_) print(true);
}

void EvalProgress::add(const SampleRecord& record) {
    const std::scoped_lock lock(mutex_);
    const auto report = [&](const std::string& text) {
        line_.writeLine(fmt::format("threefold: sample {}: {}", record.position + 1, text));
    };
    if (!record.succeeded()) {
        report(escapeControls(record.error));
    } else if (record.withoutTruth() && !truthReported_) {
        truthReported_ = true;
        report(escapeControls(record.name) +
               ": no ground truth was found; samples without truth are measured by silhouettes "
               "only. Name the folder of the truths with --gt.");
    }
    if (record.fitNote)
        report(escapeControls(record.name) + ": " + escapeControls(*record.fitNote));
    count(record);
    ++finishedNow_;
    if (line_.isDue()) print(false);
}

void EvalProgress::count(const SampleRecord& record) {
    ++(record.succeeded() ? done_ : failed_);
    if (const MeansByMesh means = meansOf(record.silhouettes); !means.empty()) {
        ++withSilhouettes_;
        overlapSum_ += means.result().overlap;
    }
    if (record.scores.empty()) return;
    const ChamferAndFScores& measures = record.scores.front().result().measures;
    ++scored_;
    chamferSum_ += measures.chamfer;
    fSum_ += measures.atTau().fScore;
}

void EvalProgress::print(bool isLast) {
    shownNow_ = finishedNow_;
    const double seconds = line_.seconds();
    const std::size_t finished = done_ + failed_;
    const double rate = seconds > 0 ? static_cast<double>(finishedNow_) / seconds : 0;
    std::string line = fmt::format("{}/{}", finished, total_);
    if (failed_ > 0) line += fmt::format(" ({} failed)", failed_);
    line += fmt::format("  {:.3g} samples/s", rate);
    if (!isLast && rate > 0 && finished < total_)
        line += remainingTimeText(static_cast<double>(total_ - finished) / rate);
    if (scored_ > 0) {
        const auto scored = static_cast<double>(scored_);
        line += fmt::format("  F(τ) {:.2f} %  CD {:.2f} × 10⁻⁴", fSum_ / scored,
                            1e4 * chamferSum_ / scored);
    }
    if (withSilhouettes_ > 0)
        line +=
            fmt::format("  overlap {:.3f}", overlapSum_ / static_cast<double>(withSilhouettes_));
    if (const auto reading = monitor_.last()) line += "  " + gpuReadingText(*reading);
    line_.update(line);
}

}  // namespace threefold
