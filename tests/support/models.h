#pragma once

#include <filesystem>
#include <memory>

#include "engine/model/model.h"

namespace threefold::test {

/// The model made for tests (tests/test_model): what tests take, so that the bundled weights can be
/// exchanged without touching one.
inline std::filesystem::path testModelFile() {
    return std::filesystem::path(THREEFOLD_TEST_RESOURCES) / "models" / "default.safetensors";
}

/// The same, loaded once.
inline const std::shared_ptr<const Model>& testModel() {
    static const std::shared_ptr<const Model> model = loadModel(testModelFile());
    return model;
}

/// The shipped weights: for golden tests, and for what holds of any weights. Who may ask for them
/// is in tests/structure/weights_test.cpp.
inline std::filesystem::path bundledModelFile() {
    return std::filesystem::path(THREEFOLD_RESOURCES) / "models" / "default.safetensors";
}

}  // namespace threefold::test
