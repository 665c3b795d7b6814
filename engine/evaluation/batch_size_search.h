#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace threefold {

/// What one batch size reached.
struct BatchMeasurement {
    std::size_t batch = 0;
    double itemsPerSecond = 0;
};

struct BatchSizeSearch {
    std::size_t best = 1;
    std::vector<BatchMeasurement> measured;  ///< by size
    std::size_t tooLarge = 0;  ///< the smallest size that memory did not hold, 0 when none was met
};

/// A batch may be this much slower than the fastest when it is smaller: it answers sooner and takes
/// less memory.
inline constexpr double kBatchTolerance = 0.02;

/// Looks for the batch size of the greatest throughput, 1 to `largest`: doubles the size until two
/// in a row bring nothing, memory ends or `largest` is measured, then looks half way to both
/// neighbours of the fastest. `best` is the smallest size within kBatchTolerance of the fastest.
///
/// `measure` runs batches of a size and returns items a second, a positive number; it throws
/// OutOfDeviceMemory for one that does not fit, and neither that size nor a larger one is then
/// tried again. Throws InputError when `largest` is 0 or a measurement is not positive; what
/// `measure` throws else, and OutOfDeviceMemory when not even 1 fits.
BatchSizeSearch findBatchSize(std::size_t largest,
                              const std::function<double(std::size_t batch)>& measure);

}  // namespace threefold
