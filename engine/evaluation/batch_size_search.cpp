#include "engine/evaluation/batch_size_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/network/device_error.h"

namespace threefold {
namespace {

/// Two sizes without gain end the doubling: one may be unlucky.
constexpr int kPatience = 2;

class Search {
  public:
    Search(std::size_t largest, const std::function<double(std::size_t)>& measure)
        : largest_(largest), measure_(measure) {}

    BatchSizeSearch run() {
        double fastest = 0;
        int withoutGain = 0;
        for (std::size_t batch = 1; withoutGain < kPatience && measure(batch);) {
            const double speed = speeds_.at(batch);
            withoutGain = speed > fastest * (1 + kBatchTolerance) ? 0 : withoutGain + 1;
            fastest = std::max(fastest, speed);
            if (batch == largest_) break;
            batch = batch > largest_ / 2 ? largest_ : 2 * batch;
        }
        lookBesideTheFastest();
        return result();
    }

  private:
    bool measure(std::size_t batch) {
        if (tooLarge_ != 0 && batch >= tooLarge_) return false;
        try {
            const double speed = measure_(batch);
            if (!(speed > 0) || !std::isfinite(speed)) {
                throw InputError({"batch size", fmt::format("{}", batch),
                                  fmt::format("{} items a second were measured", speed), ""});
            }
            speeds_[batch] = speed;
            return true;
        } catch (const OutOfDeviceMemory&) {
            if (batch == 1) throw;
            tooLarge_ = batch;
            return false;
        }
    }

    std::map<std::size_t, double>::const_iterator fastest() const {
        return std::max_element(speeds_.begin(), speeds_.end(),
                                [](const auto& a, const auto& b) { return a.second < b.second; });
    }

    void lookBesideTheFastest() {
        const auto centre = fastest();
        const std::size_t batch = centre->first;
        const std::size_t below = centre == speeds_.begin() ? batch : std::prev(centre)->first;
        const auto next = std::next(centre);
        const std::size_t bound = tooLarge_ != 0 ? tooLarge_ : largest_;
        const std::size_t above = next == speeds_.end() ? bound : next->first;
        for (const std::size_t half : {below + (batch - below) / 2, batch + (above - batch) / 2}) {
            if (!speeds_.contains(half)) measure(half);
        }
    }

    BatchSizeSearch result() const {
        BatchSizeSearch found;
        found.tooLarge = tooLarge_;
        const double enough = fastest()->second * (1 - kBatchTolerance);
        for (const auto& [batch, speed] : speeds_) found.measured.push_back({batch, speed});
        found.best = std::find_if(speeds_.begin(), speeds_.end(), [&](const auto& entry) {
                         return entry.second >= enough;
                     })->first;
        return found;
    }

    const std::size_t largest_;
    const std::function<double(std::size_t)>& measure_;
    std::map<std::size_t, double> speeds_;
    std::size_t tooLarge_ = 0;
};

}  // namespace

BatchSizeSearch findBatchSize(std::size_t largest,
                              const std::function<double(std::size_t)>& measure) {
    if (largest == 0) throw InputError({"batch size", "", "the largest is 0", "Choose 1 or more."});
    return Search(largest, measure).run();
}

}  // namespace threefold
