#include "app/bench/throughput_sweep.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "engine/devices/device_error.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

ThroughputRow measureBatch(NetworkService& network, const std::vector<NetworkInput>& batch,
                           const ThroughputOptions& options, const BatchOptions& run) {
    const auto submit = [&] { return network.submit(batch, Urgency::list, run); };
    for (int i = 0; i < options.warmup; ++i) submit().collect();
    std::vector<double> milliseconds;
    const Stopwatch whole;
    double total = 0;
    const std::size_t networkPending = network.info().maxBatchesInFlight;
    const std::size_t maxUnfinishedBatches =
        options.pending > 0 ? std::min(options.pending, networkPending) : networkPending;
    std::deque<BatchFuture> pending;
    do {
        while (pending.size() < maxUnfinishedBatches) pending.push_back(submit());
        pending.front().collect();
        pending.pop_front();
        milliseconds.push_back(whole.milliseconds() - total);
        total += milliseconds.back();
    } while (total < options.seconds * kMillisecondsPerSecond);
    ThroughputRow row;
    row.batch = static_cast<int>(batch.size());
    row.runs = static_cast<int>(milliseconds.size());
    row.meshesPerSecond = kMillisecondsPerSecond * row.batch * row.runs / total;
    row.medianMilliseconds = *medianOf(milliseconds);
    return row;
}

}  // namespace

const ThroughputRow* ThroughputResult::best() const {
    const auto bestRow = std::ranges::max_element(rows, {}, &ThroughputRow::meshesPerSecond);
    return bestRow != rows.end() && bestRow->runs > 0 ? &*bestRow : nullptr;
}

std::vector<int> defaultBatchSizes(bool onGpu) {
    return onGpu ? std::vector{1, 2, 4, 8, 16, 32, 64} : std::vector{1, 2};
}

ThroughputResult measureThroughput(NetworkService& network, std::span<const NetworkInput> inputs,
                                   const ThroughputOptions& options, const std::stop_token& cancel,
                                   const std::function<void(const ThroughputRow&)>& measured) {
    BatchOptions run;
    run.cancel = cancel;
    ThroughputResult result;
    for (const int size : options.batches) {
        std::vector<NetworkInput> batch;
        for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
            batch.push_back(inputs[i % inputs.size()]);
        try {
            result.rows.push_back(measureBatch(network, batch, options, run));
        } catch (const OutOfDeviceMemory& error) {
            result.rows.push_back({size, 0, 0, 0, error.what()});
        }
        measured(result.rows.back());
        if (result.rows.back().runs == 0) break;
    }
    return result;
}

}  // namespace threefold
