#include <cstdint>
#include <cstdlib>

// Fake NVML. The bus id sets the utilisation: a GPU at "0000:87:00.0" has 87 %, and 97 % at every
// third reading.

namespace {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

unsigned numberOf(const void* device) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device));
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
#if defined(FAKE_BROKEN)
    return 9;  // NVML_ERROR_DRIVER_NOT_LOADED
#else
    return kSuccess;
#endif
}

int nvmlShutdown() {
    return kSuccess;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
    const long number = std::strtol(bus + sizeof "0000", nullptr, 10);
    if (number <= 0) return kNotFound;
    *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
    return kSuccess;
}

int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
    static unsigned readings = 0;
    rates[0] = numberOf(device) + (readings++ % 3 == 2 ? 10 : 0);
    rates[1] = 1;
    return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void* /*device*/, unsigned long long* totalFreeUsed) {
    totalFreeUsed[0] = 80'000'000'000;
    totalFreeUsed[1] = 67'700'000'000;
    totalFreeUsed[2] = 12'300'000'000;
    return kSuccess;
}

int nvmlDeviceGetClockInfo(void* /*device*/, int kind, unsigned* megahertz) {
    *megahertz = kind == 1 ? 1980 : 0;
    return kSuccess;
}

int nvmlDeviceGetTemperature(void* /*device*/, int /*sensor*/, unsigned* /*celsius*/) {
    return kNotSupported;
}

#if !defined(FAKE_OLD)
int nvmlDeviceGetPowerUsage(void* /*device*/, unsigned* milliwatts) {
    *milliwatts = 412'300;
    return kSuccess;
}
#endif
}
