#include "cuda/runtime/adaptive_batch_runner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/units.h"

namespace threefold::cuda {
namespace {

std::string missingMemory(const OutOfDeviceMemory& error) {
    if (error.requestedBytes() == 0) return error.report().problem;
    return fmt::format("{:.1f} MiB were asked for, {:.1f} MiB are free",
                       static_cast<double>(error.requestedBytes()) / kBytesPerMebibyte,
                       static_cast<double>(error.freeBytes()) / kBytesPerMebibyte);
}

OutOfDeviceMemory notEvenOne(const OutOfDeviceMemory& error) {
    return OutOfDeviceMemory(
        {error.report().subject, error.report().place,
         fmt::format("has too little memory for a single mesh: {}", missingMemory(error)),
         "Close other programs that use the GPU, choose float16 "
         "(`precision=float16`), or use the processor (`backend=cpu`)."},
        error.requestedBytes(), error.freeBytes());
}

}  // namespace

AdaptiveBatchRunner::AdaptiveBatchRunner(std::size_t maxSize, std::function<void()> makeRoom,
                                         LogFunction log)
    : limit_(maxSize), makeRoom_(std::move(makeRoom)), log_(std::move(log)) {}

void AdaptiveBatchRunner::run(std::size_t samples, const BatchFunction& batch) {
    bool lastTry = false;
    for (std::size_t first = 0; first < samples;) {
        const std::size_t count = std::min(size(), samples - first);
        try {
            batch(first, count);
            first += count;
            lastTry = false;
            limit_.recordSuccess(count);
            continue;
        } catch (const OutOfDeviceMemory& error) {
            if (lastTry) throw notEvenOne(error);
            lastTry = count == 1;
            limit_.recordOutOfMemory(count);
            if (log_)
                log_(LogLevel::warning,
                     fmt::format("The GPU's memory does not hold a batch of {} ({}); trying {}",
                                 count, missingMemory(error), size()));
        }
        // Called after the catch block, when the failed batch has released its memory.
        if (makeRoom_) makeRoom_();
    }
}

}  // namespace threefold::cuda
