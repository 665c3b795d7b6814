#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/measures/scores.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_options.h"
#include "engine/sample_steps/reconstruct_sample.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Weights, device and precision of the network.
struct ModelOptions {
    std::filesystem::path model;  ///< empty: the bundled model
    /// Back end; null: a GPU if usable, else the processor.
    const BackendKind* backend = nullptr;
    std::optional<Precision> precision;  ///< empty: float32 on the processor, float16 on a GPU
    int threads = 0;                     ///< processor threads; 0: all available
    /// GPUs: CUDA device numbers, comma-separated, or "all".
    std::string device = "0";
    CudaTuning gpu = {};
    /// Quantisation samples for int8, or lists of them; empty: ranges of an earlier run, or bundled
    /// samples.
    std::vector<std::string> quantisationSampleArguments;
    std::filesystem::path quantisationImageRoot;  ///< image root for names in these lists

    /// The model's file, by default the bundled model's. Throws IoError if no resources are found.
    std::filesystem::path modelFile() const;
};

/// Adds --model, --backend, --threads and the options of addGpuOptions().
void addModelOptions(CLI::App& command, ModelOptions& options);
/// Adds the GPU options: --precision, --device, --kernels, --streams, --graphs, --pinned,
/// --gpu-memory, --graph-cache, --plans and --calibrate.
std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options);

/// Copy of the options that does not time run steps: a GPU is fastest without timing events between
/// its steps.
ModelOptions withoutStepTimes(ModelOptions options);

/// Throws UsageError for contradictory options: quantisation samples without int8.
void checkModelOptions(const ModelOptions& options);

/// Protocols named by a --protocol word, in the order of all tables. Throws UsageError.
std::vector<Protocol> protocolsOf(const std::string& word);

/// Decoded samples of --calibrate; empty if none is given. Throws as expandSamples(), findSample()
/// and loadViews() do.
std::vector<NetworkInput> quantisationSamples(const ModelOptions& options);

}  // namespace threefold
