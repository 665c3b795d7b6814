#pragma once

#include <optional>
#include <string>

#include "engine/error.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::test {

/// Reason in one line why no GPU can be used; nullopt if a GPU can be used. Throws DeviceError if
/// the plug-in does not open, since tests must then fail.
inline std::optional<std::string> reasonForNoGpu() {
    static const std::optional<std::string> reason = []() -> std::optional<std::string> {
        const CudaPlugin& plugin = cudaPlugin();
        try {
            plugin.devices();
            return std::nullopt;
        } catch (const DeviceError& error) {
            return error.what();
        }
    }();
    return reason;
}

}  // namespace threefold::test

/// Skips the running test if there is no GPU. Each test that needs a GPU begins with this macro.
#define THREEFOLD_NEEDS_GPU()                                            \
    if (const auto reason = threefold::test::reasonForNoGpu(); reason) { \
        GTEST_SKIP() << *reason;                                         \
    }                                                                    \
    static_assert(true, "a semicolon follows")
