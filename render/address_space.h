#pragma once

namespace threefold::render {

/// Requires enough address space for a Vulkan driver that computes on the processor. Throws
/// DeviceError where a limit (`ulimit -v`) leaves less: such drivers end the process, or hang,
/// where memory runs out in one of their threads. Called by Instance; call it earlier to fail
/// before long work.
void requireAddressSpace();

}  // namespace threefold::render
