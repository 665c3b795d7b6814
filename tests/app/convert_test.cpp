#include <algorithm>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/convert/self_test.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/model.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/support/models.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/published_weights.h"
#include "tests/support/tensor_bundle_writer.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string pickledPoints(const Points& points) {
    std::vector<float> values;
    for (const glm::vec3& point : points) values.insert(values.end(), {point.x, point.y, point.z});
    return pickle::array("f4", values, {points.size(), 3});
}

std::string pickledMatrix(const SparseMatrix& matrix) {
    std::vector<std::int64_t> indices;
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        for (std::size_t i = matrix.rowOffsets[row]; i < matrix.rowOffsets[row + 1]; ++i) {
            indices.push_back(static_cast<std::int64_t>(row));
            indices.push_back(matrix.columns[i]);
        }
    }
    const auto size = pickle::integer(static_cast<std::int32_t>(matrix.rows()));
    return pickle::tuple({pickle::array("i8", indices, {matrix.values.size(), 2}),
                          pickle::array("f4", matrix.values, {matrix.values.size()}),
                          pickle::tuple({size, size})});
}

template <typename Vectors>
std::string pickledIndices(const Vectors& vectors) {
    std::vector<std::int32_t> values;
    constexpr int kColumns = Vectors::value_type::length();
    for (const auto& vector : vectors) {
        for (int i = 0; i < kColumns; ++i) values.push_back(static_cast<std::int32_t>(vector[i]));
    }
    return pickle::array("i4", values, {vectors.size(), static_cast<std::size_t>(kColumns)});
}

/// The template of a model as a pickle, in the layout of the published template file.
std::string pickledTemplate(const TemplateMesh& mesh) {
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<std::string> faces;
    std::vector<std::string> pools;
    for (std::size_t i = 0; i < mesh.levels.size(); ++i) {
        const TemplateLevel& level = mesh.levels[i];
        const std::string laplacian = pickledMatrix(level.laplacian);
        entries.emplace_back("stage" + std::to_string(i + 1), pickle::list({"N", laplacian}));
        faces.push_back(pickledIndices(level.faces));
        if (i + 1 < mesh.levels.size()) pools.push_back(pickledIndices(level.unpoolEdges));
    }
    entries.emplace_back("coord", pickledPoints(mesh.vertices));
    entries.emplace_back("faces_triangle", pickle::list(faces));
    entries.emplace_back("pool_idx", pickle::list(pools));
    entries.emplace_back("sample_coord", pickledPoints(mesh.hypothesisOffsets));
    entries.emplace_back("sample_cheb",
                         pickle::list({"N", pickledMatrix(mesh.hypothesisLaplacian)}));
    return pickle::pickled(pickle::dict(entries));
}

/// Folder with the input of `convert` for the test model: weights of both stages and template.
class Convert : public testing::Test {
  protected:
    void SetUp() override {
        for (const std::string stage : {"stage1", "stage2"}) {
            Safetensors content;
            for (const auto& [name, array] : testModel()->weights) {
                if (name.rfind(stage + '.', 0) == 0) {
                    content.arrays.emplace(name.substr(stage.size() + 1), array);
                }
            }
            writeSafetensors(folder_ / (stage + ".safetensors"), content);
        }
        writeFileAtomically(folder_ / "template.dat",
                            std::string_view(pickledTemplate(testModel()->templateMesh)));
    }

    std::string path(const char* name) const { return (folder_ / name).string(); }

    ProcessResult convert(const std::string& output) const {
        return runThreefold({"convert", "--stage1", path("stage1.safetensors"), "--stage2",
                             path("stage2.safetensors"), "--template", path("template.dat"),
                             "--description", "for a test", "-o", output});
    }

    TempFolder folder_;
};

TEST_F(Convert, makesTheSameUsableModel_whenRunTwice) {
    for (const char* name : {"a.safetensors", "b.safetensors"}) {
        const ProcessResult result = convert(path(name));
        ASSERT_EQ(result.exitCode, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr("matched"));
        EXPECT_THAT(result.output, HasSubstr(sha256(readFile(path(name)))));
    }
    EXPECT_EQ(readFile(path("a.safetensors")), readFile(path("b.safetensors")));

    const auto made = loadModel(path("a.safetensors"));
    ASSERT_EQ(made->weights.size(), testModel()->weights.size());
    for (const auto& [name, array] : testModel()->weights) {
        EXPECT_EQ(made->weights.at(name).data, array.data) << name;
    }
    EXPECT_EQ(made->templateMesh.levels[2].laplacian.values,
              testModel()->templateMesh.levels[2].laplacian.values);
}

TEST_F(Convert, writesNothingAndNamesTheTensor_whenOneIsMissing) {
    Safetensors content = readSafetensors(path("stage2.safetensors"));
    const std::string gone = content.arrays.begin()->first;
    content.arrays.erase(gone);
    content.arrays.emplace("unheard.of", makeArray(std::vector<float>{1.0F}, {1}));
    writeSafetensors(path("stage2.safetensors"), content);
    const ProcessResult result = convert(path("out.safetensors"));
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, testing::ContainsRegex("missing +stage2." + gone));
    EXPECT_THAT(result.output, testing::ContainsRegex("left over .*unheard.of"));
    EXPECT_THAT(result.errors, HasSubstr("out.safetensors"));
    EXPECT_FALSE(std::filesystem::exists(path("out.safetensors")));
}

TEST_F(Convert, keepsTheOldModel_whenTheTemplateIsRefused) {
    constexpr std::string_view kOld = "12345678{precious}";  // begins as a model does
    writeFileAtomically(path("out.safetensors"), kOld);
    writeFileAtomically(path("template.dat"), std::string_view("cos\nsystem\n(S'true'\ntR."));
    const ProcessResult result = convert(path("out.safetensors"));
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("os.system"));
    EXPECT_EQ(readFile(path("out.safetensors")).size(), kOld.size());
}

TEST_F(Convert, readsACheckpoint_andListsItsTensors) {
    const auto weights = readSafetensors(path("stage2.safetensors")).arrays;
    ArrayMap published = publishedWeights(weights, 2);
    for (const auto& [ours, theirs] : publishedNames(2))
        published[theirs + "/Adam"] = makeArray(std::vector<float>(3), {3});
    published["global_step"] = makeArray(std::vector<std::int32_t>{5}, {});
    saveBundle(path("model.ckpt-5"), makeBundle(published));
    const ProcessResult result = runThreefold(
        {"convert", "--stage1", path("stage1.safetensors"), "--stage2", path("model.ckpt-5"),
         "--template", path("template.dat"), "--dtype", "f16", "-o", path("model.safetensors")});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output,
                HasSubstr("stage 2  TensorFlow checkpoint: " + path("model.ckpt-5")));
    EXPECT_THAT(result.output, HasSubstr("matched  stage2.drb2: 18 tensors"));
    EXPECT_THAT(result.output, testing::ContainsRegex("left over +stage2.[*]/Adam +72 tensors"));
    EXPECT_THAT(result.output, testing::ContainsRegex("left over +stage2.global_step +found i32"));
    EXPECT_THAT(result.output,
                HasSubstr("sampler  bilinear-each: stage 1's file (safetensors) does "
                          "not name it"));
    EXPECT_THAT(result.output, HasSubstr("not certain: --self-test compares both samplers"));
    const auto made = loadModel(path("model.safetensors"));
    for (const auto& [name, array] : weights)
        EXPECT_EQ(made->weights.at("stage2." + name).data, array.data) << name;
}

TEST_F(Convert, keepsItsSources_whenOneIsNamedAsItsOutput) {
    for (const char* name : {"stage1.safetensors", "stage2.safetensors", "template.dat"}) {
        const std::vector<std::byte> before = readFile(path(name));
        const ProcessResult result = convert((folder_.path() / "." / name).string());
        EXPECT_EQ(result.exitCode, 2) << name;
        EXPECT_THAT(result.errors, HasSubstr("is one of the files to be converted"));
        EXPECT_EQ(readFile(path(name)), before) << name;
    }
}

TEST_F(Convert, replacesAFile_onlyWhenItIsAModel) {
    writeFileAtomically(path("diary.safetensors"), std::string_view("my diary of this year"));
    const ProcessResult result = convert(path("diary.safetensors"));
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("diary.safetensors: exists, and is not a model"));
    EXPECT_EQ(readFile(path("diary.safetensors")).size(), 21U);
    for (const char* run : {"first", "again"})
        EXPECT_EQ(convert(path("model.safetensors")).exitCode, 0) << run;
}

TEST_F(Convert, keepsACheckpointsFiles_whenOneIsNamedAsItsOutput) {
    saveBundle(path("model.ckpt-5"),
               makeBundle(publishedWeights(readSafetensors(path("stage2.safetensors")).arrays, 2)));
    const auto isOfCheckpoint = [](const std::string& name) {
        return name.starts_with("model.ckpt-5.");
    };
    for (const std::string& name : filesIn(folder_.path())) {
        if (!isOfCheckpoint(name)) continue;
        const std::vector<std::byte> before = readFile(folder_ / name);
        const ProcessResult result = runThreefold(
            {"convert", "--stage1", path("stage1.safetensors"), "--stage2", path("model.ckpt-5"),
             "--template", path("template.dat"), "-o", (folder_ / name).string()});
        EXPECT_EQ(result.exitCode, 2) << name;
        EXPECT_THAT(result.errors, HasSubstr("is one of the files to be converted"));
        EXPECT_EQ(readFile(folder_ / name), before) << name;
    }
    EXPECT_EQ(std::ranges::count_if(filesIn(folder_.path()), isOfCheckpoint), 3);
}

TEST_F(Convert, warns_whenTheStagesAreExchanged) {
    saveBundle(path("model.ckpt-5"),
               makeBundle(publishedWeights(readSafetensors(path("stage2.safetensors")).arrays, 2)));
    for (const std::string& second : {path("stage2.safetensors"), path("model.ckpt-5")}) {
        const ProcessResult result =
            runThreefold({"convert", "--stage1", second, "--stage2", path("stage1.safetensors"),
                          "--template", path("template.dat"), "-o", path("out.safetensors")});
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(
            result.errors,
            HasSubstr(second + ": holds the weights of stage 2, and " + path("stage1.safetensors") +
                      " holds the weights of stage 1. Exchange the two files."));
        EXPECT_FALSE(std::filesystem::exists(path("out.safetensors")));
    }
}

class OlderScript : public Convert {
  protected:
    /// Evaluates a sample with a command line that the older scripts accept.
    ProcessResult evaluate() {
        const std::filesystem::path samples =
            std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
        overwrite(folder_ / "test_list.txt", "02691156_p0001_00.dat\n");
        StartOptions options;
        options.environment["XDG_CACHE_HOME"] = path("cache");
        options.environment["THREEFOLD_CUDA_PLUGIN"] = "/no/such/plugin.so";
        return runThreefold({"eval",
                             "--test_file",
                             path("test_list.txt"),
                             "--image_root",
                             (samples / "ShapeNetRendering").string(),
                             "--gt_root",
                             (samples / "gt").string(),
                             "--output_dir",
                             path("out"),
                             "--stage1_checkpoint",
                             path("stage1.safetensors"),
                             "--stage2_checkpoint",
                             path("stage2.safetensors"),
                             "--mesh_data",
                             path("template.dat"),
                             "--amp",
                             "--compile",
                             "--compile-mode",
                             "reduce-overhead",
                             "--force-chamfer-cuda",
                             "--truth-points",
                             "1155",
                             "--warmup-iters",
                             "2",
                             "--tau",
                             "0.0001"},
                            options);
    }
};

TEST_F(OlderScript, evaluatesTheList_andSaysWhatItsFlagsDo) {
    const ProcessResult result = evaluate();
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const auto linesAbout = [&](const std::string& flag) {
        std::vector<std::string> lines;
        std::istringstream text(result.errors);
        for (std::string line; std::getline(text, line);)
            if (line.starts_with("threefold: " + flag)) lines.push_back(line);
        return lines;
    };
    EXPECT_THAT(linesAbout("--amp:"), ElementsAre(HasSubstr("it computes in float32")));
    EXPECT_THAT(linesAbout("--compile:"), ElementsAre(HasSubstr("oneDNN's kernels")));
    EXPECT_THAT(linesAbout("--compile-mode reduce-overhead:"),
                ElementsAre(HasSubstr("oneDNN's kernels")));
    EXPECT_THAT(linesAbout("--force-chamfer-cuda:"),
                ElementsAre(HasSubstr("the network runs on the processor, which measures")));
    EXPECT_THAT(result.output, HasSubstr("1 of 1 samples done"));
    EXPECT_THAT(filesIn(folder_ / "out"),
                testing::IsSupersetOf({"02691156_p0001_00_predict.obj", "metrics_results.csv",
                                       "metrics_summary.txt", "combined_timings.txt"}));
}

TEST_F(OlderScript, convertsTheWeightsIntoTheCache) {
    const ProcessResult result = evaluate();
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("nearest-first is used"));
    const std::vector<std::string> cached = filesIn(folder_ / "cache");
    ASSERT_EQ(cached.size(), 1U);
    const auto model = loadModel(folder_ / "cache/threefold/models" / cached.front());
    EXPECT_EQ(model->hash + ".safetensors", cached.front());
    EXPECT_EQ(model->sampler, SamplerKind::nearestInFirstView);
    for (const auto& [name, array] : testModel()->weights)
        EXPECT_EQ(model->weights.at(name).data, array.data) << name;
}

TEST_F(Convert, isWrongUsage_whenAChoiceIsUnknown) {
    for (const char* option : {"--dtype", "--sampler"})
        EXPECT_EQ(runThreefold({"convert", "--stage1", "a", "--stage2", "b", "--template", "c",
                                "-o", "d", option, "f8"})
                      .exitCode,
                  2);
}

TEST(SelfTest, findsTheSampler_whenTheWeightsAreGood) {
    const std::vector<SelfTestResult> results = runSelfTest(testModel(), 2);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].sampler, SamplerKind::bilinearPerView);
    EXPECT_EQ(results[1].sampler, SamplerKind::nearestInFirstView);
    EXPECT_EQ(judgeSelfTest(results), SelfTestVerdict::plausible);
    EXPECT_EQ(judgeSelfTest({results[1], results[0]}), SelfTestVerdict::otherSampler);
    EXPECT_THAT(selfTestText(results),
                HasSubstr("published protocol, τ = 1e-4; CD in 10⁻⁴ object units²"));
    EXPECT_THAT(selfTestText({results[1], results[0]}), HasSubstr("--sampler bilinear-each"));
}

TEST(SelfTest, namesTheBlockThatMovesNoVertex) {
    SelfTestResult result;
    result.movements = {0.002, 0.001};
    EXPECT_THAT(selfTestText({result, result}), testing::Not(HasSubstr("moves nothing")));
    result.movements[1] = 0;
    EXPECT_THAT(selfTestText({result, result}), HasSubstr("block 2 moves nothing"));
}

TEST(SelfTest, takesTheOtherSampler_whenItAloneIsPlausible) {
    const SelfTestResult own{SamplerKind::bilinearPerView, 0.1, 0.1, 20, 20, 29};
    const SelfTestResult other{SamplerKind::nearestInFirstView, 0.1, 0.1, 21, 21, 31};
    EXPECT_EQ(judgeSelfTest({own, other}), SelfTestVerdict::otherSampler);
}

TEST(SelfTest, isImplausible_whenTheWeightsAre) {
    const SelfTestResult bad{SamplerKind::nearestInFirstView, 2.0, 2.0, 0.5, 0.5, 1};
    EXPECT_EQ(judgeSelfTest({bad, bad}), SelfTestVerdict::implausible);
    EXPECT_THAT(selfTestText({bad, bad}), HasSubstr("not plausible"));
}

}  // namespace
}  // namespace threefold::test
