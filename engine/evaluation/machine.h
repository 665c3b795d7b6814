#pragma once

#include "engine/evaluation/run_description.h"

namespace threefold {

struct GpuDescription;

/// This machine. `threads` are the backend's; 0: as many as the process may use. `gpu` is the
/// device that the backend runs on, as its plug-in describes it, or null: the engine asks no driver
/// itself. What is unknown stays empty. Any thread.
MachineDescription describeMachine(int threads, const GpuDescription* gpu = nullptr);

}  // namespace threefold
