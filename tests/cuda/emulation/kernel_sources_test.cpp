#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

namespace fs = std::filesystem;

const fs::path kTests = THREEFOLD_TEST_DATA;
const fs::path kKernels = kTests.parent_path() / "cuda" / "kernels";

/// A source without its comments.
std::string codeOf(const fs::path& file) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

std::vector<fs::path> filesIn(const fs::path& folder, const std::set<std::string>& extensions) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (extensions.contains(entry.path().extension())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The launching functions that headers of cuda/kernels offer: not the templates behind them.
std::set<std::string> offeredLaunches() {
    const std::regex declaration(R"((template[^;{]*>\s*)?void\s+(launch[A-Z]\w*)\(Stream\b)");
    std::set<std::string> names;
    for (const fs::path& header : filesIn(kKernels, {".h"})) {
        const std::string code = codeOf(header);
        for (std::sregex_iterator match(code.begin(), code.end(), declaration), end; match != end;
             ++match) {
            if (!(*match)[1].matched) names.insert((*match)[2]);
        }
    }
    return names;
}

TEST(KernelSources, areAllBuilt_whenInTheFolder) {
    const std::string listed = codeOf(kKernels / "CMakeLists.txt");
    for (const fs::path& source : filesIn(kKernels, {".cu", ".cpp"})) {
        EXPECT_NE(listed.find(source.filename()), std::string::npos)
            << source.filename() << " is not in cuda/kernels/CMakeLists.txt";
    }
}

TEST(KernelSources, areRunInTheEmulator_whenAHeaderOffersTheirLaunch) {
    std::string tests;
    for (const fs::path& file : filesIn(kTests / "cuda" / "kernels", {".cpp", ".h"})) {
        tests += codeOf(file);
    }
    const std::set<std::string> launches = offeredLaunches();
    EXPECT_GE(launches.size(), 8U) << "the declarations are no longer found";
    for (const std::string& name : launches) {
        EXPECT_TRUE(std::regex_search(tests, std::regex("\\b" + name + "\\(")))
            << "no test in tests/cuda/kernels calls " << name;
    }
}

TEST(KernelSources, useOnlyWhatRunsEverywhere_whenTheyNeedTheDevice) {
    for (const fs::path& file : filesIn(kKernels, {".cu", ".h", ".cpp"})) {
        const std::string code = codeOf(file);
        for (const char* word : {"<<<", "__shared__", "asm volatile", "cuda_runtime"}) {
            EXPECT_EQ(code.find(word), std::string::npos)
                << file.filename() << ": " << word << " belongs into cuda/portable";
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
