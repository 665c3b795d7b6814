#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

#include "tests/app/process.h"

// Options that start the program with a GPU, which a fake plug-in simulates, or without one.
namespace threefold::test {

inline StartOptions withPlugin(const std::string& name) {
    StartOptions options;
    options.environment = {
        {"THREEFOLD_CUDA_PLUGIN", std::string(THREEFOLD_FAKE_PLUGINS) + "/lib" + name + ".so"}};
    return options;
}

inline StartOptions withoutPlugin() {
    StartOptions options;
    options.environment = {{"THREEFOLD_CUDA_PLUGIN", "/no/such/plugin.so"}};
    return options;
}

inline StartOptions withGpu() {
    return withPlugin("fake_plugin");
}

inline std::size_t lineCount(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline std::size_t linesWith(const std::string& text, const std::string& part) {
    std::istringstream stream(text);
    std::size_t count = 0;
    for (std::string line; std::getline(stream, line);)
        count += line.find(part) == std::string::npos ? 0 : 1;
    return count;
}

}  // namespace threefold::test
