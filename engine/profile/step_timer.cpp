#include "engine/profile/step_timer.h"

#include <algorithm>

namespace threefold {

void StepTimer::add(std::string_view step, double milliseconds) {
    const auto entry = std::ranges::find(times_, step, &StepTime::step);
    if (entry == times_.end())
        times_.push_back({step, milliseconds});
    else
        entry->milliseconds += milliseconds;
}

}  // namespace threefold
