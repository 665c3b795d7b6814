#pragma once

/// CUDA's function qualifiers, which are empty in plain C++.

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
// The toolkit's host headers, if included before, define the qualifiers as attributes.
#undef __global__
#undef __device__
#undef __host__
#undef __forceinline__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// NOLINTEND(bugprone-reserved-identifier)
