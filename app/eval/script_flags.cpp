#include "app/eval/script_flags.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/model/convert.h"
#include "engine/model/model.h"
#include "engine/resources.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Temporary file, removed unless renamed.
struct TemporaryFile {
    fs::path path;
    ~TemporaryFile() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
};

[[noreturn]] void throwIncomplete(const ConvertReport& report) {
    const auto bad = std::find_if(report.tensors.begin(), report.tensors.end(),
                                  [](const TensorComparison& tensor) {
                                      return tensor.outcome != TensorComparison::Outcome::matched &&
                                             tensor.outcome != TensorComparison::Outcome::leftOver;
                                  });
    throw ModelError({"--stage1_checkpoint, --stage2_checkpoint", bad->name,
                      "is missing, or cannot be used",
                      "`threefold convert` with the same files lists every such tensor."});
}

fs::path convertedModel(const ScriptFlags& flags) {
    if (flags.stage1.empty() || flags.stage2.empty() || flags.meshData.empty())
        throw UsageError({"--stage1_checkpoint, --stage2_checkpoint, --mesh_data", "",
                          "belong together, and one is missing",
                          "Name all three, or a converted model with --model."});
    // The cache folder that also holds the GPU's tuning plans: $XDG_CACHE_HOME/threefold, else
    // $HOME/.cache/threefold.
    const fs::path cache = xdgFolder("XDG_CACHE_HOME", ".cache");
    const fs::path folder =
        cache.empty() ? systemTemporaryFolder() / "threefold-models" : cache / "models";
    makeFolder(folder, "Set XDG_CACHE_HOME to a folder that you may write to.");
    const TemporaryFile converted{folder / fmt::format("converting-{}.safetensors", ::getpid())};
    ConvertSources sources;
    sources.stage1 = flags.stage1;
    sources.stage2 = flags.stage2;
    sources.meshTemplate = flags.meshData;
    if (flags.sampler != "auto") sources.sampler = samplerFromName(flags.sampler);
    addKnownWeights(sources);
    ConvertReport report = convertModel(sources, converted.path);
    if (!report.allMatched) throwIncomplete(report);
    if (!sources.sampler && !report.sampler.isKnown) {
        // These flags stem from scripts for the published weights.
        sources.sampler = SamplerKind::nearestInFirstView;
        report = convertModel(sources, converted.path);
        spdlog::warn(
            "{}: names no sampler; nearest-first is used, the one of the published weights. Give "
            "another with --sampler; `threefold convert --self-test` compares them",
            flags.stage1.string());
    }
    fs::path file = folder / (loadModel(converted.path)->hash + ".safetensors");
    std::error_code failure;
    fs::rename(converted.path, file, failure);
    if (failure)
        throw IoError({file.string(), "", "cannot be written: " + failure.message(),
                       "Check that the folder may be written to, and has space left."});
    return file;
}

}  // namespace

void addScriptFlags(CLI::App& command, ScriptFlags& flags) {
    const std::size_t before = command.get_options().size();
    command
        .add_flag_function(
            "--amp,!--no-amp", [&flags](std::int64_t times) { flags.amp = times > 0; },
            "--amp is --precision float16, --no-amp is --precision float32. The processor computes "
            "in float32 with both")
        ->excludes("--precision");
    addValue(command, "--stage1_checkpoint", flags.stage1, "FILE",
             "Published weights of stage 1: converted into the cache before the run")
        ->excludes("--model");
    addValue(command, "--stage2_checkpoint", flags.stage2, "FILE",
             "Published weights of stage 2: converted into the cache before the run")
        ->excludes("--model");
    addValue(command, "--mesh_data", flags.meshData, "FILE",
             "Published template (pickle): converted into the cache before the run")
        ->excludes("--model");
    command.add_flag("--compile", flags.compile,
                     "Accepted but ignored, with a warning: a GPU's fused kernels and captured "
                     "graphs, or oneDNN's kernels for this processor, are always used");
    command.add_option("--compile-mode", flags.compileMode, "Accepted but ignored, like --compile")
        ->option_text("MODE")
        ->check(CLI::IsMember({"default", "reduce-overhead", "max-autotune"}));
    command
        .add_flag("--force-chamfer-cuda", flags.chamferCuda,
                  "As --measure-on gpu; where there is no GPU, the processor measures")
        ->excludes("--measure-on");
    addValue(command, "--sampler", flags.sampler, "NAME",
             "Sampler of the published weights: auto (the default: from stage 1's file, else "
             "nearest-first), bilinear-each or nearest-first")
        ->check(CLI::IsMember({"auto", "bilinear-each", "nearest-first"}));
    const std::vector<CLI::Option*> all = command.get_options();
    for (CLI::Option* flag : std::span(all).subspan(before)) flag->group("Flags of older scripts");
}

void applyScriptFlags(const ScriptFlags& flags, ModelOptions& options) {
    if (flags.namesWeights()) {
        options.model = convertedModel(flags);
        spdlog::info("converted model: {}", options.model.string());
    }
    if (!flags.amp) return;
    // Discards a precision from threefold.toml; --precision excludes these flags.
    options.precision.reset();
    if (!*flags.amp)
        options.precision = Precision::float32;
    else if (options.backend != nullptr && options.backend->usesGpu)
        options.precision = Precision::float16;
    // Otherwise: a GPU computes in float16 anyway, the processor in float32.
}

void reportScriptFlags(const ScriptFlags& flags, bool onGpu) {
    if (flags.amp && !*flags.amp)
        spdlog::warn("--no-amp: computes in float32, as --precision float32 does");
    if (flags.amp && *flags.amp)
        spdlog::warn("--amp: {}", onGpu
                                      ? "computes in float16, as --precision float16 does on a GPU"
                                      : "the processor has no float16; it computes in float32");
    const char* const instead =
        onGpu ? "nothing is left to compile: fused kernels (--kernels) and captured graphs "
                "(--graphs) take its place"
              : "nothing is left to compile: oneDNN's kernels, made for this processor's "
                "instructions, take its place";
    if (flags.compile) spdlog::warn("--compile: {}", instead);
    if (!flags.compileMode.empty())
        spdlog::warn("--compile-mode {}: {}", flags.compileMode, instead);
    if (flags.chamferCuda)
        spdlog::warn("--force-chamfer-cuda: {}",
                     onGpu ? "the GPU measures the meshes, as with --measure-on gpu"
                           : "the network runs on the processor, which measures the meshes too");
}

}  // namespace threefold
