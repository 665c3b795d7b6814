#include "engine/model/convert.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/tensors/npy.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/published_names.h"
#include "engine/model/template_mesh.h"
#include "engine/model/weight_file.h"
#include "engine/resources.h"

namespace threefold {
namespace {

/// Version of the converter; increased when the same sources give other bytes than before.
constexpr const char* kConverterVersion = "2";

/// Target name and layout of a tensor of a file.
struct Target {
    std::string name;  ///< without the stage's prefix
    bool isHwio = false;
    bool published = false;
};

Target targetOf(const std::string& name, NetworkStage stage) {
    if (const auto published = parsePublishedName(name)) {
        // A checkpoint may hold both stages: tensors of the other stage count as left over.
        if (published->stage != stage) return {name, false, true};
        return {published->name, published->isHwio, true};
    }
    return {std::string(withoutPrefixes(name, stage)), false, false};
}

std::string prefixOf(NetworkStage stage) {
    return stage == NetworkStage::stage1 ? "stage1." : "stage2.";
}

/// Number of a file's tensors that belong to the stage.
std::ptrdiff_t countStageTensors(const WeightFile& file, NetworkStage stage,
                                 const WeightShapes& expected) {
    return std::ranges::count_if(file.entries, [&](const auto& entry) {
        return expected.contains(prefixOf(stage) + targetOf(entry.first, stage).name);
    });
}

/// Throws InputError if the files are swapped: an error about missing tensors would not name this
/// cause. A checkpoint of both stages may be given as both files.
void requireNotSwapped(const WeightFile& file1, const WeightFile& file2,
                       const WeightShapes& expected, const ConvertSources& sources) {
    const auto fitsBetter = [&](const WeightFile& file, NetworkStage stage, NetworkStage other) {
        return countStageTensors(file, stage, expected) > countStageTensors(file, other, expected);
    };
    if (!fitsBetter(file1, NetworkStage::stage2, NetworkStage::stage1) ||
        !fitsBetter(file2, NetworkStage::stage1, NetworkStage::stage2))
        return;
    throw InputError(
        {sources.stage1.string(), "",
         fmt::format("holds the weights of stage 2, and {} holds the weights of stage 1",
                     sources.stage2.string()),
         "Exchange the two files."});
}

/// Transposes [height, width, in, out] to [out, in, height, width]. Returns arrays of another rank
/// unchanged; they are refused later.
Array fromHwio(Array kernel) {
    const std::vector<std::size_t>& shape = kernel.shape;
    if (shape.size() != 4) return kernel;
    const NumpyLayout layout{
        {kernel.dtype, false}, {shape[3], shape[2], shape[0], shape[1]}, {2, 3, 1, 0}};
    return *arrayFromNumpy(layout, kernel.data);
}

/// Tensors of a stage's file, matched with the expected ones.
struct StageWeights {
    ArrayMap found;  ///< expected tensors, by our names
    /// Tensors that are unexpected or whose type Array does not support, named by the stage's
    /// prefix and their name in the file.
    std::vector<TensorComparison> leftOver;
    std::size_t published = 0;  ///< number of found tensors with published names
};

std::string foundText(const WeightEntry& entry) {
    return fmt::format("{} {}", entry.type, shapeText(entry.shape));
}

StageWeights readStage(const WeightFile& file, NetworkStage stage, const WeightShapes& expected,
                       const std::filesystem::path& path) {
    const std::string prefix = prefixOf(stage);
    StageWeights weights;
    std::map<std::string, std::string> sourceNames;
    for (const auto& [name, entry] : file.entries) {
        const Target target = targetOf(name, stage);
        const std::string ours = prefix + target.name;
        if (!expected.contains(ours) || !entry.dtype) {
            weights.leftOver.push_back(
                {prefix + name, foundText(entry), "", TensorComparison::Outcome::leftOver});
            continue;
        }
        const auto [source, isNew] = sourceNames.emplace(ours, name);
        if (!isNew)
            throw ModelError({path.string(), fmt::format("tensor '{}'", name),
                              fmt::format("maps to '{}', and so does '{}'", ours, source->second),
                              "Save only one of them."});
        Array array = file.read(name);
        weights.found.emplace(ours, target.isHwio ? fromHwio(std::move(array)) : std::move(array));
        if (target.published) ++weights.published;
    }
    return weights;
}

SamplerChoice chooseSampler(const ConvertSources& sources, const WeightFile& stage1,
                            const StageWeights& weights, const std::string& hash) {
    if (sources.sampler) return {*sources.sampler, true, "the user chose it"};
    const Metadata& metadata = stage1.metadata;
    if (const auto entry = metadata.find("sampler"); entry != metadata.end())
        return {samplerFromName(entry->second), true, "stage 1's file names it in its metadata"};
    if (const auto known = sources.samplersByHash.find(hash); known != sources.samplersByHash.end())
        return {known->second, true, "stage 1's file is the one that the bundled model is made of"};
    if (weights.published > 0)
        return {SamplerKind::nearestInFirstView, true,
                "stage 1's tensors have the names of the published TensorFlow code, whose weights "
                "were trained with this sampler"};
    return {SamplerKind::bilinearPerView, false,
            fmt::format(
                "stage 1's file ({}) does not name it, and the names of its tensors do not tell "
                "whether these are the published weights",
                stage1.format)};
}

void convertPrecision(Array& array, DType type, const std::string& name,
                      const std::filesystem::path& output) {
    if (array.dtype == type) return;
    const std::vector<float> values = array.toFloat();
    if (type == DType::f32) {
        array = makeArray(values, array.shape);
        return;
    }
    Array halves{DType::f16, array.shape, {}};
    halves.data.reserve(2 * values.size());
    for (const float value : values) {
        const std::uint16_t bits = floatToHalf(value);
        if ((bits & 0x7fffU) == 0x7c00U)
            throw ModelError(
                {output.string(), fmt::format("tensor '{}'", name),
                 fmt::format("holds {}, more than the largest float16 ({})", value, 65504),
                 "Convert to float32 (`dtype=f32`)."});
        halves.data.push_back(static_cast<std::byte>(bits & 0xffU));
        halves.data.push_back(static_cast<std::byte>(bits >> 8U));
    }
    array = std::move(halves);
}

float hypothesisRadius(const TemplateMesh& mesh) {
    float radius = 0;
    for (const glm::vec3& offset : mesh.hypothesisOffsets)
        radius = std::max(radius, glm::length(offset));
    return radius;
}

}  // namespace

ConvertReport convertModel(const ConvertSources& sources, const std::filesystem::path& output) {
    const LoadedTemplate loaded = loadTemplate(sources.meshTemplate, sources.missingCentre);
    const WeightShapes expected = expectedWeights(loaded.mesh);
    const std::unique_ptr<const WeightFile> opened1 = openWeights(sources.stage1);
    const std::unique_ptr<const WeightFile> opened2 = openWeights(sources.stage2);
    const WeightFile& file1 = *opened1;
    const WeightFile& file2 = *opened2;
    requireNotSwapped(file1, file2, expected, sources);
    StageWeights stage1 = readStage(file1, NetworkStage::stage1, expected, sources.stage1);
    StageWeights stage2 = readStage(file2, NetworkStage::stage2, expected, sources.stage2);

    const std::string hash1 = file1.hash();
    ConvertReport report;
    report.sampler = chooseSampler(sources, file1, stage1, hash1);
    report.stage1Format = file1.format;
    report.stage2Format = file2.format;
    report.centreAdded = loaded.centreAdded;
    ArrayMap weights = std::move(stage1.found);
    weights.merge(stage2.found);
    report.tensors = compareWeights(weights, expected);
    report.allMatched = std::ranges::all_of(report.tensors, [](const TensorComparison& t) {
        return t.outcome == TensorComparison::Outcome::matched;
    });
    for (StageWeights* stage : {&stage1, &stage2})
        std::move(stage->leftOver.begin(), stage->leftOver.end(),
                  std::back_inserter(report.tensors));
    std::ranges::sort(report.tensors, {}, &TensorComparison::name);
    if (!report.allMatched) return report;

    if (sources.dtype)
        for (auto& [name, array] : weights) convertPrecision(array, *sources.dtype, name, output);
    Metadata metadata = {
        {"format", std::string(kModelFormat)},
        {"sampler", std::string(samplerName(report.sampler.kind))},
        {"sampler.reason", report.sampler.reason},
        {"hypothesis_radius", fmt::format("{:.6g}", hypothesisRadius(loaded.mesh))},
        {"converter", kConverterVersion},
        {"source.stage1.format", file1.format},
        {"source.stage2.format", file2.format},
        {"source.stage1.sha256", hash1},
        {"source.stage2.sha256", file2.hash()},
        {"source.template.sha256", MappedFile(sources.meshTemplate).decode(sha256)},
    };
    if (loaded.centreAdded) metadata["template.completed"] = "centre hypothesis";
    if (!sources.description.empty()) metadata["description"] = sources.description;
    Safetensors content{std::move(weights), std::move(metadata)};
    content.arrays.merge(templateToArrays(loaded.mesh));
    writeSafetensors(output, content);
    return report;
}

void addKnownWeights(ConvertSources& sources) {
    try {
        const Metadata metadata = readSafetensorsHeader(defaultModelFile()).metadata;
        const auto hash = metadata.find("source.stage1.sha256");
        const auto sampler = metadata.find("sampler");
        if (hash != metadata.end() && sampler != metadata.end())
            sources.samplersByHash[hash->second] = samplerFromName(sampler->second);
    } catch (const Error&) {
        // No bundled model.
    }
}

}  // namespace threefold
