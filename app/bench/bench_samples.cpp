#include "app/bench/bench_samples.h"

#include "app/options/add_option.h"
#include "engine/error.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/data_set.h"

namespace threefold {

Sample chosenSample(const std::string& name) {
    if (!name.empty()) return findSample(name);
    return findSample(benchSamples({}, "Name one with --sample.").front());
}

void addSamplesOption(CLI::App& command, std::filesystem::path& folder) {
    addValue(command, "--samples", folder, "FOLDER",
             "A data set: the ShapeNetRendering folder, or the one that holds it; the bundled "
             "samples if not given");
}

std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& requested,
                                                const char* remedy) {
    auto samples = requested.empty() ? bundledSamples() : listSamples(requested);
    if (samples.empty())
        throw InputError({(requested.empty() ? bundledSamplesFolder() : requested).string(), "",
                          "holds no sample", remedy});
    return samples;
}

}  // namespace threefold
