#pragma once

namespace threefold {

/// Parses the command line, runs what it asks for, and returns the process's exit code (see
/// ExitCode). Every failure ends as one line on stderr; nothing is thrown.
int runProgram(int argc, char** argv) noexcept;

}  // namespace threefold
