#pragma once

namespace threefold::render {

/// Throws DeviceError where a limit of the address space (`ulimit -v`) leaves less than a Vulkan
/// driver that computes on the processor takes: such drivers end the process, or hang, where memory
/// runs out in one of their threads. Instance calls this function; others may, before long work.
void requireAddressSpace();

}  // namespace threefold::render
