#include "engine/model/convert.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/npz.h"
#include "engine/formats/safetensors.h"
#include "engine/model/template_arrays.h"

namespace threefold {
namespace {

/// Rises when the same sources would give other bytes.
constexpr const char* kConverterVersion = "1";

ArrayMap readArrays(const std::filesystem::path& file) {
    try {
        return readNpz(file);
    } catch (const NotThisFormat&) {
    }
    try {
        return readSafetensors(file).arrays;
    } catch (const NotThisFormat&) {
        throw NotThisFormat({file.string(), "", "is neither an npz nor a safetensors file",
                             "Give the published weights in one of these formats."});
    }
}

void addWeights(ArrayMap& weights, const char* prefix, const std::filesystem::path& file) {
    for (auto& [name, array] : readArrays(file)) weights[prefix + name] = std::move(array);
}

std::string hashOf(const std::filesystem::path& file) {
    return sha256(MappedFile(file).bytes());
}

Metadata makeMetadata(const ConvertSources& sources, const TemplateMesh& mesh) {
    float radius = 0;
    for (const glm::vec3& offset : mesh.hypotheses) radius = std::max(radius, glm::length(offset));
    Metadata metadata = {
        {"format", std::string(kModelFormat)},
        {"sampler", std::string(samplerName(sources.sampler))},
        {"hypothesis_radius", fmt::format("{:.6g}", radius)},
        {"converter", kConverterVersion},
        {"source.stage1.sha256", hashOf(sources.stage1)},
        {"source.stage2.sha256", hashOf(sources.stage2)},
        {"source.template.sha256", hashOf(sources.meshTemplate)},
    };
    if (!sources.description.empty()) metadata["description"] = sources.description;
    return metadata;
}

}  // namespace

ConvertReport convertModel(const ConvertSources& sources, const std::filesystem::path& output) {
    using Outcome = ConvertedTensor::Outcome;
    const TemplateMesh mesh = readTemplate(sources.meshTemplate);
    const WeightShapes expected = expectedWeights(mesh);
    ArrayMap weights;
    addWeights(weights, "stage1.", sources.stage1);
    addWeights(weights, "stage2.", sources.stage2);

    ConvertReport report;
    report.tensors = compareWeights(weights, expected);
    report.complete = std::all_of(
        report.tensors.begin(), report.tensors.end(), [](const ConvertedTensor& tensor) {
            return tensor.outcome == Outcome::matched || tensor.outcome == Outcome::leftOver;
        });
    if (!report.complete) return report;

    std::erase_if(weights, [&](const auto& entry) { return !expected.contains(entry.first); });
    Safetensors content{std::move(weights), makeMetadata(sources, mesh)};
    content.arrays.merge(templateToArrays(mesh));
    writeSafetensors(output, content);
    return report;
}

}  // namespace threefold
