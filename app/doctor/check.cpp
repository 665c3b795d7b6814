#include "app/doctor/check.h"

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/resources.h"
#include "engine/sample/sample.h"

namespace threefold {

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

}  // namespace threefold
