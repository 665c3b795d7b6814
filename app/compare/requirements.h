#pragma once

#include <string>
#include <vector>

#include "engine/comparison/compare_runs.h"

namespace threefold {

enum class Comparator { atLeast, atMost, above, below };  ///< >=, <=, >, <

/// Bound on a value of a comparison ("speedup>=1.2") or of one run ("network<=100", "A.f_tau>=55").
struct Requirement {
    std::string run;  ///< "A" or "B", as given; empty: no run named
    std::string key;
    Comparator comparator = Comparator::atLeast;  ///< compares the value with `bound`
    double bound = 0;

    std::string subject() const;  ///< "A.network", "speedup"
    std::string text() const;     ///< "A.network<=600"
};

/// Parses "speedup>=1.2, f_tau>=-0.5, network<=100, A.network<=600". Throws UsageError.
std::vector<Requirement> requirementsFrom(const std::string& text);

/// Requirements that a comparison violates, one sentence each: "agreement is 97.2, agreement>=99 is
/// required". A requirement on an unmeasured value counts as violated. If there are requirements
/// and samples of the first run are missing, a further sentence says so.
std::vector<std::string> violatedRequirements(const Comparison& comparison,
                                              const std::vector<Requirement>& requirements);

/// Keys and their meaning, for the help.
std::string requirementKeys();

}  // namespace threefold
