#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/app/process.h"

namespace threefold::test {

/// Repetitions of a random test: `defaultRounds` times THREEFOLD_HOSTILE_ROUNDS (1 if unset).
int rounds(int defaultRounds);

/// Seed of all random tests: THREEFOLD_HOSTILE_SEED, or a fixed seed.
unsigned seed();

/// Makes options without a display, with which SIGALRM ends the program after four minutes.
/// See StartOptions for `prepare`.
StartOptions withTimeout(std::function<void()> prepare = {});

/// Expects that the program ended by itself with a documented exit code, and that neither a
/// sanitizer nor the runtime reported anything.
void expectOrderly(const ProcessResult& result);

/// Runs `threefold` with the options of withTimeout(), and checks the result with expectOrderly().
ProcessResult runWithTimeout(const std::vector<std::string>& arguments,
                             std::function<void()> prepare = {});

/// Sets the soft and hard limit of a resource, so that the program cannot raise the limit. To be
/// called by `prepare`.
void limitTo(int resource, unsigned long long max);

}  // namespace threefold::test
