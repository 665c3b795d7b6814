#include "app/bench/bench.h"

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/model_options.h"

namespace threefold {

#define THREEFOLD_BENCH(bench) extern const Bench bench;
#include "app/bench/benches.inl"
#undef THREEFOLD_BENCH

namespace {

constexpr const char* kBenchExamples = R"(Examples:
  threefold bench latency                       one mesh, stage by stage
  threefold bench throughput --seconds 5        meshes a second, for each batch size
  threefold bench latency --help                the options of a benchmark)";

#define THREEFOLD_BENCH(bench) &(bench),
constexpr const Bench* kBenches[] = {
#include "app/bench/benches.inl"
};
#undef THREEFOLD_BENCH

enum class Format { table, json, jsonLines };

ExitCode measureAndPrint(const Bench::Run& measure, Format format) {
    const Interrupt interrupt;
    BenchWriter text(format == Format::jsonLines);
    const auto writeLine = format == Format::jsonLines ? printJsonText : printText;
    const BenchReport report = measure(interrupt.token(), [&](const BenchReport& soFar) {
        if (format != Format::json) writeLine(text.append(soFar, false));
    });
    format == Format::json ? print(report, true) : writeLine(text.append(report, true));
    return report.exitCode;
}

void add(const Bench& bench, CLI::App& benches, CommandLine& line) {
    CLI::App& command = addCommand(benches, bench.name, bench.help, bench.examples);
    const Bench::Run measure = bench.prepare(command, line.model);
    const auto format = std::make_shared<Format>(Format::table);
    const auto choose = [&](const char* flag, Format chosen, const char* help) {
        return command.add_flag_callback(
            flag, [=] { *format = chosen; }, help);
    };
    choose("--json", Format::json, "One JSON document on standard output")
        ->excludes(choose(
            "--json-lines", Format::jsonLines,
            "JSON lines: the settings first, each row once it is measured, the summary last"));
    if (bench.usesModel) addModelOptions(command, line.model);
    setAction(command, line, [measure, format] { return measureAndPrint(measure, *format); });
}

}  // namespace

void addBench(CLI::App& program, CommandLine& line) {
    CLI::App& command =
        addCommand(program, "bench", "Measure how fast this machine is", kBenchExamples);
    command.require_subcommand(1);
    for (const Bench* bench : kBenches) add(*bench, command, line);
}

}  // namespace threefold
