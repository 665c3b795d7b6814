#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/console/output.h"
#include "app/console/table.h"
#include "app/doctor/check.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Each line is ok, a warning, or missing, with what to do about it. The exit code is 1 only where
`threefold reconstruct` could not work.)";

std::vector<Check> runChecks(const ModelOptions& options) {
    std::vector<Check> checks = {checkProcessor(),
                                 checkThreads(),
                                 checkMemory(),
                                 checkProducts(),
                                 checkModel(options.model.string()),
                                 checkSamples()};
    std::ranges::move(checkVulkan(), std::back_inserter(checks));
    checks.push_back(checkDisplay());
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

}  // namespace

void addDoctor(CLI::App& program, CommandLine& line) {
    auto json = std::make_shared<bool>(false);
    CLI::App& command = *program.add_subcommand("doctor", "What this machine has and lacks");
    command.footer(kExamples);
    command.add_option("--model", line.model.model, "Model file; the bundled one if not given")
        ->option_text("FILE");
    command.add_flag("--json", *json, "One JSON document on standard output");
    addVerbose(command, line);
    command.callback(
        [&line, json] { line.action = [&line, json] { return doctor(line.model, *json); }; });
}

}  // namespace threefold
