#pragma once

#include <functional>
#include <string>

namespace threefold::cuda::library {

/// One launch of a longer sequence, or one call of a library.
struct Step {
    std::string name;  ///< "convolution 3 images 56 64>64 3/1 float16", "layer 3 product", …
    double bytes = 0;  ///< the least that it must read and write in device memory
    double flop = 0;   ///< multiply-adds × 2; 0 where they do not count
};

/// Called in place of each step with `work`, which enqueues it. Must call it at least once; a step
/// that adds to its result is then added more often.
using StepHook = std::function<void(const Step& step, const std::function<void()>& work)>;

inline void runStep(const Step& /*step*/, const std::function<void()>& work) {
    work();
}

}  // namespace threefold::cuda::library
