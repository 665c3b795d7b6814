#pragma once

#include <string>
#include <vector>

#include "engine/comparison/comparison.h"

namespace threefold {

/// A bound that a comparison must keep: "speedup>=1.2", or one that a run must keep by itself:
/// "network<=100", "A.f_tau>=55".
struct Requirement {
    std::string run;  ///< "A" or "B", as given; empty: none was named
    std::string key;
    std::string sign;  ///< ">=", "<=", ">" or "<"
    double bound = 0;

    std::string subject() const;  ///< "A.network", "speedup"
    std::string text() const;     ///< "A.network<=600"
};

/// From "speedup>=1.2, f_tau>=-0.5, network<=100, A.network<=600". Throws UsageError.
std::vector<Requirement> requirementsFrom(const std::string& text);

/// The requirements that a comparison does not keep, a sentence each: "agreement is 97.2,
/// agreement>=99 is required". A requirement of a value that was not measured counts as not kept;
/// so do all of them where samples of the first run are missing.
std::vector<std::string> brokenRequirements(const Comparison& made,
                                            const std::vector<Requirement>& requirements);

/// Keys and their meaning, for the help.
std::string requirementKeys();

}  // namespace threefold
