#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/network/backend.h"

namespace CLI {
class App;
}

namespace threefold {

/// Which weights run, where, and how precisely.
struct ModelOptions {
    std::filesystem::path model;  ///< empty: the bundled one
    std::string backend = "auto";
    std::string precision = "float32";
    int threads = 0;  ///< 0: all that the process may use

    std::filesystem::path modelFile() const;  ///< Throws IoError where no resources are found.
    Precision chosenPrecision() const;
};

/// --model, --backend, --precision and --threads, with their help.
void addModelOptions(CLI::App& command, ModelOptions& options);

/// Loads the model and prepares the backend. Throws what loadModel and makeCpuBackend throw.
std::unique_ptr<Backend> openBackend(const ModelOptions& options);

}  // namespace threefold
