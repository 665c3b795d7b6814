#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/run_description.h"

namespace threefold {

/// What keeps records of two runs from being mixed, a line for each field that differs: "τ: 0.0001
/// there, 0.0002 here". Empty where none does.
std::vector<std::string> differences(const RunIdentity& there, const RunIdentity& here);

}  // namespace threefold
