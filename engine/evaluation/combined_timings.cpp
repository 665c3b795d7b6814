#include <string_view>

#include <fmt/format.h>

#include "engine/evaluation/output_texts.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

std::string milliseconds(double value) {
    constexpr double kFine = 10.0;
    return fmt::format("{:.{}f}", value, value < kFine ? 3 : 1);
}

std::string headline(const EvaluationRun& run, const TimeSummary& time) {
    if (!time.network) return "network    no times were recorded\n";
    const Statistics& network = *time.network;
    return fmt::format(
        "network    {} ± {} ms a sample (mean ± deviation of {}), both stages alone\n"
        "           median {}, min {}, max {}, p95 {} ms; 95 % interval of the mean {} … {} ms\n"
        "           {:.2f} samples/s\n"
        "           warm-up runs left out: {}; device and host in step at both ends\n",
        milliseconds(network.mean), milliseconds(network.deviation), network.count,
        milliseconds(network.median), milliseconds(network.lowest), milliseconds(network.highest),
        milliseconds(network.p95), milliseconds(network.low), milliseconds(network.high),
        time.samplesPerSecond, run.about.warmUpRuns);
}

std::string wholeRun(const EvaluationRun& run, const EvaluationSummary& summary) {
    std::string text;
    if (run.about.seconds > 0) {
        text += fmt::format(
            "run        {:.1f} s on the wall for {} samples: {:.2f} samples/s, all parts\n",
            run.about.seconds, summary.all.samples,
            static_cast<double>(summary.all.samples) / run.about.seconds);
    }
    if (!run.about.begun.empty()) text += fmt::format("begun      {}\n", run.about.begun);
    return text;
}

std::string table(std::string_view title, const std::vector<TimeColumn>& columns) {
    if (columns.empty()) return {};
    using Align = Table::Align;
    Table rows({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
                Align::right, Align::left});
    rows.add({std::string(title), "mean", "deviation", "median", "min", "max", "p95", ""});
    for (const TimeColumn& column : columns) {
        const Statistics& s = column.milliseconds;
        rows.add({"  " + column.key, milliseconds(s.mean), milliseconds(s.deviation),
                  milliseconds(s.median), milliseconds(s.lowest), milliseconds(s.highest),
                  milliseconds(s.p95), column.title});
    }
    return "\n" + rows.text();
}

std::string machineText(const MachineDescription& machine) {
    Table rows({Table::Align::left, Table::Align::left});
    const auto add = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) rows.add({std::string(key), value});
    };
    add("processor", machine.processor);
    add("instructions", machine.instructions);
    add("threads", machine.threads > 0 ? fmt::format("{}", machine.threads) : "");
    add("memory", machine.memory);
    add("system", machine.system);
    add("GPU", machine.gpu.empty() ? "none used" : machine.gpu);
    add("driver", machine.driver);
    add("libraries", machine.libraries);
    return rows.text("  ");
}

}  // namespace

std::string combinedTimings(const EvaluationRun& run, const EvaluationSummary& summary) {
    const RunIdentity& identity = run.about.identity;
    std::string text =
        fmt::format("Threefold {}: timings, in milliseconds on the wall\n\n", identity.version);
    text += headline(run, summary.time);
    text += wholeRun(run, summary);
    text += fmt::format("verdict    {}\n", summary.time.verdict);
    text += table("parts of a sample, ms", summary.time.parts);
    if (!summary.time.parts.empty()) {
        text += "  Parts of one sample run beside the network of another: they do not add up.\n";
    }
    text += table("stages of the network, ms", summary.time.stages);
    text +=
        fmt::format("\nmodel      {}\n           {}\n", run.about.modelFile, identity.modelHash);
    text += fmt::format("backend    {}, {}, {}\n", run.about.backend, identity.backend,
                        identity.precision);
    if (run.about.machines.size() > 1) {
        text += fmt::format("\n{} machines: the figures above mix their times.\n",
                            run.about.machines.size());
    }
    for (const MachineDescription& machine : run.about.machines) {
        text += "\nmachine\n" + machineText(machine);
    }
    return text;
}

}  // namespace threefold
