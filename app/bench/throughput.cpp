#include "app/bench/throughput.h"

#include <algorithm>

#include "app/bench/latency.h"
#include "engine/error.h"
#include "engine/network/device_error.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

std::vector<NetworkInput> filledBatch(std::span<const NetworkInput> inputs, int size) {
    std::vector<NetworkInput> batch;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
        batch.push_back(inputs[i % inputs.size()]);
    }
    return batch;
}

ThroughputRow measureBatch(Backend& backend, const std::vector<NetworkInput>& batch,
                           const ThroughputOptions& options, const RunOptions& run) {
    constexpr double kMillisecondsInSecond = 1000;
    constexpr double kMedian = 0.5;
    for (int i = 0; i < options.warmup; ++i) backend.reconstructBatch(batch, run);
    std::vector<double> milliseconds;
    const Stopwatch whole;
    do {
        const Stopwatch watch;
        backend.reconstructBatch(batch, run);
        milliseconds.push_back(watch.milliseconds());
    } while (whole.milliseconds() < options.seconds * kMillisecondsInSecond);
    const double total = whole.milliseconds();
    ThroughputRow row;
    row.batch = static_cast<int>(batch.size());
    row.runs = static_cast<int>(milliseconds.size());
    row.perSecond = kMillisecondsInSecond * row.batch * row.runs / total;
    row.medianMs = quantile(std::move(milliseconds), kMedian);
    return row;
}

}  // namespace

const ThroughputRow* ThroughputResult::best() const {
    const auto slower = [](const ThroughputRow& a, const ThroughputRow& b) {
        return a.perSecond < b.perSecond;
    };
    const auto found = std::max_element(rows.begin(), rows.end(), slower);
    return found != rows.end() && found->runs > 0 ? &*found : nullptr;
}

ThroughputResult measureThroughput(Backend& backend, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options,
                                   const std::stop_token& cancel) {
    if (inputs.empty()) {
        throw InputError({"throughput", "", "there is no input", "Name a sample with --sample."});
    }
    RunOptions run;
    run.cancel = cancel;
    ThroughputResult result;
    for (const int size : options.batches) {
        try {
            result.rows.push_back(measureBatch(backend, filledBatch(inputs, size), options, run));
        } catch (const OutOfDeviceMemory& error) {
            ThroughputRow row;
            row.batch = size;
            row.problem = error.what();
            result.rows.push_back(std::move(row));
            break;
        }
    }
    return result;
}

}  // namespace threefold
