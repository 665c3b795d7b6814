#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/app/process.h"

namespace threefold::test {

/// How often a random test repeats: `usual` times what THREEFOLD_HOSTILE_ROUNDS says, 1 if unset.
int rounds(int usual);

/// Of all random tests: what THREEFOLD_HOSTILE_SEED says, or always the same.
unsigned seed();

/// Has the program ended by SIGALRM if it hangs: after minutes, far longer than any test takes.
/// `prepare` as in StartOptions.
StartOptions watched(std::function<void()> prepare = {});

/// Expects that the program ended by itself with an exit code that is documented, and that neither
/// a sanitizer nor the runtime had anything to say.
void expectOrderly(const ProcessResult& ended);

/// Starts `threefold`, waits for its end, which must be orderly.
ProcessResult runWatched(const std::vector<std::string>& arguments,
                         std::function<void()> prepare = {});

/// Sets the soft limit, and the hard one so that the program cannot raise it; for `prepare`.
void limitTo(int resource, unsigned long long most);

}  // namespace threefold::test
