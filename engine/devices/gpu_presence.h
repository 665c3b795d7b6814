#pragma once

#include <filesystem>

namespace threefold {

/// Root of /dev, /proc and /sys: $THREEFOLD_SYSTEM_ROOT if set, for tests, else "/".
std::filesystem::path systemRoot();

/// Whether the system has an NVIDIA GPU, usable or not: a device file of the driver (dev/nvidia0),
/// or an NVIDIA display controller on the PCI bus (sys/bus/pci), which needs no driver. Reads a few
/// small files. False if neither can be read, as in some containers.
bool hasNvidiaGpu(const std::filesystem::path& root = systemRoot());

}  // namespace threefold
