#include "app/doctor/check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include <fmt/ranges.h>
#include <link.h>
#include <sched.h>

#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/onednn.h"
#include "engine/network/precision.h"
#include "engine/network/roofline.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "engine/system/processor.h"

namespace threefold {
namespace {

/// Available memory in KiB; nullopt if unknown.
std::optional<double> availableMemory() {
    std::ifstream stream("/proc/meminfo");
    double kibibytes = 0;
    for (std::string key; stream >> key >> kibibytes; std::getline(stream, key))
        if (key == "MemAvailable:") return kibibytes;
    return std::nullopt;
}

Finding checkInstructions() {
    const std::vector<std::string> features = processorFeatures();
    Finding finding{"processor", Finding::Status::ok,
                    fmt::format("{}: {}", processorName(), fmt::join(features, " ")), "", true};
    if (std::find(features.begin(), features.end(), "avx2") == features.end()) {
        finding.status = Finding::Status::warning;
        finding.state += ", no avx2";
        finding.remedy = "Reconstruction works, many times slower than with AVX2.";
    } else if (!processorHasBfloat16()) {
        finding.state += "; no bfloat16, --precision float32 only";
    } else if (!processorHasVnni()) {
        finding.state += "; no 8-bit products, --precision float32 or bfloat16";
    }
    return finding;
}

/// Compares the rates of products in the precisions that the processor has. Bfloat16 may be slower
/// than float32, as on Intel's processors with AVX-512 whose AMX is missing or hidden.
Finding checkPrecisions() {
    constexpr double kSlower = 0.9;  // of float32's rate
    const double float32 = measureBlockGflopPerSecond(Precision::float32);
    Finding finding{"precisions", Finding::Status::ok,
                    fmt::format("matrix products on one thread: float32 {:.0f}", float32), "",
                    true};
    std::vector<std::string> slower;
    const auto add = [&](Precision precision, bool isAvailable) {
        if (!isAvailable) return;
        const double rate = measureBlockGflopPerSecond(precision);
        finding.state += fmt::format(", {} {:.0f}", precisionName(precision), rate);
        if (rate < kSlower * float32) slower.emplace_back(precisionName(precision));
    };
    add(Precision::bfloat16, processorHasBfloat16());
    add(Precision::int8, processorHasVnni());
    finding.state += " Gflop/s";
    if (!slower.empty()) {
        finding.status = Finding::Status::warning;
        finding.remedy = fmt::format("{} is slower than float32 on this processor: choose another.",
                                     fmt::join(slower, " and "));
    }
    return finding;
}

Finding checkThreads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const unsigned all = std::thread::hardware_concurrency();
    // sched_getaffinity() fails on machines with more than 1024 processors, the size of cpu_set_t.
    const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    return {"threads", Finding::Status::ok,
            known ? fmt::format("{} usable of {}", CPU_COUNT(&allowed), all)
                  : fmt::format("{}, how many of them are usable is not known", all)};
}

Finding checkMemory() {
    constexpr double kKibibytesInGigabyte = 1e9 / 1024;
    constexpr double kEnough = 1.0;
    const std::optional<double> kibibytes = availableMemory();
    if (!kibibytes) return {"memory", Finding::Status::warning, "its size is not known"};
    const double available = *kibibytes / kKibibytesInGigabyte;
    Finding finding{"memory", Finding::Status::ok, fmt::format("{:.1f} GB available", available)};
    if (available < kEnough) {
        finding.status = Finding::Status::warning;
        finding.remedy = "A reconstruction takes up to 0.6 GB: close other programs.";
    }
    return finding;
}

constexpr const char* kPlugin = "CUDA plug-in";
constexpr const char* kDriver = "NVIDIA driver";
constexpr const char* kDriverRemedy =
    "Install NVIDIA's driver, 580 or newer; without one the processor computes.";

/// The driver that the kernel reports, for when no plug-in can query CUDA.
Finding checkKernelDriver() {
    std::ifstream stream("/proc/driver/nvidia/version");
    std::string line;
    if (std::getline(stream, line)) return {kDriver, Finding::Status::ok, line};
    return {kDriver, Finding::Status::warning, "none is loaded", kDriverRemedy};
}

/// NVIDIA's libraries found by the plug-in: folders and, with a GPU, versions.
Finding checkLibraries(const std::string& versions) {
    std::set<std::string> folders;
    dl_iterate_phdr(
        [](dl_phdr_info* library, std::size_t, void* found) {
            const std::filesystem::path file(library->dlpi_name);
            for (const char* name : {"libcudnn.so", "libcublasLt.so", "libcusparse.so"})
                if (file.filename().string().starts_with(name))
                    static_cast<std::set<std::string>*>(found)->insert(file.parent_path());
            return 0;
        },
        &folders);
    const char* between = versions.empty() || folders.empty() ? "" : ", in ";
    return {"CUDA libraries", Finding::Status::ok,
            fmt::format("{}{}{}", versions, between, fmt::join(folders, " and "))};
}

std::string architecturesText(const std::vector<int>& architectures) {
    std::vector<std::string> texts;
    std::ranges::transform(architectures, std::back_inserter(texts), capabilityText);
    return fmt::format("{}", fmt::join(texts, " "));
}

std::vector<Finding> checkDevices(const CudaPlugin& plugin) {
    constexpr double kBytesInGigabyte = 1e9;
    try {
        const std::vector<GpuDescription> gpus = plugin.devices();
        std::vector<Finding> findings;
        findings.push_back({kDriver, Finding::Status::ok, gpus.front().driver});
        findings.push_back(checkLibraries(gpus.front().libraries));
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            const GpuDescription& gpu = gpus[i];
            Finding finding{
                fmt::format("GPU {}", i), Finding::Status::ok,
                fmt::format("{}, compute capability {}, {} multiprocessors, {:.1f} GB", gpu.name,
                            capabilityText(gpu.computeCapability), gpu.multiprocessorCount,
                            static_cast<double>(gpu.memoryBytes) / kBytesInGigabyte)};
            if (!hasCodeFor(gpu.computeCapability, plugin.computeCapabilities)) {
                finding.status = Finding::Status::warning;
                finding.state += ", for which the plug-in has no code";
                finding.remedy = "Build again on this machine: `packaging/run --build-only`.";
            }
            findings.push_back(std::move(finding));
        }
        return findings;
    } catch (const Error& error) {
        return {checkKernelDriver(), checkLibraries(""),
                failedFinding("GPU", Finding::Status::warning, error)};
    }
}

}  // namespace

Finding failedFinding(std::string subject, Finding::Status status, const Error& error,
                      bool needed) {
    const ErrorReport& report = error.report();
    Finding finding{std::move(subject), status, report.subject, report.remedy, needed};
    for (const std::string& part : {report.place, report.problem})
        if (!part.empty()) finding.state += ": " + part;
    return finding;
}

Finding checkModel(const std::string& file) {
    try {
        const auto model =
            loadModel(file.empty() ? defaultModelFile() : std::filesystem::path(file));
        return {"model", Finding::Status::ok,
                fmt::format("{}, sampler {}, {} tensors, SHA-256 {}", model->file.string(),
                            samplerName(model->sampler), model->weights.size(), model->hash),
                "", true};
    } catch (const Error& error) {
        return failedFinding("model", Finding::Status::missing, error, true);
    }
}

Finding checkSamples() {
    try {
        const std::filesystem::path folder = bundledSamplesFolder();
        const std::size_t count = bundledSamples().size();
        if (count > 0)
            return {"samples", Finding::Status::ok,
                    fmt::format("{} in {}", count, folder.string())};
        return {"samples", Finding::Status::warning, folder.string() + ": holds no samples",
                "Name your own samples, or fetch resources/samples from the repository."};
    } catch (const Error& error) {
        return failedFinding("samples", Finding::Status::missing, error);
    }
}

std::vector<Finding> checkProcessor() {
    return {checkInstructions(),
            checkThreads(),
            checkMemory(),
            {"oneDNN", Finding::Status::ok,
             fmt::format("{}, with {}", onednn::version(), onednn::instructions()), "", true},
            checkPrecisions()};
}

std::vector<Finding> checkGpus() {
    try {
        const std::filesystem::path file = cudaPluginFile();
        const CudaPlugin& plugin = cudaPlugin();
        std::vector<Finding> findings = {
            {kPlugin, Finding::Status::ok,
             fmt::format("{}, {}, code for {}", file.string(), plugin.version,
                         architecturesText(plugin.computeCapabilities))}};
        for (Finding& finding : checkDevices(plugin)) findings.push_back(std::move(finding));
        return findings;
    } catch (const Error& error) {
        return {failedFinding(kPlugin, Finding::Status::warning, error),
                checkKernelDriver(),
                {"GPU", Finding::Status::warning, "not checked: the CUDA plug-in is missing",
                 "See the plug-in's line above."}};
    }
}

}  // namespace threefold
