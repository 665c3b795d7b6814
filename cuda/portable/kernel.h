#pragma once

/// Everything a kernel may use. Kernels are compiled twice: by nvcc for the device, and as plain
/// C++ with THREEFOLD_EMULATION for tests/cuda/emulation, which runs them with plain C++ versions
/// of CUDA's functions and of this folder's (<emulated/…>).
///
/// Rules that keep both alike: no <<<>>> (launch.h), no __shared__ (sharedMemory()), no static or
/// global variables, no spinning on memory; every lane named in a mask takes part.
///
/// A launch…() function of cuda/kernels only enqueues. It throws DeviceError if the launch is
/// refused.

#include "cuda/portable/arithmetic.h"           // IWYU pragma: export
#include "cuda/portable/async_copy.h"           // IWYU pragma: export
#include "cuda/portable/function_qualifiers.h"  // IWYU pragma: export
#include "cuda/portable/half.h"                 // IWYU pragma: export
#include "cuda/portable/launch.h"               // IWYU pragma: export
#include "cuda/portable/mma.h"                  // IWYU pragma: export
#include "cuda/portable/thread.h"               // IWYU pragma: export
