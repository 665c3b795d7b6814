#include "app/options/sample_list.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"

namespace threefold {

std::vector<NamedSample> expandSamples(const std::vector<std::string>& given) {
    std::vector<NamedSample> samples;
    for (const std::string& name : given) {
        if (!isTestList(name)) {
            samples.push_back({name});
            continue;
        }
        for (ListedName& listed : readTestList(name))
            samples.push_back(
                {std::move(listed.name), fmt::format("{}, line {}", name, listed.line)});
    }
    if (samples.empty()) {
        throw InputError({given.empty() ? "samples" : given.front(), "", "names no sample",
                          "Write one name a line, such as 02691156_p0001_00.dat."});
    }
    return samples;
}

Sample findNamed(const NamedSample& sample, SampleRequest request) try {
    request.location = sample.name;
    return findSample(request);
} catch (const InputError& error) {
    if (sample.listed.empty()) throw;
    const ErrorReport& report = error.report();
    std::error_code unknown;
    const bool missing =
        report.subject == sample.name && !std::filesystem::exists(sample.name, unknown);
    throw InputError(
        {sample.listed, "",
         missing ? fmt::format("sample '{}' not found", sample.name)
                 : fmt::format("sample '{}': {}: {}", sample.name, report.subject, report.problem),
         report.remedy});
}

std::vector<NetworkInput> calibrationSamples(const ModelOptions& options) {
    std::vector<NetworkInput> inputs;
    if (options.calibration.empty()) return inputs;
    for (const NamedSample& named : expandSamples(options.calibration)) {
        const Sample sample = findNamed(named, {{}, options.calibrationImages});
        inputs.push_back(loadViews(sample, kPublishedViews));
    }
    return inputs;
}

}  // namespace threefold
