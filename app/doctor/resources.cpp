#include "engine/resources.h"

#include <fmt/format.h>

#include "app/doctor/check.h"
#include "engine/error.h"
#include "engine/model/model.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

Check failed(std::string subject, const Error& error, bool needed) {
    Check check{std::move(subject), Check::Status::missing, "", error.report().remedy, needed};
    check.found = error.report().subject;
    for (const std::string& part : {error.report().place, error.report().problem}) {
        if (!part.empty()) check.found += ": " + part;
    }
    return check;
}

}  // namespace

Check checkModel(const std::string& file) {
    try {
        const auto model =
            loadModel(file.empty() ? defaultModelFile() : std::filesystem::path(file));
        return {"model", Check::Status::ok,
                fmt::format("{}, sampler {}, {} tensors, SHA-256 {}", model->source.string(),
                            samplerName(model->sampler), model->weights.size(), model->hash),
                "", true};
    } catch (const Error& error) {
        return failed("model", error, true);
    }
}

Check checkSamples() {
    try {
        const std::filesystem::path folder = bundledSamplesFolder();
        const std::size_t count = listSamples(folder / "ShapeNetRendering").size();
        if (count > 0) {
            return {"samples", Check::Status::ok, fmt::format("{} in {}", count, folder.string()),
                    "", false};
        }
        return {"samples", Check::Status::warning, folder.string() + ": none there",
                "Name your own samples, or fetch resources/samples from the repository.", false};
    } catch (const Error& error) {
        return failed("samples", error, false);
    }
}

}  // namespace threefold
