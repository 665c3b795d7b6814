#include <algorithm>
#include <filesystem>
#include <fstream>
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
    std::string code;
    for (std::string line; std::getline(stream, line);) {
        code += line.substr(0, line.find("//")) + '\n';
    }
    return code;
}

std::vector<fs::path> filesIn(const fs::path& folder, const std::set<std::string>& extensions) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (extensions.contains(entry.path().extension())) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Names of the launch functions that headers of cuda/kernels declare, without function templates,
/// whose declaration follows a `template <…>` line.
std::set<std::string> declaredLaunches() {
    const std::string begin = "\nvoid launch";
    std::set<std::string> names;
    for (const fs::path& header : filesIn(kKernels, {".h"})) {
        const std::string code = codeOf(header);
        for (std::size_t at = code.find(begin); at != std::string::npos;
             at = code.find(begin, at + 1)) {
            const std::size_t name = at + std::string("\nvoid ").size();
            if (at > 0 && code[at - 1] != '>') {
                names.insert(code.substr(name, code.find('(', name) - name));
            }
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
    const std::set<std::string> launches = declaredLaunches();
    EXPECT_GE(launches.size(), 8U) << "the declarations are no longer found";
    for (const std::string& name : launches) {
        EXPECT_NE(tests.find(name + "("), std::string::npos)
            << "no test in tests/cuda/kernels calls " << name;
    }
}

TEST(KernelSources, containNoCudaSyntax_outsideCudaPortable) {
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
