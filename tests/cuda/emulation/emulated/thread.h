#pragma once

#include <cstddef>
#include <utility>

#include "tests/cuda/emulation/emulated/calls.h"

/// Emulated cuda/portable/thread.h, with CUDA's names.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names
// Indices of the running fibre; the emulator sets them at each switch.
inline constinit thread_local uint3 threadIdx{};
inline constinit thread_local uint3 blockIdx{};
inline constinit thread_local dim3 blockDim{};
inline constinit thread_local dim3 gridDim{};
inline constexpr int warpSize = 32;

#define THREEFOLD_PLACE_PARAMETERS const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace threefold::cuda::emulation {

template <class T>
struct LaneValue {
    T value;
    int source;
    T result;
};

/// Value of lane `source`.
template <class T>
T shuffle(const char* what, unsigned mask, T value, int source, Place place) {
    LaneValue<T> mine{value, source, value};
    meetWarp(
        what, mask, &mine,
        [](void* const* lanes, unsigned) {
            for (int lane = 0; lane < 32; ++lane) {
                if (lanes[lane] == nullptr) continue;
                auto& own = *static_cast<LaneValue<T>*>(lanes[lane]);
                // CUDA leaves the value of a lane outside the mask undefined.
                if (lanes[own.source] != nullptr) {
                    own.result = static_cast<const LaneValue<T>*>(lanes[own.source])->value;
                }
            }
        },
        place);
    return mine.result;
}

inline int laneOfThread() {
    return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) %
                            32);
}

}  // namespace threefold::cuda::emulation

inline void __syncthreads(THREEFOLD_PLACE_PARAMETERS) {
    threefold::cuda::emulation::meetBlock({file, line});
}

template <class T>
T __shfl_sync(unsigned mask, T value, int from, THREEFOLD_PLACE_PARAMETERS) {
    return threefold::cuda::emulation::shuffle("__shfl_sync", mask, value, from % 32, {file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, THREEFOLD_PLACE_PARAMETERS) {
    const int source = threefold::cuda::emulation::laneOfThread() ^ with;
    return threefold::cuda::emulation::shuffle("__shfl_xor_sync", mask, value, source,
                                               {file, line});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, THREEFOLD_PLACE_PARAMETERS) {
    unsigned mine = predicate != 0 ? 1 : 0;
    threefold::cuda::emulation::meetWarp("__ballot_sync", mask, &mine,
                                         [](void* const* lanes, unsigned) {
                                             unsigned ballot = 0;
                                             for (int lane = 0; lane < 32; ++lane) {
                                                 if (lanes[lane] != nullptr)
                                                     ballot |= *static_cast<unsigned*>(lanes[lane])
                                                               << lane;
                                             }
                                             for (int lane = 0; lane < 32; ++lane) {
                                                 if (lanes[lane] != nullptr)
                                                     *static_cast<unsigned*>(lanes[lane]) = ballot;
                                             }
                                         },
                                         {file, line});
    return mine;
}

// Fibres switch only at barriers and warp operations, so that plain reads and writes are atomic.
inline void __threadfence() {}

#define THREEFOLD_ATOMICS(Type)                                                 \
    inline Type atomicAdd(Type* address, Type value) {                          \
        return std::exchange(*address, static_cast<Type>(*address + value));    \
    }                                                                           \
    inline Type atomicMin(Type* address, Type value) {                          \
        return std::exchange(*address, value < *address ? value : *address);    \
    }                                                                           \
    inline Type atomicMax(Type* address, Type value) {                          \
        return std::exchange(*address, *address < value ? value : *address);    \
    }                                                                           \
    inline Type atomicExch(Type* address, Type value) {                         \
        return std::exchange(*address, value);                                  \
    }                                                                           \
    inline Type atomicCAS(Type* address, Type compare, Type value) {            \
        return std::exchange(*address, *address == compare ? value : *address); \
    }
THREEFOLD_ATOMICS(unsigned)
THREEFOLD_ATOMICS(unsigned long long)
#undef THREEFOLD_ATOMICS

template <class T>
T __ldg(const T* address) {
    return *address;
}

namespace threefold::cuda {

inline void gridBarrier(THREEFOLD_PLACE_PARAMETERS) {
    emulation::meetGrid({file, line});
}

template <class T>
T* sharedMemory(std::size_t byteOffset = 0) {
    return reinterpret_cast<T*>(emulation::sharedMemory() + byteOffset);
}

}  // namespace threefold::cuda
   // NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
