#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/subject.h"
#include "app/commands/commands.h"
#include "app/console/output.h"
#include "app/doctor/check.h"
#include "app/options/open_backend.h"
#include "engine/model/model.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Each line is ok, a warning, or missing, with what to do about it. The exit code is 1 only where
`threefold reconstruct` could not work.

With --gpu: every operation on the GPU against the processor, with its error and what is allowed,
its time, and the share of the device's own ceiling that it reaches. The exit code is 1 where one is
wrong, or where there is no GPU to check.

Example:
  threefold doctor --gpu --precision float32 --json)";

struct DoctorRequest {
    bool gpu = false;
    bool json = false;
};

std::vector<Check> runChecks(const ModelOptions& options) {
    std::vector<Check> checks = {checkProcessor(),
                                 checkThreads(),
                                 checkMemory(),
                                 checkProducts(),
                                 checkModel(options.model.string()),
                                 checkSamples()};
    std::ranges::move(checkVulkan(), std::back_inserter(checks));
    checks.push_back(checkDisplay());
    std::ranges::move(checkGpus(), std::back_inserter(checks));
    return checks;
}

std::string_view statusName(Check::Status status) {
    switch (status) {
        case Check::Status::ok:
            return "ok";
        case Check::Status::warning:
            return "warning";
        case Check::Status::missing:
            return "missing";
    }
    return "unknown";
}

std::string checksText(const std::vector<Check>& checks) {
    Table table({Table::Align::left, Table::Align::left, Table::Align::left});
    for (const Check& check : checks) {
        table.add({std::string(statusName(check.status)), check.subject,
                   check.remedy.empty() ? check.found : check.found + ". " + check.remedy});
    }
    return table.text();
}

nlohmann::ordered_json checksJson(const std::vector<Check>& checks) {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const Check& check : checks) {
        entries.push_back({{"subject", check.subject},
                           {"status", statusName(check.status)},
                           {"found", check.found},
                           {"remedy", check.remedy},
                           {"needed", check.needed}});
    }
    return {{"threefold", THREEFOLD_VERSION}, {"checks", std::move(entries)}};
}

ExitCode doctor(const ModelOptions& options, bool json) {
    const std::vector<Check> checks = runChecks(options);
    if (json) {
        printJson(checksJson(checks));
    } else {
        printText(checksText(checks));
    }
    const bool broken = std::any_of(checks.begin(), checks.end(), [](const Check& check) {
        return check.needed && check.status == Check::Status::missing;
    });
    return broken ? ExitCode::failed : ExitCode::done;
}

std::string gpuText(const GpuDescription& gpu, const std::vector<GpuCheck>& checks) {
    using Align = Table::Align;
    Table table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                 Align::left});
    table.add({"", "operation", "error", "allowed", "ms", "of peak", ""});
    for (const GpuCheck& check : checks) {
        table.add({check.passed ? "ok" : "wrong", check.name, fmt::format("{:.1e}", check.error),
                   fmt::format("{:.1e}", check.allowed), fmt::format("{:.4f}", check.milliseconds),
                   check.utilisation > 0 ? shareText(check.utilisation) : "", check.remark});
    }
    return fmt::format("{}\ndriver {}, {}\n\n{}", gpu.name, gpu.driver, gpu.libraries,
                       table.text());
}

nlohmann::ordered_json gpuJson(const GpuDescription& gpu, const CudaOptions& options,
                               const std::vector<GpuCheck>& checks) {
    nlohmann::ordered_json json = {{"threefold", THREEFOLD_VERSION},
                                   {"device", gpu.name},
                                   {"computeCapability", gpu.computeCapability},
                                   {"driver", gpu.driver},
                                   {"libraries", gpu.libraries},
                                   {"precision", precisionName(options.precision)},
                                   {"kernels", options.libraryKernels ? "library" : "fused"},
                                   {"checks", nlohmann::ordered_json::array()}};
    for (const GpuCheck& check : checks) {
        json["checks"].push_back({{"op", check.name},
                                  {"ok", check.passed},
                                  {"error", check.error},
                                  {"allowed", check.allowed},
                                  {"ms", check.milliseconds},
                                  {"utilisation", check.utilisation},
                                  {"remark", check.remark}});
    }
    return json;
}

ExitCode doctorGpu(const ModelOptions& options, bool json) {
    checkModelOptions(options);
    const GpuDescription gpu = cudaDevice(options.device);
    const std::shared_ptr<const Model> model = loadModel(options.modelFile());
    const CudaOptions cuda = cudaOptions(options, model);
    const std::vector<GpuCheck> checks = cudaPlugin().check(model, cuda);
    if (json) {
        printJson(gpuJson(gpu, cuda, checks));
    } else {
        printText(gpuText(gpu, checks));
    }
    const bool allPassed =
        !checks.empty() && std::all_of(checks.begin(), checks.end(),
                                       [](const GpuCheck& check) { return check.passed; });
    return allPassed ? ExitCode::done : ExitCode::failed;
}

}  // namespace

void addDoctor(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<DoctorRequest>();
    CLI::App& command = *program.add_subcommand("doctor", "What this machine has and lacks");
    command.footer(kExamples);
    command.add_option("--model", line.model.model, "Model file; the bundled one if not given")
        ->option_text("FILE");
    CLI::Option* gpu =
        command.add_flag("--gpu", request->gpu, "Check the GPU's operations against the processor");
    for (CLI::Option* option : addGpuOptions(command, line.model)) option->needs(gpu);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addVerbose(command, line);
    command.callback([&line, request] {
        line.action = [&line, request] {
            return request->gpu ? doctorGpu(line.model, request->json)
                                : doctor(line.model, request->json);
        };
    });
}

}  // namespace threefold
