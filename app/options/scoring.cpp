#include "app/options/scoring.h"

#include <cmath>

#include <fmt/format.h>

#include "app/options/value_option.h"
#include "engine/error.h"

namespace threefold {

void addProtocols(CLI::App& command, std::string& word) {
    addValue(command, "--protocol", word, "NAME",
             "published (the default: vertices against the truth's points), surface "
             "(10 000 points of each surface), both")
        ->check(CLI::IsMember({"published", "surface", "both"}));
}

void addTau(CLI::App& command, double& tau) {
    addValue(command, "--tau", tau, "T",
             "Threshold on squared distances, object units²; 1e-4 if not given");
}

void checkTau(double tau) {
    if (tau > 0 && std::isfinite(tau)) return;
    throw UsageError({"--tau", fmt::format("{}", tau),
                      tau > 0 ? "is not finite" : "is not above zero",
                      "It is a threshold on squared distances in object units², such as 1e-4."});
}

std::vector<Protocol> protocolsOf(const std::string& word) {
    if (word == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(word)};
}

}  // namespace threefold
