#include "app/doctor/check.h"

namespace threefold {
namespace {

constexpr const char* kNoWindow = "not checked: this build has no window";
constexpr const char* kRemedy = "Build with the release preset to have one.";

}  // namespace

std::vector<Check> checkVulkan() {
    return {{"Vulkan", Check::Status::warning, kNoWindow, kRemedy}};
}

Check checkDisplay() {
    return {"display", Check::Status::warning, kNoWindow, kRemedy};
}

}  // namespace threefold
