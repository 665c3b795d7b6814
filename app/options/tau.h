#pragma once

namespace threefold {

/// Throws UsageError where --tau is no threshold: not above zero, or not finite.
void checkTau(double tau);

}  // namespace threefold
