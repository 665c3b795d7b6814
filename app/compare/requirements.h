#pragma once

#include <string>
#include <vector>

#include "engine/comparison/comparison.h"

namespace threefold {

/// A bound that a comparison must keep: "speedup>=1.2".
struct Requirement {
    std::string key;
    std::string sign;  ///< ">=", "<=", ">" or "<"
    double bound = 0;

    std::string text() const;
};

/// From "speedup>=1.2, agreement>=99, f_tau>=-0.5". Throws UsageError.
std::vector<Requirement> requirementsFrom(const std::string& text);

/// Why a comparison does not keep them, a sentence each: "agreement is 97.2, agreement>=99 is
/// required". What was not measured is not
/// kept, and none is where samples of the first run are missing.
std::vector<std::string> brokenRequirements(const Comparison& made,
                                            const std::vector<Requirement>& requirements);

/// Keys and their meaning, for the help.
std::string requirementKeys();

}  // namespace threefold
