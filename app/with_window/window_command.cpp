#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/compare/sides.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/console/exit_code.h"
#include "app/console/output.h"
#include "app/doctor/check.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/sample/bundled_samples.h"
#include "engine/text.h"
#include "render/device.h"
#include "ui/window/run_window.h"

namespace threefold {
namespace {

struct WindowRequest {
    std::vector<std::filesystem::path> files;
    std::filesystem::path meshBesideResult;
    std::filesystem::path truth;
    std::vector<int> views;  ///< empty: the sample's default
    std::filesystem::path screenshot;
    bool quit = false;
};

/// Opens the window's networks and remembers the GPU on which a network was opened. Thread-safe.
class WindowNetworks {
  public:
    /// `model` must outlive the object.
    explicit WindowNetworks(const ModelOptions& model) : model_(model) {}

    NetworkDevices open(const ui::NetworkChoice& choice) {
        ModelOptions chosen = model_;
        if (!choice.device.empty())
            chosen = std::get<ModelOptions>(parseSide(choice.device, model_).source);
        if (!choice.model.empty()) chosen.model = choice.model;
        chosen.gpu.entropy = true;
        OpenedDevices devices = openDevices(chosen);
        const std::scoped_lock lock(mutex_);
        if (devices.gpu) gpu_ = devices.gpu;
        return std::move(devices.devices);
    }

    /// Names of the devices and precisions to choose from: "cpu:float32".
    std::vector<std::string> deviceNames() const {
        const std::scoped_lock lock(mutex_);
        std::vector<std::string> names;
        for (const BackendOpener& opener : backendOpeners()) {
            if (opener.kind.usesGpu && !gpu_) continue;
            for (const Precision precision : opener.kind.precisions)
                names.push_back(fmt::format("{}:{}", opener.kind.name, precisionName(precision)));
        }
        return names;
    }

    MachineDescription machineOf(const NetworkInfo& network) const {
        const std::scoped_lock lock(mutex_);
        // A lost GPU computes nothing any more; nor does any GPU if the processor was chosen.
        const bool onGpu = gpu_ && network.kind->usesGpu && !network.onFallback;
        return describeMachine(model_.threads, onGpu ? &*gpu_ : nullptr);
    }

  private:
    const ModelOptions& model_;
    mutable std::mutex mutex_;
    std::optional<GpuDescription> gpu_;
};

/// Values of section [window] in the configuration files. The window restores all other settings
/// from its last use.
std::map<std::string, std::string> initialSettings(const Configuration& configuration) {
    std::map<std::string, std::string> start;
    for (const Setting* setting : allSettings()) {
        const ConfiguredValue* const value = configuration.find(*setting);
        if (value != nullptr && tableOf(*setting) == "window")
            start.emplace(nameOf(*setting), value->text);
    }
    return start;
}

/// Throws UsageError if the screenshot would replace a file that the window opens, or a file that
/// is no PNG. The window itself refuses to replace the files of the sample that it shows.
void requireOwnScreenshot(const WindowRequest& request) {
    if (request.screenshot.empty()) return;
    std::vector<std::filesystem::path> opened = request.files;
    opened.insert(opened.end(), {request.meshBesideResult, request.truth});
    for (const std::filesystem::path& file : opened) {
        std::error_code missing;
        if (std::filesystem::equivalent(request.screenshot, file, missing))
            throw UsageError({"--screenshot", request.screenshot.string(),
                              "is a file that the window opens", "Name another one."});
    }
    requireReplaceable("--screenshot", request.screenshot, "\x89PNG", "a PNG file");
}

ExitCode showWindow(const WindowRequest& request, const ModelOptions& model,
                    const Configuration& configuration) {
    checkModelOptions(model);
    ui::WindowOptions options;
    options.files = request.files;
    if (options.files.empty())
        if (const auto sample = firstBundledSample()) options.files = {*sample};
    options.meshBesideResult = request.meshBesideResult;
    options.truth = request.truth;
    options.views = request.views;
    const auto networks = std::make_shared<WindowNetworks>(model);
    options.networks.openChosen = [networks](const ui::NetworkChoice& choice) {
        return networks->open(choice);
    };
    options.networks.openInitial = [networks] { return networks->open({}); };
    options.networks.deviceNames = [networks] { return networks->deviceNames(); };
    options.machineOf = [networks](const NetworkInfo& network) {
        return networks->machineOf(network);
    };
    options.log = logLine;
    options.networks.maxListWait =
        std::chrono::duration_cast<Scheduler::Duration>(std::chrono::duration<double>(
            parseNumber<double>(*configuration.text(setting::maxListWait)).value()));
    options.start = initialSettings(configuration);
    requireOwnScreenshot(request);
    options.screenshotWhenReady = request.screenshot;
    options.quitWhenReady = request.quit;
    // Qt sees only the program's name, not Threefold's options.
    std::string name = "threefold";
    std::vector<char*> words = {name.data(), nullptr};
    return ui::runWindow(1, words.data(), options) == 0 ? ExitCode::done : ExitCode::failed;
}

std::string environmentVariable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

void addWindow(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<WindowRequest>();
    addValue(program, "files", request->files, "[FILE...]",
             fmt::format("Files to show: a sample's folder or one of its images, "
                         "meshes or points ({}), a session",
                         meshFormatNames()));
    addValue(program, "--compare", request->meshBesideResult, "FILE",
             "A mesh or points to show beside the result");
    addValue(program, "--truth", request->truth, "FILE",
             "A mesh or points to measure against, in place of the sample's");
    addSetting(program, setting::views, request->views);
    addValue(program, "--screenshot", request->screenshot, "FILE",
             "Save the window as PNG once the first result is shown");
    program.add_flag(
        "--quit", request->quit,
        "Close the window once its first picture is complete, and the screenshot saved");
    addModelOptions(program, line.model);
    line.action = [request, &line] { return showWindow(*request, line.model, line.configuration); };
}

Finding checkDisplay() {
    try {
        const std::shared_ptr<void> connection = ui::connectToDisplay();
    } catch (const Error& error) {
        const ErrorReport& report = error.report();
        return {"display", Finding::Status::missing,
                report.place.empty() ? report.problem : report.place + ": " + report.problem,
                report.remedy};
    }
    const std::string x11 = environmentVariable("DISPLAY");
    const std::string name = x11.empty() ? environmentVariable("WAYLAND_DISPLAY") : x11;
    return {"display", Finding::Status::ok, name + " answers"};
}

std::vector<Finding> checkVulkan() {
    try {
        const render::Instance instance({});
        std::vector<Finding> findings;
        for (const render::DeviceDescription& device : render::describeDevices(instance)) {
            Finding finding{"Vulkan", Finding::Status::ok,
                            fmt::format("{}, {}, Vulkan {}{}", device.name, device.driver,
                                        device.apiVersion, device.software ? ", in software" : "")};
            if (!device.usable) {
                finding.status = Finding::Status::warning;
                finding.state += ": lacks " + device.missing;
                finding.remedy = "The window uses another device if there is one.";
            }
            findings.push_back(std::move(finding));
        }
        if (!findings.empty()) return findings;
        return {{"Vulkan", Finding::Status::missing, "a loader, but no device",
                 "Install the driver of your GPU, or mesa-vulkan-drivers."}};
    } catch (const Error& error) {
        return {
            {"Vulkan", Finding::Status::missing, error.report().problem, error.report().remedy}};
    }
}

}  // namespace threefold
