#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "ui/window/run_window.h"

namespace threefold::ui {
namespace {

// Sets environment variables (null: unsets) and restores the previous values on destruction.
class Environment {
  public:
    explicit Environment(const std::vector<std::pair<const char*, const char*>>& variables) {
        for (const auto& [name, value] : variables) {
            const char* old = std::getenv(name);
            old_.emplace_back(name,
                              old == nullptr ? std::nullopt : std::optional<std::string>(old));
            set(name, value);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : old_) set(name, value ? value->c_str() : nullptr);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    static void set(const char* name, const char* value) {
        if (value == nullptr) {
            unsetenv(name);
        } else {
            setenv(name, value, 1);
        }
    }
    std::vector<std::pair<const char*, std::optional<std::string>>> old_;
};

ErrorReport reportOf(const std::vector<std::pair<const char*, const char*>>& variables) {
    const Environment environment(variables);
    try {
        const auto display = connectToDisplay();
    } catch (const DeviceError& error) {
        return error.report();
    }
    return {};
}

TEST(DisplayCheck, namesTheMissingVariable_whenNoDisplayIsSet) {
    const ErrorReport report = reportOf(
        {{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", nullptr}, {"QT_QPA_PLATFORM", nullptr}});
    EXPECT_THAT(report.problem, testing::HasSubstr("neither DISPLAY nor WAYLAND_DISPLAY"));
    EXPECT_THAT(report.remedy, testing::HasSubstr("xvfb-run"));
}

TEST(DisplayCheck, namesTheDisplay_whenItDoesNotAnswer) {
    const ErrorReport report = reportOf(
        {{"DISPLAY", ":9417"}, {"WAYLAND_DISPLAY", nullptr}, {"QT_QPA_PLATFORM", nullptr}});
    EXPECT_EQ(report.place, "DISPLAY=:9417");
    EXPECT_EQ(report.problem, "nothing answers there");
}

TEST(DisplayCheck, refusesPlatformsWithoutVulkan) {
    const ErrorReport report = reportOf({{"QT_QPA_PLATFORM", "offscreen"}});
    EXPECT_EQ(report.problem, "this platform cannot show Vulkan");
}

TEST(DisplayCheck, triesAllPlatforms_ofQtsList) {
    const ErrorReport report = reportOf({{"DISPLAY", ":9417"},
                                         {"WAYLAND_DISPLAY", nullptr},
                                         {"QT_QPA_PLATFORM", "offscreen:size=9x9;xcb"}});
    EXPECT_EQ(report.problem, "nothing answers there");
}

TEST(DisplayCheck, namesTheCompositor_whenItDoesNotAnswer) {
    const ErrorReport report = reportOf({{"DISPLAY", nullptr},
                                         {"WAYLAND_DISPLAY", "wayland-nowhere"},
                                         {"XDG_RUNTIME_DIR", "/nonexistent"},
                                         {"QT_QPA_PLATFORM", nullptr}});
    EXPECT_EQ(report.place, "WAYLAND_DISPLAY=wayland-nowhere");
}

TEST(RunWindow, throwsInsteadOfEndingTheProcess_whenThereIsNoDisplay) {
    const Environment environment(
        {{"DISPLAY", nullptr}, {"WAYLAND_DISPLAY", nullptr}, {"QT_QPA_PLATFORM", nullptr}});
    char name[] = "threefold";
    char* arguments[] = {name, nullptr};
    EXPECT_THROW(runWindow(1, arguments, {}), DeviceError);
}

}  // namespace
}  // namespace threefold::ui
