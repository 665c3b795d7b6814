#include "app/options/model_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/options/add_option.h"
#include "app/options/lists.h"
#include "app/options/sample_arguments.h"
#include "engine/error.h"
#include "engine/formats/files/unsupported_kinds.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/network/service/open_devices.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"

namespace threefold {

std::filesystem::path ModelOptions::modelFile() const {
    return model.empty() ? defaultModelFile() : model;
}

void addModelOptions(CLI::App& command, ModelOptions& options) {
    addSetting(command, setting::model, options.model);
    addSettingWord(command, setting::backend, [&options](const std::string& word) {
        options.backend = backendKindFromName(word);
    });
    addSetting(command, setting::threads, options.threads);
    addGpuOptions(command, options);
}

std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options) {
    const auto addSwitch = [&](const Setting& setting, const char* yes, bool& value) {
        return addSettingWord(command, setting,
                              [&value, yes](const std::string& word) { value = word == yes; });
    };
    return {
        addSettingWord(
            command, setting::precision,
            [&options](const std::string& word) { options.precision = precisionFromName(word); }),
        addSetting(command, setting::device, options.device),
        addSwitch(setting::kernels, "library", options.gpu.libraryKernels),
        addSetting(command, setting::streams, options.gpu.streams),
        addSwitch(setting::graphs, "on", options.gpu.cudaGraphs),
        addSwitch(setting::pinned, "on", options.gpu.pinned),
        addMebibytes(command, setting::gpuMemory, options.gpu.memoryBytes),
        addMebibytes(command, setting::graphCache, options.gpu.maxCudaGraphBytes),
        addSetting(command, setting::plans, options.gpu.planFolder),
        addList(
            command, "--calibrate", options.quantisationSampleArguments, "SAMPLE,...",
            "Quantisation samples for int8: samples or a test list, on which the value ranges are "
            "measured")};
}

ModelOptions withoutStepTimes(ModelOptions options) {
    options.gpu.stepTimes = false;
    return options;
}

void checkModelOptions(const ModelOptions& options) {
    if (options.quantisationSampleArguments.empty() || options.precision == Precision::int8) return;
    throw UsageError({"--calibrate", options.quantisationSampleArguments.front(),
                      "is used by int8 alone", "Add --precision int8, or leave out --calibrate."});
}

std::vector<Protocol> protocolsOf(const std::string& word) {
    if (word == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(word)};
}

std::vector<NetworkInput> quantisationSamples(const ModelOptions& options) {
    std::vector<NetworkInput> inputs;
    if (options.quantisationSampleArguments.empty()) return inputs;
    for (const SampleArgument& named : expandSamples(options.quantisationSampleArguments)) {
        const Sample sample = findSampleArgument(named, options.quantisationImageRoot);
        inputs.push_back(loadViews(sample, kPublishedViews));
    }
    return inputs;
}

}  // namespace threefold
