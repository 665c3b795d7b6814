#pragma once

#include <optional>
#include <string>

#include "engine/error.h"
#include "engine/network/cuda_plugin.h"

namespace threefold::test {

/// Why nothing can run on a GPU here, in one line; nothing where there is one. A plug-in that does
/// not open is a failure, not a reason: throws DeviceError.
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

/// At the beginning of each test that needs a device.
#define THREEFOLD_NEEDS_GPU()                                            \
    if (const auto reason = threefold::test::reasonForNoGpu(); reason) { \
        GTEST_SKIP() << *reason;                                         \
    }                                                                    \
    static_assert(true, "a semicolon follows")
