#include "tests/cuda/resources/kernel_needs.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/files/file_bytes.h"
#include "tests/cuda/resources/elf_file.h"
#include "tests/cuda/resources/gpu_images.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::cuda {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kLimits =
    std::filesystem::path(THREEFOLD_TEST_DATA) / "cuda/resources/limits.txt";

/// Kernels without a limit. Each kernel occurs once, with its largest needs over all architectures.
std::vector<KernelNeeds> unknownOf(std::span<const KernelLimit> limits,
                                   std::span<const KernelNeeds> kernels) {
    std::map<std::string, KernelNeeds> largest;
    for (const KernelNeeds& kernel : kernels) {
        if (limitOf(limits, kernel)) continue;
        KernelNeeds& needs = largest.try_emplace(kernel.name, kernel).first->second;
        needs.registers = std::max(needs.registers, kernel.registers);
        needs.stack = std::max(needs.stack, kernel.stack);
        needs.shared = std::max(needs.shared, kernel.shared);
    }
    std::vector<KernelNeeds> unknown;
    unknown.reserve(largest.size());
    for (const auto& [name, kernel] : largest) unknown.push_back(kernel);
    return unknown;
}

std::vector<KernelNeeds> kernelsOf(const char* library) {
    std::vector<KernelNeeds> kernels;
    for (const GpuImage& image : gpuImages(readFile(library)))
        for (const KernelNeeds& kernel : kernelNeeds(image.elf, image.architecture))
            kernels.push_back(kernel);
    return kernels;
}

TEST(KernelNeeds, stayWithinTheirLimits_inThePlugIn) {
    const std::vector<KernelLimit> limits = readLimits(kLimits);
    const std::vector<KernelNeeds> kernels = kernelsOf(THREEFOLD_CUDA_PLUGIN_FILE);
    EXPECT_FALSE(kernels.empty()) << "no kernel found in " << THREEFOLD_CUDA_PLUGIN_FILE;
    for (const KernelNeeds& kernel : kernels) {
        const std::string problem = complaint(limits, kernel);
        if (limitOf(limits, kernel) && !problem.empty()) ADD_FAILURE() << problem;
    }
    for (const KernelNeeds& kernel : unknownOf(limits, kernels))
        ADD_FAILURE() << complaint(limits, kernel);
}

TEST(KernelNeeds, equalTheKnownNeeds_ofTestKernels) {
    const std::vector<KernelNeeds> kernels = kernelsOf(THREEFOLD_KNOWN_KERNELS);
    std::set<int> architectures;
    std::set<std::string> names;
    for (const KernelNeeds& kernel : kernels) {
        SCOPED_TRACE(kernel.name + " on " + std::to_string(kernel.architecture));
        architectures.insert(kernel.architecture);
        names.insert(kernel.name);
        EXPECT_GE(kernel.registers, 4);
        EXPECT_LE(kernel.registers, 64);
        EXPECT_EQ(kernel.shared, kernel.name == "sharingKernel" ? 80 * sizeof(float) : 0);
        EXPECT_EQ(kernel.stack, kernel.name == "spillingKernel" ? 40 * sizeof(float) : 0);
    }
    EXPECT_EQ(names, (std::set<std::string>{"sharingKernel", "spillingKernel", "scalingKernel<3>",
                                            "scalingKernel<5>"}));
    EXPECT_EQ(kernels.size(), names.size() * architectures.size());
    EXPECT_GE(architectures.size(), 1U);
}

TEST(KernelNeeds, areNone_inAProgramWithoutGpuCode) {
    EXPECT_TRUE(gpuImages(readFile("/proc/self/exe")).empty());
}

TEST(KernelNeeds, refuseAFile_whenItIsNoProgram) {
    EXPECT_THROW(gpuImages(readFile(kLimits)), std::runtime_error);
    std::vector<std::byte> cut = readFile(THREEFOLD_KNOWN_KERNELS);
    cut.resize(cut.size() / 2);
    EXPECT_THROW(gpuImages(cut), std::exception);
}

TEST(KernelLimits, nameKernelAndArchitecture_whenANeedGrows) {
    const std::vector<KernelLimit> limits = {{"layer*", 0, 64, 0, 0}};
    EXPECT_EQ(complaint(limits, {"layerKernel<Half>", 90, 64, 0, 0}), "");
    EXPECT_THAT(complaint(limits, {"layerKernel<Half>", 90, 65, 0, 0}),
                HasSubstr("layerKernel<Half> on 9.0 takes 65 registers"));
    EXPECT_THAT(complaint(limits, {"layerKernel<Half>", 120, 64, 8, 0}),
                HasSubstr("layerKernel<Half> on 12.0 takes 64 registers, 8 bytes of stack"));
    EXPECT_NE(complaint(limits, {"layerKernel<Half>", 90, 64, 0, 4}), "");
}

TEST(KernelLimits, askForALine_whenAKernelIsUnknown) {
    const std::vector<KernelLimit> limits = {{"layerKernel", 80, 64, 0, 0}};
    EXPECT_THAT(complaint(limits, {"otherKernel", 80, 40, 0, 16}),
                HasSubstr("otherKernel all 40 0 16"));
    EXPECT_THAT(complaint(limits, {"layerKernel", 90, 40, 0, 0}), HasSubstr("Add the line"));
}

TEST(KernelLimits, applyTheLongestName_thenTheArchitecture) {
    const std::vector<KernelLimit> limits = {{"layer*", 75, 1, 0, 0},
                                             {"layerKernel", 0, 2, 0, 0},
                                             {"layerKernel", 75, 3, 0, 0},
                                             {"*", 0, 4, 0, 0}};
    EXPECT_EQ(limitOf(limits, {"layerKernel", 75, 0, 0, 0})->registers, 3U);
    EXPECT_EQ(limitOf(limits, {"layerKernel", 80, 0, 0, 0})->registers, 2U);
    EXPECT_EQ(limitOf(limits, {"layerOther", 75, 0, 0, 0})->registers, 1U);
    EXPECT_EQ(limitOf(limits, {"other", 75, 0, 0, 0})->registers, 4U);
}

TEST(KernelLimits, nameTheLine_whenItIsMalformed) {
    const test::TempFolder folder;
    const auto file = folder.path() / "limits.txt";
    for (const char* line :
         {"kernel", "kernel all 1 2", "kernel some 1 2 3", "kernel 80 1 2 3 4"}) {
        std::ofstream(file) << "# a remark\n\n" << line << "\n";
        EXPECT_THAT(test::messageOf<std::runtime_error>([&] { readLimits(file); }),
                    HasSubstr("line 3"))
            << line;
    }
    std::ofstream(file) << "kernel 80 1 2 3  # why\nother* all 4 5 6\n";
    const std::vector<KernelLimit> limits = readLimits(file);
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_EQ(limits[0].architecture, 80);
    EXPECT_EQ(limits[1].architecture, 0);
    EXPECT_EQ(limits[1].shared, 6U);
}

TEST(ShortName, keepsNameAndTemplateArguments) {
    EXPECT_EQ(shortName("_ZN9threefold4cuda12_GLOBAL__N_113scalingKernelILi3EEEvPf"),
              "scalingKernel<3>");
    EXPECT_EQ(shortName("plainName"), "plainName");
}

}  // namespace
}  // namespace threefold::cuda
