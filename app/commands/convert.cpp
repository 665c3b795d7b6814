#include <algorithm>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/output.h"
#include "engine/text_table.h"
#include "engine/model/convert.h"
#include "engine/model/model.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(The file is written only if every tensor that the method needs was found, in the right shape.
--sampler is a property of the weights: bilinear-each for weights trained by Threefold's own
reference, nearest-first for the published ones.

Example:
  threefold convert --stage1 stage1.npz --stage2 stage2.npz --template template.dat -o m.safetensors)";

using Outcome = ConvertedTensor::Outcome;

struct ConvertRequest {
    ConvertSources sources;
    std::string sampler = "bilinear-each";
    std::filesystem::path output;
};

std::string outcomeText(const ConvertedTensor& tensor) {
    switch (tensor.outcome) {
        case Outcome::matched:
            return "matched";
        case Outcome::missing:
            return "missing";
        case Outcome::leftOver:
            return "left over";
        case Outcome::wrongShape:
            return "wrong shape";
        case Outcome::notFinite:
            return "not finite";
    }
    return "unknown";
}

/// "stage1.cnn" of "stage1.cnn.conv1.weight": matched tensors are counted by this.
std::string groupOf(const std::string& name) {
    const std::size_t stage = name.find('.');
    if (stage == std::string::npos) return name;
    return name.substr(0, name.find('.', stage + 1));
}

std::string reportText(const ConvertReport& report) {
    std::map<std::string, int> matched;
    Table table({Table::Align::left, Table::Align::left, Table::Align::left, Table::Align::left});
    for (const ConvertedTensor& tensor : report.tensors) {
        if (tensor.outcome == Outcome::matched) {
            ++matched[groupOf(tensor.name)];
            continue;
        }
        table.add({outcomeText(tensor), tensor.name,
                   tensor.found.empty() ? "" : "found " + tensor.found,
                   tensor.expected.empty() ? "" : "expected " + tensor.expected});
    }
    std::string text;
    for (const auto& [group, count] : matched) {
        text += fmt::format("matched  {}: {} tensor{}\n", group, count, count == 1 ? "" : "s");
    }
    return text + table.text();
}

ExitCode convert(ConvertRequest request) {
    request.sources.sampler = samplerFromName(request.sampler);
    const ConvertReport report = convertModel(request.sources, request.output);
    printText(reportText(report));
    if (!report.complete) {
        const auto bad = std::count_if(report.tensors.begin(), report.tensors.end(), [](auto& t) {
            return t.outcome != Outcome::matched && t.outcome != Outcome::leftOver;
        });
        spdlog::error(
            "{}: not written: {} tensors are missing or unusable. Give the files that "
            "hold them.",
            request.output.string(), bad);
        return ExitCode::failed;
    }
    // Read back what others will read: a model that does not load was not converted.
    const auto model = loadModel(request.output);
    printText(fmt::format("wrote    {}\nSHA-256  {}\n", request.output.string(), model->hash));
    return ExitCode::done;
}

}  // namespace

void addConvert(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ConvertRequest>();
    ConvertSources& sources = request->sources;

    CLI::App& command =
        *program.add_subcommand("convert", "Published weights and template to one model file");
    command.footer(kExamples);
    command.add_option("--stage1", sources.stage1, "Weights of stage 1: .npz or .safetensors")
        ->required()
        ->option_text("FILE");
    command.add_option("--stage2", sources.stage2, "Weights of stage 2: .npz or .safetensors")
        ->required()
        ->option_text("FILE");
    command.add_option("--template", sources.meshTemplate, "Template mesh: a pickle")
        ->required()
        ->option_text("FILE");
    command.add_option("--sampler", request->sampler, "bilinear-each (default) or nearest-first")
        ->check(CLI::IsMember({"bilinear-each", "nearest-first"}))
        ->option_text("NAME");
    command.add_option("--description", sources.description, "Where the weights come from")
        ->option_text("TEXT");
    command.add_option("-o,--output", request->output, "The model file to write")
        ->required()
        ->option_text("MODEL");
    addVerbose(command, line);
    command.callback([&line, request] { line.action = [request] { return convert(*request); }; });
}

}  // namespace threefold
