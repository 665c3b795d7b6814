#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/device_report.h"
#include "app/bench/rates.h"
#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/console/output.h"
#include "app/doctor/check.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "engine/error.h"
#include "engine/json_text.h"
#include "engine/network/cuda_plugin.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kDoctorExamples =
    R"(Each line is ok, a warning, or missing, with a remedy. The exit code is 1 only where
`threefold reconstruct` could not work.

With --gpu: compares every GPU operation with the processor's. Shows its error, the allowed error,
its time, and its fraction of the device's measured peak rate. The exit code is 1 where an
operation is wrong, or where there is no GPU to check.

Example:
  threefold doctor --gpu --precision float32 --json)";

struct DoctorRequest {
    bool gpu = false;
    bool json = false;
};

/// A finding for each problem of the configuration; such a problem ends other commands. Without
/// problems, one finding with the files that were read, if any.
std::vector<Finding> checkConfiguration(const Configuration& configuration) {
    std::vector<Finding> findings;
    for (const ErrorReport& problem : configuration.problems)
        findings.push_back(
            failedFinding("configuration", Finding::Status::missing, UsageError(problem), true));
    if (!findings.empty() || configuration.files.empty()) return findings;
    std::vector<std::string> files;
    for (const auto& file : configuration.files) files.push_back(file.string());
    return {{"configuration", Finding::Status::ok, fmt::format("{}", fmt::join(files, ", "))}};
}

std::vector<Finding> runChecks(const ModelOptions& options, const Configuration& configuration) {
    std::vector<Finding> findings = checkConfiguration(configuration);
    std::ranges::move(checkProcessor(), std::back_inserter(findings));
    findings.push_back(checkModel(options.model.string()));
    findings.push_back(checkSamples());
    std::ranges::move(checkVulkan(), std::back_inserter(findings));
    findings.push_back(checkDisplay());
    std::ranges::move(checkGpus(), std::back_inserter(findings));
    return findings;
}

std::string_view statusName(Finding::Status status) {
    constexpr std::string_view kNames[] = {"ok", "warning", "missing"};
    return kNames[static_cast<std::size_t>(status)];
}

std::string findingsText(const std::vector<Finding>& findings) {
    TextTable table("lll");
    for (const Finding& finding : findings)
        table.add({std::string(statusName(finding.status)), finding.subject,
                   finding.remedy.empty() ? finding.state : finding.state + ". " + finding.remedy});
    return table.text();
}

nlohmann::ordered_json findingsJson(const std::vector<Finding>& findings) {
    const auto entry = [](const Finding& finding) -> nlohmann::ordered_json {
        return {{"subject", finding.subject},
                {"status", statusName(finding.status)},
                {"found", finding.state},
                {"remedy", finding.remedy},
                {"needed", finding.needed}};
    };
    return {{"threefold", THREEFOLD_VERSION}, {"checks", jsonArray(findings, entry)}};
}

ExitCode doctor(const CommandLine& line, bool json) {
    const std::vector<Finding> findings = runChecks(line.model, line.configuration);
    if (json)
        printJson(findingsJson(findings));
    else
        printText(findingsText(findings));
    const bool broken = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.needed && finding.status == Finding::Status::missing;
    });
    return broken ? ExitCode::failed : ExitCode::done;
}

BenchRow gpuRow(const GpuCheck& check) {
    BenchRow row;
    row.addLabel("", check.passed ? "ok" : "wrong");
    row.addLabel("operation", check.name);
    row.addNumber("error", fmt::format("{:.1e}", check.relativeError));
    row.addNumber("allowed", fmt::format("{:.1e}", check.maxRelativeError));
    row.addNumber("ms", fmt::format("{:.4f}", check.milliseconds));
    row.addNumber("of peak", check.peakFraction > 0 ? percentText(check.peakFraction) : "");
    row.addLabel("", check.note);
    // The key "utilisation" is kept from release 0.1; the value is the fraction of the device's
    // measured peak rate.
    row.json = {{"op", check.name},
                {"ok", check.passed},
                {"error", check.relativeError},
                {"allowed", check.maxRelativeError},
                {"ms", check.milliseconds},
                {"utilisation", check.peakFraction},
                {"remark", check.note}};
    return row;
}

ExitCode doctorGpu(const ModelOptions& options, bool json) {
    const auto [gpu, model, cuda] = chosenGpu(options);
    const std::vector<GpuCheck> checks = cudaPlugin().check(model, cuda);
    BenchReport report;
    report.heading = gpu.name + '\n' + gpuText(gpu);
    report.jsonHeader = {{"threefold", THREEFOLD_VERSION},
                         {"device", gpu.name},
                         {"computeCapability", gpu.computeCapability},
                         {"driver", gpu.driver},
                         {"libraries", gpu.libraries},
                         {"precision", precisionName(cuda.precision)},
                         {"kernels", cuda.tuning.libraryKernels ? "library" : "fused"}};
    report.rowsKey = "checks";
    for (const GpuCheck& check : checks) report.rows.push_back(gpuRow(check));
    print(report, json);
    const bool passed = !checks.empty() && std::ranges::all_of(checks, &GpuCheck::passed);
    return passed ? ExitCode::done : ExitCode::failed;
}

}  // namespace

void addDoctor(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<DoctorRequest>();
    CLI::App& command =
        addCommand(program, "doctor", "Check this machine and the installation", kDoctorExamples);
    addSetting(command, setting::model, line.model.model);
    CLI::Option* gpu =
        command.add_flag("--gpu", request->gpu, "Check the GPU's operations against the processor");
    for (CLI::Option* option : addGpuOptions(command, line.model)) option->needs(gpu);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    setAction(
        command, line,
        [&line, request] {
            if (!request->gpu) return doctor(line, request->json);
            reportProblems(line.configuration);
            return doctorGpu(line.model, request->json);
        },
        ConfigurationProblems::show);
}

}  // namespace threefold
