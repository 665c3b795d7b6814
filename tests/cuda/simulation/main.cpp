// threefold_cuda_simulation [SUBJECT…]: what a device's rounding changes, as tables for
// cuda/BENCHMARKS.md. Distances are median / 99.5th percentile / largest, object units.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/cuda/simulation/deviation.h"
#include "tests/cuda/simulation/subject.h"

using namespace threefold;
using namespace threefold::cuda::simulation;

namespace {

struct Case {
    std::string name;
    Arithmetic arithmetic;
};

std::string nameOf(Precision precision, const char* remark) {
    return fmt::format("{}{}", precisionName(precision), remark);
}

/// Whole devices: those of cuda/backend/allowed_deviation.h, and how they might differ. Then what
/// each part makes of it alone.
std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Precision precision : kAllPrecisions) {
        all.push_back({nameOf(precision, ""), Arithmetic::worst(precision, Kernels::fused)});
    }
    for (const Precision precision : kAllPrecisions) {
        if (cuda::isEightBit(precision)) continue;
        all.push_back(
            {nameOf(precision, ", libraries"), Arithmetic::worst(precision, Kernels::library)});
    }
    all.push_back({"tfloat32, libraries' operands rounded", Arithmetic::of(Precision::tfloat32)});
    Arithmetic backward = Arithmetic::of(Precision::float16);
    backward.order = SumOrder::backward;
    all.push_back({"float16, sums backward", backward});
    for (const Precision precision : {Precision::tfloat32, Precision::float16}) {
        all.push_back({nameOf(precision, ", graph blocks rounding once"),
                       Arithmetic::of(precision, Kernels::fusedRoundingOnce)});
    }
    all.push_back({"float16: only the first CNN", {.cnn1 = Precision::float16}});
    all.push_back({"float16: only the graph blocks", {.graph = Precision::float16}});
    all.push_back({"float16: only the graph blocks, rounding once",
                   {.graph = Precision::float16, .kernels = Kernels::fusedRoundingOnce}});
    all.push_back({"float16: only the second CNN", {.cnn2 = Precision::float16}});
    all.push_back({"float16: only the hypothesis blocks", {.hypotheses = Precision::float16}});
    return all;
}

std::string textOf(const Spread& spread) {
    return fmt::format("{:.1e} / {:.1e} / {:.1e}", spread.median, spread.usual, spread.furthest);
}

void show(const Subject& subject) {
    Network network(subject.model(), subject.input());
    const Points truth = subject.truth();
    const Calibration calibration = bundledCalibration(subject, network);
    const Outcome exact = network.run({});
    fmt::print("\n| {} | refined | coarse | F(τ) | maps | levels |\n|---|---|---|---|---|---|\n",
               subject.name);
    for (const Case& each : cases()) {
        const RunDeviation deviation =
            deviationOf(network.run(each.arithmetic, calibration), exact, truth);
        fmt::print("| {} | {} | {} | {:+.3f} | {:.1e} | {:.1e} |\n", each.name,
                   textOf(deviation.refined), textOf(deviation.coarse), deviation.score,
                   deviation.maps, deviation.levels);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    try {
        for (const Subject& subject : subjects()) {
            const bool asked =
                std::find(wanted.begin(), wanted.end(), subject.name) != wanted.end();
            if (wanted.empty() || asked) show(subject);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
