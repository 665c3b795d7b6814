#pragma once

/// Function tables for SIMD code: NAME.inl is compiled once per instruction set, and the fastest
/// table that the processor can run is chosen at run time. CMake's threefold_vector_builds()
/// compiles NAME.inl with THREEFOLD_VARIANT (portable, avx2 or avx512: the table's namespace),
/// THREEFOLD_VARIANT_NAME (this name as a string) and THREEFOLD_REGISTER_BYTES. NAME.inl must not
/// call the standard library or GLM: the linker keeps one copy of an inline function; if that copy
/// uses AVX-512, every caller crashes on older processors.
///
/// THREEFOLD_VARIANTS(Table, runnableTables) declares the tables kTable, and the function
/// runnableTables(), which lists the tables that this processor can run, fastest first, portable
/// last.
#if defined(THREEFOLD_VARIANT)

#define THREEFOLD_VARIANTS(Table, runnableTables)               \
    namespace THREEFOLD_VARIANT {                               \
    extern const Table k##Table; /* hides the other variants */ \
    }

#else

#include <span>
#include <vector>

#include "engine/system/processor.h"

namespace threefold::simd {

template <class Table, const Table& kPortable, const Table& kAvx2, const Table& kAvx512>
std::span<const Table* const> runnableVariants() {
    static const std::vector<const Table*> runnable = [] {
        std::vector<const Table*> list;
#if defined(__x86_64__)
        if (processorHasAvx512()) list.push_back(&kAvx512);
        if (processorHasAvx2()) list.push_back(&kAvx2);
#endif
        list.push_back(&kPortable);
        return list;
    }();
    return runnable;
}

}  // namespace threefold::simd

#define THREEFOLD_VARIANTS(Table, runnableTables)                                \
    namespace portable {                                                         \
    extern const Table k##Table;                                                 \
    }                                                                            \
    namespace avx2 {                                                             \
    extern const Table k##Table;                                                 \
    }                                                                            \
    namespace avx512 {                                                           \
    extern const Table k##Table;                                                 \
    }                                                                            \
    inline std::span<const Table* const> runnableTables() {                      \
        return simd::runnableVariants<Table, portable::k##Table, avx2::k##Table, \
                                      avx512::k##Table>();                       \
    }

#endif
