#include <cstdlib>
#include <memory>

#include "app/doctor/check.h"
#include "engine/error.h"
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

}  // namespace threefold
