#include "app/options/backends.h"

namespace threefold {

#define THREEFOLD_BACKEND(entry) extern const BackendEntry entry;
#include "app/options/backends.inl"
#undef THREEFOLD_BACKEND

std::span<const BackendEntry* const> backends() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declared name
#define THREEFOLD_BACKEND(entry) &entry,
    static constexpr const BackendEntry* kBackends[] = {
#include "app/options/backends.inl"
    };
#undef THREEFOLD_BACKEND
    return kBackends;
}

}  // namespace threefold
