// threefold_cuda_simulation [SUBJECT…] prints tables for cuda/BENCHMARKS.md of how a device's
// rounding changes meshes. Distances are median / 99.5th percentile / largest, in object units.
// threefold_cuda_simulation --table prints the rows of cuda/backend/simulated_deviations.inl and
// two values of allowed_deviation.h, rounded up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "cuda/backend/allowed_deviation.h"
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

/// Returns the arithmetic of whole devices, as in cuda/backend/simulated_deviations.inl, and
/// variants of it, then cases with one part of the network in float16 and the rest exact.
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
    return fmt::format("{:.1e} / {:.1e} / {:.1e}", spread.median, spread.typical, spread.largest);
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

/// `value` rounded up to two significant digits: "4.4e-3".
std::string roundedUp(double value) {
    if (value <= 0) return "0.0";
    auto exponent = static_cast<int>(std::floor(std::log10(value)));
    auto digits = static_cast<int>(std::ceil(value / std::pow(10.0, exponent - 1)));
    if (digits == 100) {
        digits = 10;
        ++exponent;
    }
    return fmt::format("{}.{}e{}", digits / 10, digits % 10, exponent);
}

void updateMax(cuda::Deviation& largest, const Spread& refined) {
    largest.typicalVertex = std::max(largest.typicalVertex, refined.typical);
    largest.maxVertex = std::max(largest.maxVertex, refined.largest);
}

// Sampler, kernels, precision: the order of the table's rows.
using Row = std::tuple<SamplerKind, cuda::KernelSource, Precision>;

void showRow(const Row& row, const cuda::Deviation& largest) {
    const auto& [sampler, kernels, precision] = row;
    fmt::print(
        "    {{Precision::{:<9} KernelSource::{:<8} SamplerKind::{}, {{{}, {}, {}, {}, "
        "{:.2f}}}}},\n",
        fmt::format("{},", precisionName(precision)),
        kernels == cuda::KernelSource::library ? "library," : "fused,",
        sampler == SamplerKind::bilinearPerView ? "bilinearPerView" : "nearestInFirstView",
        roundedUp(largest.maps), roundedUp(largest.levels), roundedUp(largest.typicalVertex),
        roundedUp(largest.maxVertex), std::ceil(100 * largest.scorePoints) / 100);
}

/// Widens `rows` by the deviations of runs with other views. Returns the largest distance between
/// the meshes of two summation orders in float16, coarse or refined.
Spread includeOtherViews(std::map<Row, cuda::Deviation>& rows) {
    Spread largest;
    for (const Subject& subject : subjectsOfOtherViews()) {
        Network network(subject.model(), subject.input());
        const Outcome exact = network.run({});
        const Row half(subject.sampler, cuda::KernelSource::fused, Precision::float16);
        updateMax(rows[{subject.sampler, cuda::KernelSource::fused, Precision::float32}],
                  spreadOf(network.run({.order = SumOrder::backward}).refined, exact.refined));
        Arithmetic arithmetic = Arithmetic::of(Precision::float16);
        const Outcome forward = network.run(arithmetic);
        arithmetic.order = SumOrder::backward;
        const Outcome backward = network.run(arithmetic);
        for (const Outcome* each : {&forward, &backward})
            updateMax(rows[half], spreadOf(each->refined, exact.refined));
        for (const Spread& between : {spreadOf(forward.coarse, backward.coarse),
                                      spreadOf(forward.refined, backward.refined)}) {
            largest.typical = std::max(largest.typical, between.typical);
            largest.largest = std::max(largest.largest, between.largest);
        }
    }
    return largest;
}

void showTable() {
    std::map<Row, cuda::Deviation> rows;
    for (const Subject& subject : subjects()) {
        Network network(subject.model(), subject.input());
        const Points truth = subject.truth();
        const Calibration calibration = bundledCalibration(subject, network);
        const Outcome exact = network.run({});
        for (const cuda::KernelSource kernels :
             {cuda::KernelSource::fused, cuda::KernelSource::library}) {
            const bool library = kernels == cuda::KernelSource::library;
            for (const Precision precision : kAllPrecisions) {
                if (library && (cuda::isEightBit(precision) || precision == Precision::float32))
                    continue;
                const Arithmetic arithmetic =
                    Arithmetic::worst(precision, library ? Kernels::library : Kernels::fused);
                const RunDeviation found = deviationOf(
                    network.run(arithmetic, library ? Calibration{} : calibration), exact, truth);
                cuda::Deviation& largest = rows[{subject.sampler, kernels, precision}];
                updateMax(largest, found.refined);
                largest.maps = std::max(largest.maps, found.maps);
                largest.levels = std::max(largest.levels, found.levels);
                largest.scorePoints = std::max(largest.scorePoints, std::abs(found.score));
            }
        }
    }
    const Spread between = includeOtherViews(rows);
    // In float32 the libraries' kernels round as the fused kernels do, so both rows are equal.
    for (const SamplerKind sampler :
         {SamplerKind::bilinearPerView, SamplerKind::nearestInFirstView})
        rows[{sampler, cuda::KernelSource::library, Precision::float32}] =
            rows[{sampler, cuda::KernelSource::fused, Precision::float32}];
    for (const auto& [row, largest] : rows) showRow(row, largest);
    fmt::print("inline constexpr double kTypicalSumOrderDeviation = {};\n",
               roundedUp(between.typical));
    fmt::print("inline constexpr double kMaxSumOrderDeviation = {};\n", roundedUp(between.largest));
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> wanted(argv + 1, argv + argc);
    try {
        if (wanted == std::vector<std::string>{"--table"}) {
            showTable();
            return 0;
        }
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
