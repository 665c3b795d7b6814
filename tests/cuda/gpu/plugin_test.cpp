#include <memory>
#include <string>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/model/model.h"
#include "tests/cuda/gpu/gpu.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

TEST(CudaPlugin, isOfThisBuild_whenOpened) {
    EXPECT_EQ(cudaPlugin().version, cudaPluginVersion());
}

TEST(CudaPlugin, exportsNothingElse_whenAskedForAnotherSymbol) {
    cudaPlugin();
    void* library = dlopen(cudaPluginFile().c_str(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    EXPECT_NE(dlsym(library, kCudaPluginEntry), nullptr);
    EXPECT_EQ(dlsym(library, "_ZTIN9threefold11DeviceErrorE"), nullptr)
        << "the engine's types are seen from outside";
    dlclose(library);
}

// The plug-in has its own copy of the exception's type information; the program's handler must
// still catch the exception.
TEST(CudaPlugin, throwsTheProgramsErrorTypes_whenTheDeviceIsUnknown) {
    CudaOptions options;
    options.device = 4096;
    const std::shared_ptr<const Model> model = loadModel(bundledModelFile());
    try {
        cudaPlugin().makeBackend(model, options);
        FAIL() << "a back end on GPU 4096 was made";
    } catch (const DeviceError& error) {
        EXPECT_FALSE(error.report().problem.empty());
        EXPECT_FALSE(error.report().remedy.empty());
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
}

TEST(CudaPlugin, namesProblemAndRemedy_whenThereIsNoGpu) {
    const std::optional<std::string> reason = reasonForNoGpu();
    if (!reason) GTEST_SKIP() << "this machine has a GPU";
    EXPECT_NE(reason->find("GPU"), std::string::npos) << *reason;
    EXPECT_NE(reason->find("`backend=cpu`"), std::string::npos) << *reason;
    EXPECT_THROW(cudaPlugin().makeBackend(loadModel(bundledModelFile()), {}), DeviceError);
}

TEST(CudaPlugin, describesTheDevices_whenThereAreSome) {
    THREEFOLD_NEEDS_GPU();
    for (const GpuDescription& device : cudaPlugin().devices()) {
        EXPECT_FALSE(device.name.empty());
        EXPECT_GE(device.computeCapability, 50);
        EXPECT_GT(device.multiprocessorCount, 0);
        EXPECT_GT(device.memoryBytes, std::size_t{1} << 30);
        EXPECT_FALSE(device.driver.empty());
        EXPECT_NE(device.libraries.find("cuDNN"), std::string::npos);
    }
}

}  // namespace
}  // namespace threefold::test
