#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/scores.h"
#include "engine/network/backend.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace threefold {

struct BackendEntry;

/// Which weights run, where, and how precisely.
struct ModelOptions {
    std::filesystem::path model;  ///< empty: the bundled one
    /// What computes; null: a GPU where one can be used, else the processor.
    const BackendEntry* backend = nullptr;
    std::optional<Precision> precision;  ///< empty: float32 on the processor, float16 on a GPU
    int threads = 0;                     ///< of the processor; 0: all that the process may use
    /// Of the GPUs: CUDA's number, several with commas between them, or "all".
    std::string device = "0";
    bool libraryKernels = false;  ///< cuDNN, cuBLASLt and cuSPARSE, not the fused kernels
    /// Samples or test lists that 8-bit ranges are measured on; empty: those of an earlier run,
    /// else the bundled ones.
    std::vector<std::string> calibration;
    std::filesystem::path calibrationImages;  ///< where names of such a list are looked for

    std::filesystem::path modelFile() const;  ///< Throws IoError where no resources are found.
};

/// --model, --backend, --precision, --threads, --device, --kernels and --calibrate, with their
/// help.
void addModelOptions(CLI::App& command, ModelOptions& options);
/// Those of them that ask something of a GPU: --precision, --device, --kernels and --calibrate.
std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options);

/// Throws UsageError for what no machine can make right: samples to calibrate on without an 8-bit
/// precision.
void checkModelOptions(const ModelOptions& options);

/// The protocols that a word of it asks for, in the order of all tables. Throws UsageError.
std::vector<Protocol> protocolsOf(const std::string& word);

}  // namespace threefold
