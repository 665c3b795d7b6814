#include "engine/network/cuda_plugin.h"

#include <cstdlib>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/raster/device_raster.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using testing::HasSubstr;

std::filesystem::path fake(const std::string& name) {
    return std::filesystem::path(THREEFOLD_FAKE_PLUGINS) / ("lib" + name + ".so");
}

/// Message of a DeviceError in one line; adds a failure if none is thrown.
std::string deviceErrorOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const DeviceError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        EXPECT_FALSE(error.report().remedy.empty()) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no DeviceError";
    return {};
}

/// Sets the variable that names the plug-in's file; the destructor unsets it.
class PluginVariable {
  public:
    explicit PluginVariable(const std::filesystem::path& file) {
        setenv("THREEFOLD_CUDA_PLUGIN", file.c_str(), 1);
    }
    ~PluginVariable() { unsetenv("THREEFOLD_CUDA_PLUGIN"); }
    PluginVariable(const PluginVariable&) = delete;
    PluginVariable& operator=(const PluginVariable&) = delete;
};

const CudaPlugin& standIn() {
    const std::filesystem::path file = fake("fake_plugin");
    return openCudaPlugin(file);
}

TEST(CudaPlugin, isOpened_whenTheVersionIsTheProgramsOwn) {
    const CudaPlugin& plugin = standIn();
    EXPECT_EQ(plugin.version, cudaPluginVersion());
    EXPECT_EQ(plugin.devices().at(0).name, "Stand-in");
}

TEST(CudaPlugin, isTheSame_whenOpenedTwice) {
    EXPECT_EQ(&openCudaPlugin(fake("fake_plugin")), &openCudaPlugin(fake("fake_plugin")));
}

TEST(CudaPlugin, throwsAcrossTheLibraryBoundary_whenTheDeviceFails) {
    const CudaPlugin& plugin = standIn();
    CudaOptions options;
    options.device = 1;
    const std::string what = deviceErrorOf([&] { plugin.makeBackend(nullptr, options); });
    EXPECT_THAT(what, HasSubstr("GPU 1: stands in for a broken one"));
}

TEST(CudaPlugin, hasCodeForAGpu_whenItsGenerationOrPtxIsThere) {
    const std::vector<int> two = {80, 90};
    for (const int computeCapability : {80, 86, 89, 90, 100, 121})
        EXPECT_TRUE(hasCodeFor(computeCapability, two)) << computeCapability;
    EXPECT_FALSE(hasCodeFor(75, two));
    EXPECT_FALSE(hasCodeFor(80, std::vector{86, 90}));
    EXPECT_FALSE(hasCodeFor(90, {}));
}

TEST(CudaPlugin, isRefused_whenItIsOfAnotherBuild) {
    const std::string what = deviceErrorOf([] { openCudaPlugin(fake("fake_plugin_old")); });
    EXPECT_THAT(what, HasSubstr("another build (0.0.1; the program is "));
}

TEST(CudaPlugin, isRefused_whenTheEntryIsMissing) {
    const std::string what = deviceErrorOf([] { openCudaPlugin(fake("fake_plugin_no_entry")); });
    EXPECT_THAT(what, HasSubstr("is not Threefold's GPU plug-in"));
}

TEST(CudaPlugin, isRefused_whenAFunctionIsMissing) {
    EXPECT_THAT(deviceErrorOf([] { openCudaPlugin(fake("fake_plugin_incomplete")); }),
                HasSubstr("lacks some of the plug-in's functions"));
}

TEST(CudaPlugin, makesARasteriser_whenTheDeviceWorks) {
    const CudaPlugin& plugin = standIn();
    EXPECT_NE(plugin.makeRaster(0), nullptr);
    EXPECT_THAT(deviceErrorOf([&] { plugin.makeRaster(1); }), HasSubstr("broken"));
}

TEST(CudaPlugin, isRefused_whenTheFileIsNoLibrary) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder / "text.so";
    std::ofstream(file) << "no library";
    const std::string what = deviceErrorOf([&] { openCudaPlugin(file); });
    EXPECT_THAT(what, HasSubstr("text.so: cannot be loaded: "));
    EXPECT_THAT(deviceErrorOf([&] { openCudaPlugin(folder / "none.so"); }),
                HasSubstr("cannot be loaded: cannot open shared object file"));
}

TEST(CudaPlugin, namesTheVariable_whenItsFileIsMissing) {
    const PluginVariable variable("/no/such/plugin.so");
    const std::string what = deviceErrorOf([] { cudaPluginFile(); });
    EXPECT_THAT(what, HasSubstr("/no/such/plugin.so: $THREEFOLD_CUDA_PLUGIN names no file"));
}

TEST(CudaPlugin, needsNoDriver_whenTheVariableNamesThePlugin) {
    const PluginVariable variable(fake("fake_plugin"));
    EXPECT_NO_THROW(requireNvidiaDriver());
}

TEST(CudaPlugin, isFound_whenTheVariableNamesIt) {
    const PluginVariable variable(fake("fake_plugin"));
    EXPECT_EQ(cudaPluginFile(), fake("fake_plugin"));
}

TEST(CudaPlugin, isTriedAgain_whenItCouldNotBeOpened) {
    {
        const PluginVariable variable(fake("fake_plugin_old"));
        EXPECT_THAT(deviceErrorOf([] { cudaPlugin(); }), HasSubstr("another build"));
    }
    const PluginVariable variable(fake("fake_plugin_no_driver"));
    EXPECT_THAT(deviceErrorOf([] { cudaPlugin().devices(); }), HasSubstr("no NVIDIA driver"));
    EXPECT_EQ(&cudaPlugin(), &openCudaPlugin(fake("fake_plugin_no_driver")));
}

}  // namespace
}  // namespace threefold
