#include "app/options/open_backend.h"

#include <spdlog/spdlog.h>

#include "app/options/backends.h"
#include "engine/error.h"

namespace threefold {
namespace {

OpenedBackend openChosen(const ModelOptions& options, const OpeningOptions& opening,
                         const std::shared_ptr<const Model>& model) {
    if (options.backend != nullptr) return options.backend->open(options, opening, model);
    const BackendEntry& processor = *backends().front();
    for (const BackendEntry* backend : backends()) {
        if (!backend->kind.usesGpu) continue;
        try {
            return backend->open(options, opening, model);
        } catch (const DeviceError& error) {
            if (options.precision && !processor.kind.has(*options.precision)) throw;
            spdlog::debug("no GPU is used: {}", error.what());
        }
    }
    return processor.open(options, opening, model);
}

}  // namespace

OpenedBackend openBackend(const ModelOptions& options, const OpeningOptions& opening) {
    checkModelOptions(options);
    const std::filesystem::path file = options.modelFile();
    const std::shared_ptr<const Model> model = loadModel(file);
    spdlog::debug("model {}, SHA-256 {}", file.string(), model->hash);
    OpenedBackend opened = openChosen(options, opening, model);
    spdlog::debug("{}", opened.backend->description());
    return opened;
}

}  // namespace threefold
