#include "app/options/model_options.h"

#include <map>

#include <fmt/format.h>

#include "app/options/backends.h"
#include "app/options/value_option.h"
#include "engine/error.h"
#include "engine/resources.h"

namespace threefold {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kMostDevices = 1024;

/// Adds an option whose words stand for values; any other word is a mistake on the command line.
template <class Value, class Target>
CLI::Option* addChoice(CLI::App& command, const std::string& name, Target& target,
                       const std::map<std::string, Value>& words, const std::string& help) {
    return command
        .add_option_function<std::string>(
            name, [&target, words](const std::string& word) { target = words.at(word); }, help)
        ->check(CLI::IsMember(words))
        ->option_text("NAME");
}

/// Empty where there is such a precision, as CLI11 wants it.
std::string precisionProblem(const std::string& word) {
    try {
        precisionFromName(word);
        return {};
    } catch (const UsageError& error) {
        std::string problem =
            fmt::format("{}: {}. {}", word, error.report().problem, error.report().remedy);
        if (problem.back() == '.') problem.pop_back();  // the command line adds its own
        return problem;
    }
}

}  // namespace

std::filesystem::path ModelOptions::modelFile() const {
    return model.empty() ? defaultModelFile() : model;
}

void addModelOptions(CLI::App& command, ModelOptions& options) {
    addValue(command, "--model", options.model, "FILE", "Model file; the bundled one if not given");
    std::map<std::string, const BackendEntry*> names = {{"auto", nullptr}};
    std::string help = "What computes: auto (a GPU where there is one)";
    for (const BackendEntry* backend : backends()) {
        names.emplace(backend->kind.name, backend);
        help += fmt::format(", {}", backend->kind.name);
    }
    addChoice(command, "--backend", options.backend, names, help);
    addValue(command, "--threads", options.threads, "N",
             "Of the processor; 0: as many as the process may use")
        ->check(CLI::Range(0, kMostThreads));
    addGpuOptions(command, options);
}

std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options) {
    CLI::Option* precision =
        command
            .add_option_function<std::string>(
                "--precision",
                [&options](const std::string& word) {
                    options.precision = precisionFromName(word);
                },
                "float32 (fp32, the processor's default) or bfloat16 (bf16); on a GPU also "
                "float16 (fp16, its default), tfloat32 (tf32), int8, float8 (fp8)")
            ->check(precisionProblem)
            ->option_text("NAME");
    CLI::Option* device = addValue(command, "--device", options.device, "N",
                                   "Which GPU, by CUDA's number; 0 if not given")
                              ->check(CLI::Range(0, kMostDevices));
    CLI::Option* kernels = addChoice<bool>(
        command, "--kernels", options.libraryKernels, {{"fused", false}, {"library", true}},
        "On a GPU: fused (the default), or library (cuDNN, cuBLASLt, cuSPARSE)");
    CLI::Option* calibrate =
        addList(command, "--calibrate", options.calibration, "SAMPLE,...",
                "For 8 bit: samples, or a list of them, to measure the ranges on");
    return {precision, device, kernels, calibrate};
}

void checkModelOptions(const ModelOptions& options) {
    const bool eightBit =
        options.precision == Precision::int8 || options.precision == Precision::float8;
    if (options.calibration.empty() || eightBit) return;
    throw UsageError({"--calibrate", options.calibration.front(),
                      "only 8-bit precisions are calibrated",
                      "Add --precision int8 or float8, or leave it out."});
}

}  // namespace threefold
