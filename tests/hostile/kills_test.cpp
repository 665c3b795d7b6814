#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/hostile/whole_files.h"

namespace threefold::test {
namespace {

using Clock = std::chrono::steady_clock;

class Kills : public CompleteFiles {
  protected:
    Kills() : CompleteFiles(2) {}

    void runUndisturbed(const Words& words) {
        const auto begin = Clock::now();
        CompleteFiles::runUndisturbed(words, "whole");
        undisturbedDuration_ = Clock::now() - begin;
    }

    /// Runs the program and sends the process a signal at a random time. The files that exist
    /// afterwards must be whole, except for temporary files after SIGKILL.
    void signalDuringRun(const Words& words, const std::string& out, int round) {
        constexpr int kSignals[] = {SIGKILL, SIGTERM, SIGINT};
        const int signal = kSignals[round % 3];
        const double fraction = std::uniform_real_distribution<double>(0, 1)(random_);
        SCOPED_TRACE("signal " + std::to_string(signal) + " after " + std::to_string(fraction) +
                     " of a run, seed " + std::to_string(seed()));
        Process process(words, withTimeout());
        std::this_thread::sleep_for(fraction * undisturbedDuration_);
        process.send(signal);
        const ProcessResult result = process.wait();
        if (result.signal != signal) expectOrderly(result);
        expectSameFiles(out, result.signal == SIGKILL);
    }

  private:
    std::mt19937 random_{seed()};
    std::chrono::duration<double> undisturbedDuration_{};
};

TEST_F(Kills, leaveOnlyWholeMeshes) {
    runUndisturbed(reconstruct("whole"));
    for (int i = 0; i < rounds(3); ++i) {
        const std::string out = "killed" + std::to_string(i);
        signalDuringRun(reconstruct(out), out, i);
    }
}

TEST_F(Kills, costNoMeasure_whenEvalIsResumed) {
    runUndisturbed(eval("whole", "--overwrite"));
    for (int i = 0; i < rounds(3); ++i) signalDuringRun(eval("killed", "--resume"), "killed", i);
    expectResumes("killed");
}

}  // namespace
}  // namespace threefold::test
