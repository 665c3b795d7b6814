#include "engine/model/model.h"

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/tensors/safetensors.h"

namespace threefold {
namespace {

constexpr std::pair<SamplerKind, std::string_view> kSamplerNames[] = {
    {SamplerKind::bilinearPerView, "bilinear-each"},
    {SamplerKind::nearestInFirstView, "nearest-first"},
};

const std::string& require(const Metadata& metadata, std::string_view key,
                           const std::string& subject) {
    const auto it = metadata.find(std::string(key));
    if (it == metadata.end())
        throw ModelError({subject, fmt::format("metadata '{}'", key),
                          "is missing: this safetensors file is not a Threefold model",
                          "Make a model file from published weights with `threefold convert`."});
    return it->second;
}

void requireFormat(const Metadata& metadata, const std::string& subject) {
    const std::string& format = require(metadata, "format", subject);
    if (format != kModelFormat)
        throw ModelError({subject, "metadata 'format'",
                          fmt::format("is '{}', expected '{}'", format, kModelFormat),
                          "Make the file again with this version's `threefold convert`."});
}

std::optional<SamplerKind> findSampler(std::string_view name) {
    for (const auto& [kind, candidate] : kSamplerNames)
        if (candidate == name) return kind;
    return std::nullopt;
}

SamplerKind readSampler(const Metadata& metadata, const std::string& subject) {
    const std::string& name = require(metadata, "sampler", subject);
    if (const std::optional<SamplerKind> kind = findSampler(name)) return *kind;
    throw ModelError({subject, "metadata 'sampler'",
                      fmt::format("is '{}', which is not known", name),
                      "Make the file again with this version's `threefold convert`."});
}

/// Throws ModelError for the first tensor that does not fit, with the number of further ones.
void requireMatched(const std::vector<TensorComparison>& tensors, const std::string& subject) {
    using Outcome = TensorComparison::Outcome;
    const auto fails = [](Outcome outcome) { return outcome != Outcome::matched; };
    const auto first = std::ranges::find_if(tensors, fails, &TensorComparison::outcome);
    if (first == tensors.end()) return;
    std::string problem = "has a value that is infinite or not a number";
    if (first->outcome == Outcome::missing)
        problem = fmt::format("is missing, expected shape {}", first->expected);
    if (first->outcome == Outcome::leftOver)
        problem = fmt::format("is left over ({}): no such tensor is known", first->found);
    if (first->outcome == Outcome::wrongShape)
        problem = fmt::format("is {}, expected floats of shape {}", first->found, first->expected);
    const auto failing = std::ranges::count_if(tensors, fails, &TensorComparison::outcome);
    if (failing > 1) problem += fmt::format(" (and {} more do not fit either)", failing - 1);
    throw ModelError({subject, fmt::format("tensor '{}'", first->name), problem,
                      "Make the file again with `threefold convert`, which lists every tensor."});
}

}  // namespace

std::string_view samplerName(SamplerKind kind) {
    for (const auto& [value, name] : kSamplerNames)
        if (value == kind) return name;
    return "";
}

SamplerKind samplerFromName(std::string_view name) {
    if (const std::optional<SamplerKind> kind = findSampler(name)) return *kind;
    throw ModelError({fmt::format("sampler '{}'", name), "", "is not known",
                      "Choose 'bilinear-each' or 'nearest-first'."});
}

std::shared_ptr<const Model> loadModel(const std::filesystem::path& file) {
    const std::string subject = file.string();
    // Reads only the header, so that large files of other kinds are refused quickly.
    requireFormat(readSafetensorsHeader(file).metadata, subject);
    // Hashing takes as long as reading and checking, so both run in parallel.
    std::future<std::string> hash =
        std::async(std::launch::async, [&file] { return MappedFile(file).decode(sha256); });

    Safetensors content = readSafetensors(file);

    auto model = std::make_shared<Model>();
    model->sampler = readSampler(content.metadata, subject);
    ArrayMap templateArrays;
    for (auto it = content.arrays.begin(); it != content.arrays.end();) {
        auto node = content.arrays.extract(it++);
        ArrayMap& target =
            node.key().starts_with(kTemplatePrefix) ? templateArrays : model->weights;
        target.insert(std::move(node));
    }
    model->templateMesh = templateFromArrays(templateArrays, subject);
    const std::size_t blocks = hypothesisBlocksIn(model->weights);
    if (blocks > kMaxHypothesisBlocks)
        throw ModelError({subject, "stage 2",
                          fmt::format("has {} hypothesis blocks, but at most {} are supported",
                                      blocks, kMaxHypothesisBlocks),
                          "Use a model with fewer blocks."});
    model->stages = meshStages(model->templateMesh.levels.size(), blocks);
    requireMatched(compareWeights(model->weights, expectedWeights(model->templateMesh, blocks)),
                   subject);
    model->provenance = std::move(content.metadata);
    model->file = file;
    model->hash = hash.get();
    return model;
}

}  // namespace threefold
