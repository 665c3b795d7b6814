#pragma once

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold::ui {

/// Samples of a list that wait for the worker's network or are in it. The worker alone owns it:
/// where it drops the call, the future breaks.
struct NetworkCall {
    using TimePoint = std::chrono::steady_clock::time_point;

    struct Answer {
        std::vector<Reconstruction> results;  ///< one for each sample
        TimePoint begun = {};                 ///< when the worker began to wait for the network
        // Of the backend afterwards.
        std::string description;
        std::size_t mostPending = 0;
        std::size_t largestBatch = 0;
    };

    // For the worker's mutex.
    bool wanted = false;     ///< the caller waits for the answer
    bool withdrawn = false;  ///< nobody wants the answer any more

    // For the worker's thread.
    Answer answer;
    std::size_t missing = 0;  ///< results
    std::optional<TimePoint> begun;

    std::promise<Answer> promise;
};

/// One sample of a call.
struct ListSample {
    std::shared_ptr<NetworkCall> call;
    std::size_t place = 0;  ///< in the answer
    NetworkInput input;
};

}  // namespace threefold::ui
