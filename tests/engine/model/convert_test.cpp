#include "engine/model/convert.h"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/engine/model/model_fixture.h"
#include "tests/engine/model/same_template.h"
#include "tests/support/message_of.h"
#include "tests/support/models.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using Outcome = TensorComparison::Outcome;
using test::messageOf;
using test::TempFolder;
using test::testModel;
namespace pickle = test::pickle;

/// Fixture with the sources from which the test model could be converted.
class Convert : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        sourceFolder = std::make_unique<TempFolder>();
        writeSafetensors(sources().stage1, {test::stageWeights(*testModel(), "stage1."), {}});
        writeSafetensors(sources().stage2, {test::stageWeights(*testModel(), "stage2."), {}});
        writeFileAtomically(
            sources().meshTemplate,
            pickle::pickled(pickle::dict(pickle::templateEntries(testModel()->templateMesh))));
    }
    static void TearDownTestSuite() { sourceFolder.reset(); }

    static ConvertSources sources() {
        return {*sourceFolder / "stage1.safetensors", *sourceFolder / "stage2.safetensors",
                *sourceFolder / "template.dat", SamplerKind::nearestInFirstView, "taken apart"};
    }

    /// Result of a conversion after `change` to the weights of stage 2, with the outcomes of the
    /// tensors that are not `matched`.
    struct Result {
        std::map<std::string, Outcome> outcomes;
        bool complete;
        bool written;
    };
    static Result convertChanged(const std::function<void(ArrayMap&)>& change) {
        const TempFolder folder;
        ArrayMap weights = test::stageWeights(*testModel(), "stage2.");
        change(weights);
        ConvertSources changed = sources();
        changed.stage2 = folder / "stage2.safetensors";
        writeSafetensors(changed.stage2, {weights, {}});
        const auto output = folder / "model.safetensors";
        const ConvertReport report = convertModel(changed, output);
        Result result{{}, report.allMatched, std::filesystem::exists(output)};
        for (const TensorComparison& tensor : report.tensors)
            if (tensor.outcome != Outcome::matched) result.outcomes[tensor.name] = tensor.outcome;
        return result;
    }

    static std::unique_ptr<TempFolder> sourceFolder;
};

std::unique_ptr<TempFolder> Convert::sourceFolder;

TEST_F(Convert, keepsEverything_whenSourcesAreWhole) {
    const TempFolder folder;
    const auto output = folder / "model.safetensors";
    const ConvertReport report = convertModel(sources(), output);
    EXPECT_TRUE(report.allMatched);
    EXPECT_EQ(report.tensors.size(), 217u);

    const std::shared_ptr<const Model> model = loadModel(output);
    EXPECT_EQ(model->sampler, SamplerKind::nearestInFirstView);
    EXPECT_EQ(model->provenance.at("description"), "taken apart");
    EXPECT_EQ(model->provenance.at("source.stage2.sha256"), sha256(readFile(sources().stage2)));
    test::expectSame(model->templateMesh, testModel()->templateMesh);
    ASSERT_EQ(model->weights.size(), testModel()->weights.size());
    for (const auto& [name, array] : model->weights) {
        EXPECT_EQ(array.dtype, DType::f16);
        EXPECT_EQ(array.data, testModel()->weights.at(name).data) << name;
    }
}

TEST_F(Convert, givesTheSameBytes_whenDoneTwice) {
    const TempFolder folder;
    convertModel(sources(), folder / "a.safetensors");
    convertModel(sources(), folder / "b.safetensors");
    EXPECT_EQ(readFile(folder / "a.safetensors"), readFile(folder / "b.safetensors"));
}

TEST_F(Convert, writesNothing_whenTensorsDoNotFit) {
    const Result result = convertChanged([](ArrayMap& weights) {
        weights.erase("drb1.local_conv3.bias");
        weights.at("drb2.local_conv3.bias").shape = {192, 1};
        weights.at("cnn.conv1.bias") = makeArray(std::vector<float>(16, std::nanf("")), {16});
        weights["extra"] = makeArray(std::vector<float>{1}, {1});
    });
    EXPECT_FALSE(result.complete);
    EXPECT_FALSE(result.written);
    EXPECT_EQ(result.outcomes,
              (std::map<std::string, Outcome>{{"stage2.drb1.local_conv3.bias", Outcome::missing},
                                              {"stage2.drb2.local_conv3.bias", Outcome::wrongShape},
                                              {"stage2.cnn.conv1.bias", Outcome::notFinite},
                                              {"stage2.extra", Outcome::leftOver}}));
}

TEST_F(Convert, ignoresTensors_whenTheyAreNotNeeded) {
    const TempFolder folder;
    ArrayMap weights = test::stageWeights(*testModel(), "stage2.");
    weights["cnn.conv9.bias"] = makeArray(std::vector<float>(128), {128});
    ConvertSources changed = sources();
    changed.stage2 = folder / "stage2.safetensors";
    writeSafetensors(changed.stage2, {weights, {}});
    EXPECT_TRUE(convertModel(changed, folder / "model.safetensors").allMatched);
    EXPECT_EQ(loadModel(folder / "model.safetensors")->weights.size(), 217u);
}

TEST_F(Convert, keepsTheOldModel_whenSourcesAreUnusable) {
    const TempFolder folder;
    const auto output = folder / "model.safetensors";
    writeFileAtomically(output, std::string_view("what was there"));
    writeFileAtomically(folder / "noise", std::string_view("neither of the two formats"));
    ConvertSources changed = sources();
    changed.stage1 = folder / "noise";
    EXPECT_NE(messageOf<NotThisFormat>([&] { convertModel(changed, output); }).find("noise"),
              std::string::npos);
    changed.stage1 = folder / "missing.npz";
    EXPECT_THROW(convertModel(changed, output), IoError);
    changed = sources();
    changed.meshTemplate = folder / "noise";
    EXPECT_THROW(convertModel(changed, output), Error);
    changed = sources();
    changed.stage1 = sources().stage2;
    EXPECT_FALSE(convertModel(changed, output).allMatched);
    EXPECT_EQ(readFile(output).size(), std::string_view("what was there").size());
}

}  // namespace
}  // namespace threefold
