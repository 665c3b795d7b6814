#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Helpers for kernel tests that are built twice: for the emulator (THREEFOLD_EMULATION) and for a
/// device.

#if defined(THREEFOLD_EMULATION)

#include "tests/cuda/emulation/same_results.h"

namespace threefold::cuda::test {

inline constexpr bool kOnDevice = false;

/// Reason why no device of at least this compute capability (75 for 7.5) is available; nullopt if
/// such a device is available.
inline std::optional<std::string> reasonForNoDevice(int /*computeCapability*/ = 0) {
    return std::nullopt;
}

/// Array in memory that kernels can access.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::vector<T> values) : values_(std::move(values)) {}
    explicit DeviceArray(std::size_t count) : values_(count) {}
    T* data() { return values_.data(); }
    std::vector<T> values() const { return values_; }

  private:
    std::vector<T> values_;
};

/// Returns the results of `body`; adds a failure unless the results of all runs are equal bit for
/// bit. The emulator runs `body` in several orders of threads, a device runs it twice.
template <class Body>
auto expectSame(const Body& body) {
    return emulation::expectSameUnderAllSeeds(body);
}

}  // namespace threefold::cuda::test

#else

#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda/runtime/check.h"

namespace threefold::cuda::test {

inline constexpr bool kOnDevice = true;

inline std::optional<std::string> reasonForNoDevice(int computeCapability = 0) {
    cudaDeviceProp properties{};
    const cudaError_t status = cudaGetDeviceProperties(&properties, 0);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return std::string("no GPU: ") + cudaGetErrorString(status);
    }
    const int own = 10 * properties.major + properties.minor;
    if (own >= computeCapability) return std::nullopt;
    return "compute capability " + std::to_string(own) + " is below " +
           std::to_string(computeCapability);
}

template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        CUDA_CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit DeviceArray(std::size_t count) : count_(count) {
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
        CUDA_CHECK(cudaMemset(data_, 0, count * sizeof(T)));
    }
    ~DeviceArray() { (void)cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() { return data_; }
    /// Copies the values to the host after all launches so far.
    std::vector<T> values() const {
        std::vector<T> values(count_);
        CUDA_CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    T* data_ = nullptr;
    std::size_t count_;
};

template <class Body>
auto expectSame(const Body& body) {
    auto first = body();
    const auto second = body();
    EXPECT_EQ(first.size(), second.size());
    if (first.size() == second.size()) {
        EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]), 0)
            << "the second run gives other bits";
    }
    return first;
}

}  // namespace threefold::cuda::test

#endif

/// Skips the test if there is no device. The optional argument is the minimum compute capability
/// (75 for 7.5).
#define THREEFOLD_NEEDS_DEVICE(...)                                                            \
    if (const auto reason = ::threefold::cuda::test::reasonForNoDevice(__VA_ARGS__); reason) { \
        GTEST_SKIP() << *reason;                                                               \
    }                                                                                          \
    static_assert(true, "a semicolon follows")
