#include "tests/cuda/gpu/gpu_backend.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/network/cuda_plugin.h"

namespace threefold::test {
namespace {

/// Folder that is removed when the process ends.
struct TemporaryFolder {
    TemporaryFolder()
        : path(std::filesystem::temp_directory_path() /
               ("threefold_gpu_tests_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path path;
};

bool sameBits(const Points& a, const Points& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(glm::vec3)) == 0;
}

}  // namespace

std::filesystem::path planFolder() {
    if (const char* shared = std::getenv("THREEFOLD_GPU_TEST_PLANS")) return shared;
    static const TemporaryFolder folder;
    return folder.path;
}

CudaOptions gpuOptions(Precision precision, bool libraryKernels) {
    CudaOptions options;
    options.precision = precision;
    options.tuning.libraryKernels = libraryKernels;
    options.tuning.warmUpRuns = 1;
    options.tuning.planFolder = planFolder();
    options.log = [](LogLevel level, std::string_view line) {
        if (level >= LogLevel::warning) ADD_FAILURE() << "logged: " << line;
    };
    return options;
}

std::unique_ptr<Backend> gpuBackend(const GoldenCase& golden, const CudaOptions& options) {
    return cudaPlugin().makeBackend(goldenModel(golden), options);
}

bool gpuHas(Precision precision) {
    const int capability = cudaPlugin().devices().front().computeCapability;
    switch (precision) {
        case Precision::float32:
        case Precision::float16:
            return true;
        case Precision::tfloat32:
        case Precision::bfloat16:
        case Precision::int8:
            return capability >= 80;
    }
    return false;
}

double furthest(const Points& ours, const Points& theirs, const std::vector<bool>& skip) {
    if (ours.size() != theirs.size()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (!skip.empty() && skip[i]) continue;
        const double distance = glm::distance(ours[i], theirs[i]);
        if (!std::isfinite(distance)) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, distance);
    }
    return worst;
}

bool sameBits(const Reconstruction& a, const Reconstruction& b) {
    return std::ranges::equal(a.stages, b.stages, [](const StageMesh& one, const StageMesh& other) {
        return sameBits(one.vertices, other.vertices);
    });
}

}  // namespace threefold::test
