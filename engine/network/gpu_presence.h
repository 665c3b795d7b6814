#pragma once

#include <filesystem>

namespace threefold {

/// The folder that holds /dev, /proc and /sys: $THREEFOLD_SYSTEM_ROOT where that is set, for tests,
/// else "/".
std::filesystem::path systemRoot();

/// Whether the system knows an NVIDIA GPU, usable or not: the driver has a device file of one
/// (dev/nvidia0), or the PCI bus has a display controller of NVIDIA (sys/bus/pci), which needs no
/// driver. Reads a few small files. False where neither can be read, as in some containers.
bool hasNvidiaGpu(const std::filesystem::path& root = systemRoot());

}  // namespace threefold
