#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "app/doctor/check.h"
#include "engine/error.h"
#include "render/device.h"
#include "ui/window/display_check.h"

namespace threefold {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

Check checkDisplay() {
    try {
        const std::shared_ptr<void> connection = ui::checkDisplay();
    } catch (const Error& error) {
        const ErrorReport& report = error.report();
        return {"display", Check::Status::missing,
                report.place.empty() ? report.problem : report.place + ": " + report.problem,
                report.remedy};
    }
    const std::string x11 = variable("DISPLAY");
    const std::string name = x11.empty() ? variable("WAYLAND_DISPLAY") : x11;
    return {"display", Check::Status::ok, name + " answers"};
}

std::vector<Check> checkVulkan() {
    try {
        const render::Instance instance({});
        std::vector<Check> checks;
        for (const render::DeviceDescription& device : render::describeDevices(instance)) {
            Check check{"Vulkan", Check::Status::ok,
                        fmt::format("{}, {}, Vulkan {}{}", device.name, device.driver,
                                    device.apiVersion, device.software ? ", in software" : "")};
            if (!device.usable) {
                check.status = Check::Status::warning;
                check.found += ": lacks " + device.missing;
                check.remedy = "The window takes another device where there is one.";
            }
            checks.push_back(std::move(check));
        }
        if (!checks.empty()) return checks;
        return {{"Vulkan", Check::Status::missing, "a loader, but no device",
                 "Install the driver of your GPU, or mesa-vulkan-drivers."}};
    } catch (const Error& error) {
        return {{"Vulkan", Check::Status::missing, error.report().problem, error.report().remedy}};
    }
}

}  // namespace threefold
