#include "engine/model/model.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/template_mesh.h"
#include "tests/support/message_of.h"
#include "tests/support/models.h"
#include "tests/support/other_models.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::bundledModelFile;
using test::messageOf;
using test::TempFolder;
using test::testModel;
using test::writeModelWithBlocks;

void expectInMessage(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(LoadModel, keepsElementTypesAndProvenance_whenBundled) {
    const std::shared_ptr<const Model> loaded = loadModel(bundledModelFile());
    const Model& model = *loaded;
    EXPECT_EQ(model.weights.size(), 217u);
    for (const auto& [name, array] : model.weights) EXPECT_EQ(array.dtype, DType::f16) << name;
    EXPECT_EQ(model.sampler, SamplerKind::bilinearPerView);
    EXPECT_EQ(model.provenance.at("format"), kModelFormat);
    EXPECT_EQ(model.provenance.at("hypothesis_radius"), "0.02");
    EXPECT_EQ(model.provenance.at("source.stage1.sha256").size(), 64u);
    EXPECT_FALSE(model.provenance.at("description").empty());
    EXPECT_EQ(model.file, bundledModelFile());
    EXPECT_EQ(model.hash, sha256(readFile(bundledModelFile())));
    EXPECT_LE(std::filesystem::file_size(bundledModelFile()), 41'000'000u);
}

/// A model file without weights, for all checks that precede the check of the weights, and for
/// messages about the first tensor that does not fit.
Safetensors smallModel() {
    return {templateToArrays(testModel()->templateMesh), testModel()->provenance};
}

std::string refusal(const std::function<void(Safetensors&)>& change) {
    const TempFolder folder;
    Safetensors content = smallModel();
    change(content);
    const auto file = folder / "model.safetensors";
    writeSafetensors(file, content);
    std::string message = messageOf<ModelError>([&] { loadModel(file); });
    expectInMessage(message, file.string());
    return message;
}

TEST(LoadModel, refusesAFile_whenItsMetadataIsMissingOrUnknown) {
    expectInMessage(refusal([](Safetensors& c) { c.metadata.clear(); }), "not a Threefold model");
    expectInMessage(refusal([](Safetensors& c) { c.metadata["format"] = "threefold-model-9"; }),
                    "'threefold-model-9'");
    expectInMessage(refusal([](Safetensors& c) { c.metadata.erase("sampler"); }), "'sampler'");
    expectInMessage(refusal([](Safetensors& c) { c.metadata["sampler"] = "cubic"; }), "'cubic'");
}

TEST(LoadModel, namesTheTensor_whenOneDoesNotFit) {
    const std::string first = "stage1.cnn.conv1.bias";
    // A model without any tensor of stage 2 counts as a model of stage 1 only.
    expectInMessage(refusal([](Safetensors&) {}),
                    "'" + first + "': is missing, expected shape [16] (and 164 more");
    expectInMessage(refusal([](Safetensors& c) {
                        c.arrays["stage2.cnn.conv1.bias"] = makeArray(std::vector<float>(16), {16});
                    }),
                    "'" + first + "': is missing, expected shape [16] (and 215 more");
    expectInMessage(
        refusal([&](Safetensors& c) { c.arrays[first] = makeArray(std::vector<float>(17), {17}); }),
        "'" + first + "': is f32 [17], expected floats of shape [16]");
    expectInMessage(refusal([&](Safetensors& c) {
                        c.arrays[first] = makeArray(std::vector<float>(16, INFINITY), {16});
                    }),
                    "'" + first + "': has a value that is infinite");
    expectInMessage(refusal([](Safetensors& c) {
                        c.arrays["another"] = makeArray(std::vector<float>(1), {1});
                    }),
                    "'another': is left over");
    // Names of a model's weights begin with their stage, which is missing here.
    expectInMessage(refusal([](Safetensors& c) {
                        c.arrays["cnn.conv1.bias"] = makeArray(std::vector<float>(16), {16});
                    }),
                    "'cnn.conv1.bias': is left over");
}

TEST(LoadModel, namesTheArray_whenTheTemplateDoesNotFit) {
    expectInMessage(refusal([](Safetensors& c) { c.arrays.erase("template.hypotheses"); }),
                    "'template.hypotheses': is missing");
    expectInMessage(refusal([](Safetensors& c) {
                        c.arrays["template.level9.faces"] = makeArray(std::vector<float>(1), {1});
                    }),
                    "'template.level9.faces': is left over");
}

TEST(LoadModel, refuses_whenTheFileIsTruncated) {
    const TempFolder folder;
    const std::vector<std::byte> whole = readFile(test::testModelFile());
    const auto file = folder / "model.safetensors";
    constexpr std::size_t kPieces = 16;
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
        SCOPED_TRACE(piece);
        // The first pieces end within the header, the others within the data.
        const std::size_t size = piece < 4 ? 5 * piece * piece : whole.size() * piece / kPieces;
        writeFileAtomically(file, std::span(whole).first(size));
        EXPECT_THROW(loadModel(file), Error);
    }
}

TEST(LoadModel, namesThePath_whenThereIsNoFile) {
    const TempFolder folder;
    expectInMessage(messageOf<IoError>([&] { loadModel(folder / "missing.safetensors"); }),
                    "missing.safetensors");
}

TEST(Sampler, isRestored_fromItsName) {
    for (SamplerKind kind : {SamplerKind::bilinearPerView, SamplerKind::nearestInFirstView})
        EXPECT_EQ(samplerFromName(samplerName(kind)), kind);
    expectInMessage(messageOf<ModelError>([] { samplerFromName("cubic"); }), "nearest-first");
}

TEST(LoadModel, refusesAModel_whenItHasTooManyHypothesisBlocks) {
    const TempFolder folder;
    writeModelWithBlocks(folder / "model.safetensors", kMaxHypothesisBlocks + 1);
    EXPECT_THAT(messageOf<ModelError>([&] { loadModel(folder / "model.safetensors"); }),
                testing::HasSubstr("has 10 hypothesis blocks, but at most 9 are supported"));
}

}  // namespace
}  // namespace threefold
