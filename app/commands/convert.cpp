#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/convert/self_test.h"
#include "app/options/add_option.h"
#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/formats/tensors/tensor_bundle.h"
#include "engine/model/convert.h"
#include "engine/model/model.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kConvertExamples =
    R"(Weights: .npz, .safetensors, .pt/.pth (torch.save of a state_dict), or a TensorFlow checkpoint by
its .index, its prefix or its folder. Tensors may have Threefold's names, with or without the
prefix "module." or "state_dict.", or the names of the published TensorFlow code.
The file is written only if every tensor that the method needs was found, in the right shape. The
sampler is a property of the weights: nearest-first for the published ones, bilinear-each for those
trained by Threefold's own reference. If the file does not state it, --self-test compares both.

Examples:
  threefold convert --stage1 stage1.npz --stage2 stage2.npz --template template.dat -o m.safetensors
  threefold convert --stage1 mvp2m/ --stage2 meshnet/model.ckpt-10.index --template iccv_p2mpp.dat \
      --dtype f16 --self-test -o published.safetensors)";

/// Minimum number of unused tensors of one kind that share a line.
constexpr std::size_t kMinGrouped = 4;

std::string outcomeText(TensorComparison::Outcome outcome) {
    constexpr const char* kNames[] = {"matched", "missing", "left over", "wrong shape",
                                      "not finite"};
    return kNames[static_cast<std::size_t>(outcome)];
}

/// Part of the model by which matched tensors are counted: "stage1.cnn" of
/// "stage1.cnn.conv1.weight".
std::string modelPart(const std::string& name) {
    const std::size_t stage = name.find('.');
    if (stage == std::string::npos) return name;
    return name.substr(0, name.find('.', stage + 1));
}

/// Kind of an unused tensor: its stage and the last part of its name, so that an optimiser's slots
/// form one kind: "stage1.*/Adam".
std::string tensorKind(const std::string& name) {
    const std::size_t stage = name.find('.');
    const std::size_t last = name.find_last_of("/.");
    if (stage == std::string::npos || last == stage) return name;
    return fmt::format("{}*{}", name.substr(0, stage + 1), name.substr(last));
}

/// Table of a conversion: matched tensors of each part, every missing or unusable tensor, and
/// unused tensors. Unused tensors of one kind share a line if there are kMinGrouped or more.
std::string reportText(const ConvertReport& report) {
    using Outcome = TensorComparison::Outcome;
    std::map<std::string, std::size_t> matched;
    std::map<std::string, std::vector<const TensorComparison*>> leftOver;
    TextTable table("llll");
    for (const TensorComparison& tensor : report.tensors) {
        if (tensor.outcome == Outcome::matched)
            ++matched[modelPart(tensor.name)];
        else if (tensor.outcome == Outcome::leftOver)
            leftOver[tensorKind(tensor.name)].push_back(&tensor);
        else
            table.add({outcomeText(tensor.outcome), tensor.name,
                       tensor.found.empty() ? "" : "found " + tensor.found,
                       "expected " + tensor.expected});
    }
    for (const auto& [kind, tensors] : leftOver) {
        if (tensors.size() >= kMinGrouped) {
            table.add({outcomeText(Outcome::leftOver), kind,
                       fmt::format("{} tensors, such as {}", tensors.size(), tensors[0]->name),
                       ""});
            continue;
        }
        for (const TensorComparison* tensor : tensors)
            table.add({outcomeText(Outcome::leftOver), tensor->name, "found " + tensor->found, ""});
    }
    std::string text;
    for (const auto& [part, count] : matched)
        text += fmt::format("matched  {}: {} tensor{}\n", part, count, count == 1 ? "" : "s");
    return text + table.text();
}

struct ConvertRequest {
    ConvertSources sources;
    std::string sampler = "auto";
    std::string dtype = "keep";
    bool selfTest = false;
    std::filesystem::path output;
};

std::string samplerText(const SamplerChoice& choice) {
    std::string text = fmt::format("sampler  {}: {}\n", samplerName(choice.kind), choice.reason);
    if (!choice.isKnown)
        text += "         not certain: --self-test compares both samplers, --sampler sets it\n";
    return text;
}

/// Throws UsageError if the model would replace a file that is read: published weights cannot
/// simply be downloaded again.
void requireOutputIsNoSource(const std::filesystem::path& output, const ConvertSources& sources) {
    std::vector<std::filesystem::path> files = {sources.stage1, sources.stage2,
                                                sources.meshTemplate};
    for (const std::filesystem::path& weights : {sources.stage1, sources.stage2}) {
        const auto checkpoint = findTensorBundle(weights);
        if (!checkpoint) continue;
        files.push_back(checkpoint->index);
        files.insert(files.end(), checkpoint->shards.begin(), checkpoint->shards.end());
    }
    for (const std::filesystem::path& source : files) {
        std::error_code missing;
        if (!std::filesystem::equivalent(output, source, missing)) continue;
        throw UsageError({"-o", output.string(), "is one of the files to be converted",
                          "Name another file for the model."});
    }
}

/// Whether a file begins as a safetensors file does: 8 bytes for the header's length, then JSON.
bool beginsAsModel(std::string_view beginning) {
    constexpr std::size_t kLengthBytes = 8;
    return beginning.size() > kLengthBytes && beginning[kLengthBytes] == '{';
}

/// Sources of the request, with the requested sampler and element type, and with the samplers of
/// known weights (addKnownWeights()).
ConvertSources completedSources(const ConvertRequest& request) {
    ConvertSources sources = request.sources;
    if (request.sampler != "auto") sources.sampler = samplerFromName(request.sampler);
    if (request.dtype != "keep") sources.dtype = request.dtype == "f16" ? DType::f16 : DType::f32;
    addKnownWeights(sources);
    return sources;
}

/// Logs that the model was not written because tensors are missing or unusable.
void logIncomplete(const ConvertReport& report, const std::filesystem::path& output) {
    using Outcome = TensorComparison::Outcome;
    const auto bad = std::ranges::count_if(report.tensors, [](const TensorComparison& tensor) {
        return tensor.outcome != Outcome::matched && tensor.outcome != Outcome::leftOver;
    });
    spdlog::error(
        "{}: not written: {} tensors are missing or unusable. Give the files that hold them.",
        output.string(), bad);
}

/// Prints the self-test of a model. Returns whether its result is plausible.
bool passesSelfTest(const std::shared_ptr<const Model>& model) {
    const std::vector<SelfTestResult> results = runSelfTest(model);
    printText(selfTestText(results));
    return judgeSelfTest(results) == SelfTestVerdict::plausible;
}

ExitCode convert(const ConvertRequest& request) {
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    requireOutputIsNoSource(request.output, request.sources);
    requireReplaceable("-o", request.output, beginsAsModel, "a model");
    const ConvertSources sources = completedSources(request);
    const ConvertReport report = convertModel(sources, request.output);
    printText(fmt::format("stage 1  {}: {}\nstage 2  {}: {}\n", report.stage1Format,
                          sources.stage1.string(), report.stage2Format, sources.stage2.string()));
    printText(reportText(report));
    if (!report.allMatched) {
        logIncomplete(report, request.output);
        return ExitCode::failed;
    }
    printText(samplerText(report.sampler));
    if (report.centreAdded)
        printText(
            "template completed: the centre hypothesis (0, 0, 0) was put first and joined to "
            "all others\n");
    // Read the file back: a model that does not load was not converted.
    const auto model = loadModel(request.output);
    printText(fmt::format("wrote    {}\nSHA-256  {}\n", request.output.string(), model->hash));
    return !request.selfTest || passesSelfTest(model) ? ExitCode::done : ExitCode::failed;
}

}  // namespace

void addConvert(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ConvertRequest>();
    ConvertSources& sources = request->sources;

    CLI::App& command =
        addCommand(program, "convert", "Convert published weights and template into one model file",
                   kConvertExamples);
    addValue(command, "--stage1", sources.stage1, "FILE", "Weights of stage 1")->required();
    addValue(command, "--stage2", sources.stage2, "FILE", "Weights of stage 2")->required();
    addValue(command, "--template", sources.meshTemplate, "FILE", "Template mesh: a pickle")
        ->required();
    addValue(command, "--sampler", request->sampler, "NAME",
             "auto (default: from stage 1's file), bilinear-each or nearest-first")
        ->check(CLI::IsMember({"auto", "bilinear-each", "nearest-first"}));
    addValue(command, "--dtype", request->dtype, "TYPE",
             "Type of the stored weights: keep (default), f16 or f32")
        ->check(CLI::IsMember({"keep", "f16", "f32"}));
    command.add_flag_callback(
        "--complete-template",
        [request] { request->sources.missingCentre = MissingCentre::complete; },
        "Add the centre hypothesis to a template that lacks it");
    command.add_flag("--self-test", request->selfTest,
                     "Reconstruct the bundled samples with both samplers; exit code 1 where the "
                     "result is not plausible");
    addValue(command, "--description", sources.description, "TEXT",
             "Origin of the weights, stored in the model");
    addValue(command, "-o,--output", request->output, "MODEL", "The model file to write")
        ->required();
    setAction(command, line, [request] { return convert(*request); });
}

}  // namespace threefold
