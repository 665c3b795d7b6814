#include "app/options/model_options.h"

#include <algorithm>

#include "app/configuration/knob_option.h"
#include "app/options/open_backend.h"
#include "app/options/value_option.h"
#include "engine/error.h"
#include "engine/resources.h"

namespace threefold {

std::filesystem::path ModelOptions::modelFile() const {
    return model.empty() ? defaultModelFile() : model;
}

void addModelOptions(CLI::App& command, ModelOptions& options) {
    addKnob(command, knob::model, options.model);
    addKnobWord(command, knob::backend, [&options](const std::string& word) {
        const auto found = std::ranges::find_if(
            backends(), [&](const BackendEntry* entry) { return entry->kind.name == word; });
        options.backend = found == backends().end() ? nullptr : *found;
    });
    addKnob(command, knob::threads, options.threads);
    addGpuOptions(command, options);
}

std::vector<CLI::Option*> addGpuOptions(CLI::App& command, ModelOptions& options) {
    CLI::Option* precision = addKnobWord(
        command, knob::precision,
        [&options](const std::string& word) { options.precision = precisionFromName(word); });
    CLI::Option* device = addKnob(command, knob::device, options.device);
    CLI::Option* kernels = addKnobWord(command, knob::kernels, [&options](const std::string& word) {
        options.libraryKernels = word == "library";
    });
    CLI::Option* calibrate =
        addList(command, "--calibrate", options.calibration, "SAMPLE,...",
                "For 8 bit: samples, or a list of them, to measure the ranges on");
    return {precision, device, kernels, calibrate};
}

void checkModelOptions(const ModelOptions& options) {
    if (options.calibration.empty() || options.precision == Precision::int8) return;
    throw UsageError({"--calibrate", options.calibration.front(), "only int8 is calibrated",
                      "Add --precision int8, or leave it out."});
}

std::vector<Protocol> protocolsOf(const std::string& word) {
    if (word == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(word)};
}

}  // namespace threefold
