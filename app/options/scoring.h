#pragma once

#include <string>
#include <vector>

#include "engine/metrics/scores.h"

namespace CLI {
class App;
}  // namespace CLI

namespace threefold {

/// --protocol published|surface|both, with its help: the same words in every command. `word` is
/// what is taken where it is not given.
void addProtocols(CLI::App& command, std::string& word);

/// --tau, the threshold of the F-score, with its help.
void addTau(CLI::App& command, double& tau);

/// Throws UsageError where --tau is no threshold: not above zero, or not finite.
void checkTau(double tau);

/// The protocols that a word of it asks for, in the order of all tables. Throws UsageError.
std::vector<Protocol> protocolsOf(const std::string& word);

}  // namespace threefold
