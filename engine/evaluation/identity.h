#pragma once

#include <string>

#include "engine/evaluation/run_description.h"

namespace threefold {

/// Why records of two runs must not be mixed: "τ: 0.0001 there, 0.0002 here; …". Empty if
/// nothing differs. `shards`: whether the runs must cover the same part of the list.
std::string differences(const RunDescription& before, const RunDescription& now, bool shards);

}  // namespace threefold
