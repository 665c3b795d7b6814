// Tests that every file format of weights gives the same model.

#include <map>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/convert.h"
#include "engine/model/weight_file.h"
#include "tests/engine/model/model_fixture.h"
#include "tests/engine/model/same_template.h"
#include "tests/support/message_of.h"
#include "tests/support/models.h"
#include "tests/support/npz_writer.h"
#include "tests/support/published_weights.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tensor_bundle_writer.h"
#include "tests/support/torch_writer.h"

namespace threefold {
namespace {

using Outcome = TensorComparison::Outcome;
using test::messageOf;
using test::TempFolder;
using test::testModel;
using testing::HasSubstr;
namespace pickle = test::pickle;

ArrayMap weightsOf(int stage) {
    return test::stageWeights(*testModel(), stage == 1 ? "stage1." : "stage2.");
}

class ConvertSource : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder = std::make_unique<TempFolder>();
        for (const int stage : {1, 2})
            writeFileAtomically(*folder / fmt::format("stage{}.npz", stage),
                                std::string_view(test::npz(weightsOf(stage))));
        writeFileAtomically(*folder / "template.dat",
                            std::string_view(pickle::pickled(
                                pickle::dict(pickle::templateEntries(testModel()->templateMesh)))));
        reference = convert(npz());
    }
    static void TearDownTestSuite() { folder.reset(); }

    static ConvertSources npz() {
        ConvertSources sources;
        sources.stage1 = *folder / "stage1.npz";
        sources.stage2 = *folder / "stage2.npz";
        sources.meshTemplate = *folder / "template.dat";
        return sources;
    }

    struct Converted {
        ConvertReport report;
        Safetensors model;
    };
    static Converted convert(const ConvertSources& sources) {
        const TempFolder output;
        Converted converted{convertModel(sources, output / "model.safetensors"), {}};
        EXPECT_TRUE(converted.report.allMatched);
        if (converted.report.allMatched)
            converted.model = readSafetensors(output / "model.safetensors");
        return converted;
    }

    /// Expects equal bits, except for the metadata about the sources and about the sampler, whose
    /// choice depends on the sources.
    static void expectSameModel(const Safetensors& actual, const Safetensors& expected) {
        ASSERT_EQ(actual.arrays.size(), expected.arrays.size());
        for (const auto& [name, array] : expected.arrays) {
            ASSERT_TRUE(actual.arrays.contains(name)) << name;
            EXPECT_EQ(actual.arrays.at(name).dtype, array.dtype) << name;
            EXPECT_EQ(actual.arrays.at(name).shape, array.shape) << name;
            EXPECT_EQ(actual.arrays.at(name).data, array.data) << name;
        }
        const auto others = [](Metadata metadata) {
            for (const char* key :
                 {"source.stage1.sha256", "source.stage2.sha256", "source.stage1.format",
                  "source.stage2.format", "sampler", "sampler.reason"})
                metadata.erase(key);
            return metadata;
        };
        EXPECT_EQ(others(actual.metadata), others(expected.metadata));
    }

    static std::unique_ptr<TempFolder> folder;
    static Converted reference;
};

std::unique_ptr<TempFolder> ConvertSource::folder;
ConvertSource::Converted ConvertSource::reference;

/// TensorFlow's layout of the published checkpoints: float32, HWIO, snappy blocks, two shards, and
/// the optimiser's variables beside each tensor.
TEST_F(ConvertSource, givesTheSameModel_whenItIsATensorFlowCheckpoint) {
    const TempFolder checkpoints;
    ConvertSources sources = npz();
    for (const int stage : {1, 2}) {
        ArrayMap published = test::publishedWeights(weightsOf(stage), stage);
        const Array slot = makeArray(std::vector<float>(192), {192});
        for (const auto& [ours, theirs] : test::publishedNames(stage))
            for (const char* ending : {"/Adam", "/Adam_1"}) published[theirs + ending] = slot;
        published["beta1_power"] = makeArray(std::vector<float>{0.9F}, {});
        std::filesystem::create_directory(checkpoints / fmt::format("stage{}", stage));
        test::saveBundle(checkpoints / fmt::format("stage{}/model.ckpt-50", stage),
                         test::makeBundle(published));
    }
    sources.stage1 = checkpoints / "stage1";                      // the folder
    sources.stage2 = checkpoints / "stage2/model.ckpt-50.index";  // the index
    sources.dtype = DType::f16;
    const Converted converted = convert(sources);
    expectSameModel(converted.model, reference.model);
    EXPECT_EQ(converted.report.stage1Format, "TensorFlow checkpoint");
    EXPECT_EQ(converted.report.sampler.kind, SamplerKind::nearestInFirstView);
    EXPECT_TRUE(converted.report.sampler.isKnown);
    EXPECT_EQ(converted.model.metadata.at("sampler"), "nearest-first");

    std::size_t leftOver = 0;
    for (const TensorComparison& tensor : converted.report.tensors)
        if (tensor.outcome == Outcome::leftOver) ++leftOver;
    EXPECT_EQ(leftOver, 2 * (165U + 72U) + 2);

    // Files differ in metadata only.
    Safetensors renamed = converted.model;
    renamed.metadata = reference.model.metadata;
    EXPECT_EQ(encodeSafetensors(renamed), encodeSafetensors(reference.model));
}

TEST_F(ConvertSource, keepsOrChangesThePrecision_asChosen) {
    ConvertSources sources = npz();
    ArrayMap floats;
    for (const auto& [name, array] : weightsOf(2))
        floats[name] = makeArray(array.toFloat(), array.shape);
    writeFileAtomically(*folder / "floats.npz", std::string_view(test::npz(floats)));
    sources.stage2 = *folder / "floats.npz";
    const Converted kept = convert(sources);
    EXPECT_EQ(kept.model.arrays.at("stage1.cnn.conv1.bias").dtype, DType::f16);
    EXPECT_EQ(kept.model.arrays.at("stage2.cnn.conv1.bias").dtype, DType::f32);
    sources.dtype = DType::f16;
    expectSameModel(convert(sources).model, reference.model);

    floats.at("cnn.conv1.bias") = makeArray(std::vector<float>(16, 70000.0F), {16});
    writeFileAtomically(*folder / "large.npz", std::string_view(test::npz(floats)));
    sources.stage2 = *folder / "large.npz";
    EXPECT_THAT(messageOf<ModelError>([&] { convertModel(sources, *folder / "x"); }),
                HasSubstr("'stage2.cnn.conv1.bias': holds 70000, more than the largest float16"));
}

TEST_F(ConvertSource, givesTheSameModel_whenItIsAPyTorchArchive) {
    ArrayMap wrapped;
    for (const auto& [name, array] : weightsOf(2)) wrapped["module." + name] = array;
    wrapped["optimizer.state.0.exp_avg"] = makeArray(std::vector<float>(3), {3});
    writeFileAtomically(*folder / "stage2.pth", std::string_view(test::torchArchive(wrapped)));
    ConvertSources sources = npz();
    sources.stage2 = *folder / "stage2.pth";
    const Converted converted = convert(sources);
    expectSameModel(converted.model, reference.model);
    EXPECT_EQ(converted.report.stage2Format, "PyTorch archive");

    wrapped["model.cnn.conv1.bias"] = wrapped.at("module.cnn.conv1.bias");
    writeFileAtomically(*folder / "twice.pth", std::string_view(test::torchArchive(wrapped)));
    sources.stage2 = *folder / "twice.pth";
    EXPECT_THAT(messageOf<ModelError>([&] { convertModel(sources, *folder / "x"); }),
                HasSubstr("maps to 'stage2.cnn.conv1.bias', and so does"));
}

TEST_F(ConvertSource, givesTheSameModel_whenAnNpzHasThePublishedNames) {
    writeFileAtomically(*folder / "published.npz",
                        std::string_view(test::npz(test::publishedWeights(weightsOf(2), 2, ":0"))));
    ConvertSources sources = npz();
    sources.stage2 = *folder / "published.npz";
    sources.dtype = DType::f16;
    expectSameModel(convert(sources).model, reference.model);
}

TEST_F(ConvertSource, explainsTheChosenSampler) {
    EXPECT_EQ(reference.report.sampler.kind, SamplerKind::bilinearPerView);
    EXPECT_FALSE(reference.report.sampler.isKnown);
    EXPECT_THAT(reference.report.sampler.reason, HasSubstr("npz"));

    ConvertSources sources = npz();
    sources.samplersByHash[sha256(readFile(sources.stage1))] = SamplerKind::bilinearPerView;
    const SamplerChoice known = convert(sources).report.sampler;
    EXPECT_EQ(known.kind, SamplerKind::bilinearPerView);
    EXPECT_TRUE(known.isKnown);

    // A model file is also a source, and its metadata names the sampler.
    sources.stage1 = sources.stage2 = test::testModelFile();
    const Converted again = convert(sources);
    expectSameModel(again.model, reference.model);
    EXPECT_TRUE(again.report.sampler.isKnown);
    EXPECT_THAT(again.report.sampler.reason, HasSubstr("metadata"));

    sources.sampler = SamplerKind::nearestInFirstView;
    EXPECT_EQ(convert(sources).report.sampler.kind, SamplerKind::nearestInFirstView);
}

TEST_F(ConvertSource, completesTheTemplate_onlyWhenAsked) {
    const TemplateMesh& whole = testModel()->templateMesh;
    TemplateMesh without = whole;
    without.hypothesisOffsets.erase(without.hypothesisOffsets.begin());
    SparseMatrix graph;
    graph.rowOffsets.push_back(0);
    for (std::size_t row = 1; row < whole.hypothesisLaplacian.rows(); ++row) {
        for (std::uint32_t i = whole.hypothesisLaplacian.rowOffsets[row];
             i < whole.hypothesisLaplacian.rowOffsets[row + 1]; ++i) {
            if (whole.hypothesisLaplacian.columns[i] == 0) continue;
            graph.columns.push_back(whole.hypothesisLaplacian.columns[i] - 1);
            graph.values.push_back(0.125F);
        }
        graph.rowOffsets.push_back(static_cast<std::uint32_t>(graph.columns.size()));
    }
    pickle::Entries entries = pickle::templateEntries(without);
    entries.pop_back();  // sample_cheb_dense
    entries.emplace_back("sample_cheb", pickle::list({"N", pickle::matrix(graph)}));
    const auto file = *folder / "without_centre.dat";
    writeFileAtomically(file, std::string_view(pickle::pickled(pickle::dict(entries))));

    EXPECT_THAT(messageOf<ModelError>([&] { loadTemplate(file); }),
                HasSubstr("`complete_template`"));
    const LoadedTemplate completed = loadTemplate(file, MissingCentre::complete);
    EXPECT_TRUE(completed.centreAdded);
    EXPECT_EQ(completed.mesh.hypothesisOffsets, whole.hypothesisOffsets);
    const SparseMatrix& actual = completed.mesh.hypothesisLaplacian;
    const SparseMatrix& expected = whole.hypothesisLaplacian;
    // Compared as dense matrices, since the stored matrix may leave out zeros on the diagonal.
    const auto dense = [](const SparseMatrix& matrix) {
        std::vector<float> values(matrix.rows() * matrix.rows());
        for (std::size_t row = 0; row < matrix.rows(); ++row)
            for (std::uint32_t i = matrix.rowOffsets[row]; i < matrix.rowOffsets[row + 1]; ++i)
                values[row * matrix.rows() + matrix.columns[i]] = matrix.values[i];
        return values;
    };
    EXPECT_THAT(dense(actual), testing::Pointwise(testing::FloatNear(2e-6F), dense(expected)));

    ConvertSources sources = npz();
    sources.meshTemplate = file;
    sources.missingCentre = MissingCentre::complete;
    const Converted converted = convert(sources);
    EXPECT_TRUE(converted.report.centreAdded);
    EXPECT_EQ(converted.model.metadata.at("template.completed"), "centre hypothesis");
    EXPECT_FALSE(reference.report.centreAdded);
}

TEST(OpenWeights, namesTheKnownFormats_whenAFileHasNoneOfThem) {
    const TempFolder folder;
    writeFileAtomically(folder / "noise", std::string_view("nothing of the kind"));
    EXPECT_THAT(
        messageOf<NotThisFormat>([&] { openWeights(folder / "noise"); }),
        HasSubstr("neither an npz, a safetensors file, a PyTorch archive nor a TensorFlow"));
    EXPECT_THROW(openWeights(folder / "none"), IoError);
    EXPECT_THROW(openWeights(folder.path()), Error);
    writeFileAtomically(folder / "model.ckpt",
                        std::string_view(test::sortedTable({{"", test::protobufBytes(1, "")}})));
    EXPECT_THAT(messageOf<FormatError>([&] { openWeights(folder / "model.ckpt"); }), HasSubstr(""));
}

TEST(FloatToHalf, roundsToTheNearest_andBack) {
    for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if ((half & 0x7c00U) == 0x7c00U && (half & 0x3ffU) != 0) continue;
        ASSERT_EQ(floatToHalf(halfToFloat(half)), half) << bits;
    }
    EXPECT_EQ(floatToHalf(1 + 1.0F / 2048), 0x3c00U);  // a tie, rounded down to even
    EXPECT_EQ(floatToHalf(1 + 3.0F / 2048), 0x3c02U);  // a tie, rounded up to even
    EXPECT_EQ(floatToHalf(1 + 1.001F / 2048), 0x3c01U);
    EXPECT_EQ(floatToHalf(65519.0F), 0x7bffU);
    EXPECT_EQ(floatToHalf(65520.0F), 0x7c00U);
    EXPECT_EQ(floatToHalf(-1e30F), 0xfc00U);
    EXPECT_EQ(floatToHalf(0x1p-25F), 0U);  // half of the smallest number, rounded to even
    EXPECT_EQ(floatToHalf(0x1.8p-25F), 1U);
    EXPECT_EQ(floatToHalf(-0.0F), 0x8000U);
    EXPECT_EQ(floatToHalf(NAN) & 0x7e00U, 0x7e00U);
}

}  // namespace
}  // namespace threefold
