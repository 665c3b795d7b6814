#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/doctor/check.h"
#include "app/options/open_backend.h"
#include "engine/network/backend_kind.h"

namespace threefold {

/// One choice of `--backend`. A new one is a file that defines it and a line in backends.inl.
struct BackendEntry {
    const BackendKind& kind;
    /// Throws DeviceError where it cannot be used here, and as openBackend() does.
    OpenedBackend (*open)(const ModelOptions& options, const OpeningOptions& opening,
                          const std::shared_ptr<const Model>& model);
    std::vector<Check> (*check)();  ///< what `threefold doctor` says of it
};

/// All of them, in the order of the help; the first one is the processor's.
std::span<const BackendEntry* const> backends();

}  // namespace threefold
