#include "app/options/model_options.h"

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include "engine/model/model.h"
#include "engine/network/cpu_backend.h"
#include "engine/resources.h"

namespace threefold {
namespace {

constexpr int kMostThreads = 1024;

}  // namespace

std::filesystem::path ModelOptions::modelFile() const {
    return model.empty() ? defaultModelFile() : model;
}

Precision ModelOptions::chosenPrecision() const {
    return precision == "bfloat16" || precision == "bf16" ? Precision::bfloat16
                                                          : Precision::float32;
}

void addModelOptions(CLI::App& command, ModelOptions& options) {
    command.add_option("--model", options.model, "Model file; the bundled one if not given")
        ->option_text("FILE");
    command.add_option("--backend", options.backend, "What computes: auto, cpu")
        ->check(CLI::IsMember({"auto", "cpu"}))
        ->option_text("NAME");
    command
        .add_option("--precision", options.precision,
                    "float32 (fp32), or bfloat16 (bf16) where the processor has it")
        ->check(CLI::IsMember({"float32", "fp32", "bfloat16", "bf16"}))
        ->option_text("NAME");
    command.add_option("--threads", options.threads, "0: as many as the process may use")
        ->check(CLI::Range(0, kMostThreads))
        ->option_text("N");
}

std::unique_ptr<Backend> openBackend(const ModelOptions& options) {
    const std::filesystem::path file = options.modelFile();
    auto model = loadModel(file);
    spdlog::debug("model {}, SHA-256 {}", file.string(), model->hash);
    CpuOptions cpu;
    cpu.precision = options.chosenPrecision();
    cpu.threads = options.threads;
    auto backend = makeCpuBackend(std::move(model), cpu);
    spdlog::debug("{}", backend->description());
    return backend;
}

}  // namespace threefold
