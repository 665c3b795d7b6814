// Stand-in for the device of cuda/backend without a driver; its compute capability is 9.0.
#include "cuda/backend/device.h"

namespace threefold::cuda {

DeviceInfo chooseDevice(int index, Precision) {
    DeviceInfo device;
    device.index = index;
    device.description = {"plain", 90, 132, std::size_t{1} << 30, "0.0", "none"};
    device.limits = {90, 132, 232448, true};
    return device;
}

void makeCurrent(const DeviceInfo&) {}

}  // namespace threefold::cuda
