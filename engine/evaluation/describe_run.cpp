#include "engine/evaluation/describe_run.h"

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/compute/parallel.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/network/onednn.h"
#include "engine/network/precision.h"
#include "engine/sample/data_set.h"
#include "engine/system/processor.h"
#include "engine/units.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// The first runs on a GPU tune its libraries; on the processor only the first run is slow.
constexpr int kGpuWarmUp = 15;
constexpr int kProcessorWarmUp = 1;

std::string now() {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%SZ}",
        fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string memorySize() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) return {};
    return fmt::format("{:.1f} GiB", static_cast<double>(pages) * static_cast<double>(pageBytes) /
                                         static_cast<double>(kBytesPerGibibyte));
}

/// PRETTY_NAME of os-release(5), without quotes.
std::string distribution() {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    std::ifstream stream("/etc/os-release");
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(kKey)) continue;
        std::string name = line.substr(kKey.size());
        std::erase_if(name, [](char c) { return c == '"' || c == '\''; });
        return name;
    }
    return {};
}

std::string systemName() {
    std::string name = distribution();
    utsname kernel{};
    if (::uname(&kernel) != 0) return name;
    if (!name.empty()) name += ", ";
    return name + kernel.sysname + " " + kernel.release;
}

constexpr const char* kTruthFolder = "gt";

fs::path withoutLastSlash(const fs::path& folder) {
    if (folder.empty()) return {};
    const fs::path path = absolutePath(folder).lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

/// Path without links, in the form in which a journal gives it back (afterRoundTrip()), so that
/// each folder has one path only. Empty if the path is empty or cannot be resolved.
std::string canonicalFolder(const fs::path& folder) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(withoutLastSlash(folder), error);
    return error ? std::string() : afterRoundTrip(canonical.string());
}

}  // namespace

RunChoices choicesOf(const RunDescription& description) {
    const RunIdentity& identity = description.identity;
    RunChoices choices{identity.measures, description.shard, description.warmUpRuns};
    if (identity.fit) choices.fit = fitRequestFromName(*identity.fit);
    choices.truthPoints = identity.truthPoints.value_or(0);
    choices.measureOnDevice = description.measuringDevice == MeasuringDevice::gpu;
    return choices;
}

RunFolders runFolders(const EvaluationList& list, const fs::path& imageRoot,
                      const fs::path& truthRoot) {
    fs::path images = imageRoot.empty() ? list.imageRoot : imageRoot;
    if (images.empty() && isFolder(list.source)) images = list.source;
    if (!images.empty() && isFolder(images / kShapeNetRenderingFolder))
        images /= kShapeNetRenderingFolder;
    images = withoutLastSlash(images);
    // findSample() looks for truths in the same folders.
    fs::path truths = truthRoot;
    if (!truths.empty() && isFolder(truths / kTruthFolder)) truths /= kTruthFolder;
    if (truths.empty() && !images.empty())
        for (const fs::path& folder : {images.parent_path() / kTruthFolder, images / kTruthFolder})
            if (truths.empty() && isFolder(folder)) truths = folder;
    return {canonicalFolder(images), canonicalFolder(truths)};
}

RunDescription describeRun(const EvaluationList& list, const RunChoices& choices,
                           const NetworkInfo& network, const MachineDescription& machine) {
    const bool gpu = network.kind->usesGpu;
    const Model& model = *network.model;
    RunDescription description;
    RunIdentity& identity = description.identity;
    identity.version = THREEFOLD_VERSION;
    identity.listHash = list.hash;
    identity.listSize = list.entries.size();
    identity.modelHash = model.hash;
    identity.sampler = samplerName(model.sampler);
    identity.backend = network.kind->name;
    identity.precision = precisionName(network.precision);
    identity.measures = choices.measures;
    if (choices.fit) identity.fit = fitRequestName(*choices.fit);
    if (choices.truthPoints > 0) identity.truthPoints = choices.truthPoints;
    description.shard = choices.shard;
    description.list = list.source;
    description.modelFile = model.file.string();
    description.backendDescription = network.description;
    if (gpu && choices.measureOnDevice) description.measuringDevice = MeasuringDevice::gpu;
    description.warmUpRuns = choices.warmUpRuns >= 0 ? choices.warmUpRuns
                             : gpu                   ? kGpuWarmUp
                                                     : kProcessorWarmUp;
    description.machines = {machine};
    description.startedAt = now();
    return description;
}

MachineDescription describeMachine(int threads, const GpuDescription* gpu) {
    MachineDescription machine{.processor = processorName(),
                               .instructions = onednn::instructions(),
                               .threads = resolveThreadCount(threads),
                               .memory = memorySize(),
                               .system = systemName(),
                               .gpu = {},
                               .driver = {},
                               .libraries = "oneDNN " + onednn::version()};
    if (gpu != nullptr) {
        machine.gpu = gpu->name;
        machine.driver = gpu->driver;
        machine.libraries = gpu->libraries + ", " + machine.libraries;
    }
    return machine;
}

}  // namespace threefold
