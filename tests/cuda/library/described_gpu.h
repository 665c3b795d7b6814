#pragma once

#include <string>

#include <fmt/format.h>

namespace threefold::cuda {

/// Description of a GPU in cuDNN's JSON, with which engines can be listed and planned without a
/// GPU. `capability` is 900 for compute capability 9.0.
inline std::string describedGpu(int capability) {
    const int sharedBytes = capability == 900 || capability == 1000 ? 232448
                            : capability == 750                     ? 65536
                            : capability == 800                     ? 166912
                                                                    : 101376;
    return fmt::format(
        R"({{"cudaDeviceId":0,"deviceVer":{},"driverVer":13000,)"
        R"("maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],)"
        R"("regsPerBlock":65536,"multiProcessorCount":132,"warpSize":32,)"
        R"("maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":{},)"
        R"("reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,"maxCtasPerSM":32,)"
        R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"pciDeviceId":0,"isTccDriver":0,)"
        R"("supportCoopLaunch":1,"smClockRateKHz":1980000,"memClockRateKHz":3201000,)"
        R"("l2CacheSize":62914560,"totalGlobalMem":150000000000,"deviceName":"described"}})",
        capability, sharedBytes);
}

}  // namespace threefold::cuda
