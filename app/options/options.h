#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/metrics/scores.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Which weights run, where, and how precisely.
struct ModelOptions {
    std::filesystem::path model;  ///< empty: the bundled one
    /// What computes; null: a GPU where one can be used, else the processor.
    const BackendKind* backend = nullptr;
    std::optional<Precision> precision;  ///< empty: float32 on the processor, float16 on a GPU
    int threads = 0;                     ///< of the processor; 0: all that the process may use
    /// Of the GPUs: CUDA's number, several with commas between them, or "all".
    std::string device = "0";
    /// Of these only the kernels, stage times, entropy, streams, graphs, pinned and planFolder
    /// count; openDevices() sets the rest from the other members.
    CudaOptions gpu = {};
    std::size_t gpuMemoryMib = 0;      ///< CudaOptions::memoryBytes
    std::size_t graphCacheMib = 2048;  ///< CudaOptions::graphBytes
    /// Samples or lists that 8-bit ranges are measured on; empty: an earlier run's or the bundled.
    std::vector<std::string> calibration;
    std::filesystem::path calibrationImages;  ///< where names of such a list are looked for

    std::filesystem::path modelFile() const;  ///< Throws IoError where no resources are found.
};

/// --model, --backend, --threads and addGpuOptions(), with their help.
void addModelOptions(CLI::App& command, ModelOptions& options);
/// Those of them that concern a GPU: --precision, --device, --kernels, --streams, --graphs,
/// --pinned, --gpu-memory, --graph-cache, --plans and --calibrate.
std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options);

/// The same, with a GPU that runs all stages as one and times none of them: what is fastest.
ModelOptions withoutStageTimes(ModelOptions options);

/// Throws UsageError for what no machine can do: samples to calibrate on without 8-bit precision.
void checkModelOptions(const ModelOptions& options);

/// The protocols that its word names, in the order of all tables. Throws UsageError.
std::vector<Protocol> protocolsOf(const std::string& word);

/// An option or argument with a value, which the help calls `word`: "N", "FILE".
template <class Value>
CLI::Option* addValue(CLI::App& command, const std::string& name, Value& value,
                      const std::string& word, const std::string& help) {
    return command.add_option(name, value, help)->option_text(word);
}

/// Several values in one word of the command line, with commas between them.
template <class Value>
CLI::Option* addList(CLI::App& command, const std::string& name, Value& value,
                     const std::string& word, const std::string& help) {
    return addValue(command, name, value, word, help)->delimiter(',')->allow_extra_args(false);
}

/// A sample to work on.
struct NamedSample {
    std::string name;         ///< for findSample()
    std::string listed = {};  ///< where a list names it: "list.txt, line 3"; empty: no list does
};

/// The samples to work on, test lists (*.txt, or kStandardInput) replaced by their lines. Throws
/// IoError (a list that cannot be read), InputError (nothing left to do).
std::vector<NamedSample> expandSamples(const std::vector<std::string>& given);

/// Photographs: files stay, folders become those in them. Throws InputError: a folder without any.
std::vector<std::filesystem::path> photographsIn(const std::vector<std::filesystem::path>& given);

/// As findSample(); where a list names the sample, an InputError names the list and the line.
Sample findNamed(const NamedSample& sample, const std::filesystem::path& imageRoot,
                 const std::filesystem::path& truthRoot = {}, const ObjectPlace& object = {},
                 TruthSpace truthSpace = TruthSpace::unset);

/// The samples of --calibrate, decoded; empty where none is given. Throws what reading them throws.
std::vector<NetworkInput> calibrationSamples(const ModelOptions& options);

}  // namespace threefold
