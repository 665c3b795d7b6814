#pragma once

#include <filesystem>
#include <memory>

#include "engine/model/model.h"

namespace threefold::test {

/// File of the model made for tests (tests/test_model). Tests use this model, so that a change of
/// the bundled weights changes no test.
inline std::filesystem::path testModelFile() {
    return std::filesystem::path(THREEFOLD_TEST_RESOURCES) / "models" / "default.safetensors";
}

/// The model of testModelFile(), loaded on first use.
inline const std::shared_ptr<const Model>& testModel() {
    static const std::shared_ptr<const Model> model = loadModel(testModelFile());
    return model;
}

/// File of the bundled weights, for golden tests and for tests of properties that any weights have.
/// tests/structure/weights_test.cpp lists the tests that may call this.
inline std::filesystem::path bundledModelFile() {
    return std::filesystem::path(THREEFOLD_RESOURCES) / "models" / "default.safetensors";
}

}  // namespace threefold::test
