#include "app/options/open_network.h"

#include <utility>

#include <spdlog/spdlog.h>

#include "app/configuration/setting.h"
#include "app/console/output.h"
#include "app/options/model_options.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"

namespace threefold {
namespace {

DeviceSettings deviceSettings(const ModelOptions& options) {
    DeviceSettings settings;
    settings.backend = options.backend;
    settings.precision = options.precision;
    settings.threads = options.threads;
    settings.gpus = deviceNumbers(options.device);
    settings.gpu = options.gpu;
    settings.quantisationSamples = [options] { return quantisationSamples(options); };
    settings.log = logLine;
    return settings;
}

}  // namespace

OpenedDevices openDevices(const ModelOptions& options) {
    checkModelOptions(options);
    const std::filesystem::path file = options.modelFile();
    const std::shared_ptr<const Model> model =
        namingFileIfOutOfMemory(file, [&] { return loadModel(file); });
    spdlog::debug("model {}, SHA-256 {}", file.string(), model->hash);
    return openDevices(model, deviceSettings(options));
}

OpenedNetwork openNetwork(const ModelOptions& options) {
    OpenedDevices opened = openDevices(options);
    NetworkServiceOptions service;
    service.listener.log = logLine;
    auto network = std::make_unique<NetworkService>(std::move(opened.devices), std::move(service));
    spdlog::debug("{}", network->info().description);
    return {std::move(network), opened.gpu};
}

ChosenGpu chosenGpu(const ModelOptions& options) {
    checkModelOptions(options);
    const std::optional<std::vector<int>> numbers = deviceNumbers(options.device);
    if (!numbers || numbers->size() != 1)
        throw UsageError(
            {"--device", options.device, "names several GPUs; expected one", "Give one number."});
    // Describes the GPU first, so that without a GPU no model is loaded.
    ChosenGpu chosen{describeCudaGpu(numbers->front()), {}, {}};
    chosen.model = loadModel(options.modelFile());
    chosen.options = cudaOptions(chosen.model, deviceSettings(options));
    chosen.options.device = numbers->front();
    return chosen;
}

}  // namespace threefold
