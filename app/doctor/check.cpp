#include "app/doctor/check.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/ranges.h>
#include <sched.h>

#include "engine/compute/processor.h"
#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/network/onednn.h"
#include "engine/resources.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

/// The text behind the first "key : " line of a file in /proc, or nothing.
std::string procValue(const char* file, std::string_view key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t colon = line.find(':');
        if (line.rfind(key, 0) != 0 || colon == std::string::npos) continue;
        const std::size_t first = line.find_first_not_of(" \t", colon + 1);
        return first == std::string::npos ? "" : line.substr(first);
    }
    return {};
}

Check checkInstructions() {
    const std::vector<std::string> features = processorFeatures();
    Check check{"processor", Check::Status::ok,
                fmt::format("{}: {}", processorName(), fmt::join(features, " ")), "", true};
    if (std::find(features.begin(), features.end(), "avx2") == features.end()) {
        check.status = Check::Status::warning;
        check.found += ", no avx2";
        check.remedy = "Reconstruction works, many times slower than with AVX2.";
    } else if (!cpuHasBfloat16()) {
        check.found += "; no bfloat16, --precision float32 only";
    } else if (!cpuHasInt8()) {
        check.found += "; no 8-bit products, --precision float32 or bfloat16";
    }
    return check;
}

Check checkThreads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const int usable =
        sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    return {"threads", Check::Status::ok,
            fmt::format("{} usable of {}", usable, std::thread::hardware_concurrency())};
}

Check checkMemory() {
    constexpr double kKibibytesInGigabyte = 1e9 / 1024;
    constexpr double kEnough = 1.0;
    const std::string text = procValue("/proc/meminfo", "MemAvailable");
    if (text.empty()) {
        return {"memory", Check::Status::warning, "its size is not known"};
    }
    const double available = std::strtod(text.c_str(), nullptr) / kKibibytesInGigabyte;
    Check check{"memory", Check::Status::ok, fmt::format("{:.1f} GB available", available)};
    if (available < kEnough) {
        check.status = Check::Status::warning;
        check.remedy = "A reconstruction takes up to 0.6 GB: close other programs.";
    }
    return check;
}

Check checkProducts() {
    return {"oneDNN", Check::Status::ok,
            fmt::format("{}, with {}", onednn::version(), onednn::instructions()), "", true};
}

}  // namespace

Check failedCheck(std::string subject, Check::Status status, const Error& error, bool needed) {
    const ErrorReport& report = error.report();
    Check check{std::move(subject), status, report.subject, report.remedy, needed};
    for (const std::string& part : {report.place, report.problem}) {
        if (!part.empty()) check.found += ": " + part;
    }
    return check;
}

Check checkModel(const std::string& file) {
    try {
        const auto model =
            loadModel(file.empty() ? defaultModelFile() : std::filesystem::path(file));
        return {"model", Check::Status::ok,
                fmt::format("{}, sampler {}, {} tensors, SHA-256 {}", model->source.string(),
                            samplerName(model->sampler), model->weights.size(), model->hash),
                "", true};
    } catch (const Error& error) {
        return failedCheck("model", Check::Status::missing, error, true);
    }
}

Check checkSamples() {
    try {
        const std::filesystem::path folder = bundledSamplesFolder();
        const std::size_t count = listSamples(folder).size();
        if (count > 0) {
            return {"samples", Check::Status::ok, fmt::format("{} in {}", count, folder.string())};
        }
        return {"samples", Check::Status::warning, folder.string() + ": holds no samples",
                "Name your own samples, or fetch resources/samples from the repository."};
    } catch (const Error& error) {
        return failedCheck("samples", Check::Status::missing, error);
    }
}

std::vector<Check> checkProcessor() {
    return {checkInstructions(), checkThreads(), checkMemory(), checkProducts()};
}

}  // namespace threefold
