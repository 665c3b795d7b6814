#include "app/options/tau.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {

void checkTau(double tau) {
    if (tau > 0 && std::isfinite(tau)) return;
    throw UsageError({"--tau", fmt::format("{}", tau),
                      tau > 0 ? "is not finite" : "is not above zero",
                      "It is a threshold on squared distances in object units², such as 1e-4."});
}

}  // namespace threefold
