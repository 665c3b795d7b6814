#include "tests/engine/network/golden_case.h"

#include <cmath>
#include <filesystem>

#include "engine/network/cnn.h"
#include "engine/network/hypothesis_block.h"
#include "engine/network/pooling.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/network_input.h"
#include "tests/support/decode_all.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

// Rounding error of the pixel positions that the reference computes by matrix products, a division
// and an addition: 2.5 steps of float32. A step is 1.5e-5 between 128 and 223. The largest error
// that occurs is 3.15e-5, where a hypothesis of the car lies exactly in row 85.
constexpr double kPixelRounding = 3.8e-5;

bool nearInteger(double pixel) {
    return pixel > 0.0 && pixel < kInputSide - 1 &&
           std::abs(pixel - std::round(pixel)) < kPixelRounding;
}

}  // namespace

const std::vector<GoldenCase>& goldenCases() {
    static const std::vector<GoldenCase> cases = [] {
        std::vector<GoldenCase> list = {
            {"plane_each", "02691156/p0001", SamplerKind::bilinearPerView, {}},
            {"chair_each", "03001627/p0001", SamplerKind::bilinearPerView, {}},
            {"car_published", "02958343/p0001", SamplerKind::nearestInFirstView, {}}};
        for (GoldenCase& golden : list) {
            golden.tensors = readNpz(std::filesystem::path(THREEFOLD_TEST_DATA) / "golden" /
                                     (golden.name + ".npz"));
        }
        return list;
    }();
    return cases;
}

std::shared_ptr<const Model> goldenModel(const GoldenCase& golden) {
    static const std::shared_ptr<const Model> bundled = loadModel(bundledModelFile());
    auto model = std::make_shared<Model>(*bundled);
    model->sampler = golden.sampler;
    return model;
}

NetworkInput goldenInput(const GoldenCase& golden) {
    const Sample sample = findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples" /
                                     "ShapeNetRendering" / golden.location);
    return loadViews(sample, kPublishedViews);
}

std::vector<float> asGolden(const std::string& name, std::span<const float> values,
                            std::span<const std::size_t> shape) {
    std::vector<float> kept;
    const auto takeRows = [&](std::size_t step) {
        for (std::size_t row = 0; row < shape[0]; row += step) {
            const auto from = values.subspan(row * shape[1], shape[1]);
            kept.insert(kept.end(), from.begin(), from.end());
        }
    };
    if (name.find("_map_") != std::string::npos) {
        // Probed maps are (view, row, column, channel), maps in the file are (view, channel, row,
        // column).
        const bool stage1 = name.starts_with("stage1");
        const std::size_t channelStep = stage1 ? 8 : 4;
        const std::size_t pixelStep = stage1 ? 3 : 9;
        for (std::size_t view = 0; view < shape[0]; ++view) {
            for (std::size_t c = 0; c < shape[3]; c += channelStep) {
                for (std::size_t y = 0; y < shape[1]; y += pixelStep) {
                    for (std::size_t x = 0; x < shape[2]; x += pixelStep) {
                        kept.push_back(
                            values[((view * shape[1] + y) * shape[2] + x) * shape[3] + c]);
                    }
                }
            }
        }
    } else if (name == "stage1_features_1" || name == "level2_hidden" ||
               name.starts_with("score_")) {
        takeRows(4);
    } else {
        kept.assign(values.begin(), values.end());
    }
    return kept;
}

GoldenRun runGolden(Backend& backend, const GoldenCase& golden) {
    GoldenRun run;
    BatchOptions options;
    options.probe = [&](std::string_view name, std::span<const float> values,
                        std::span<const std::size_t> shape) {
        const std::string key(name);
        if (golden.tensors.contains(key)) run.tensors[key] = asGolden(key, values, shape);
    };
    run.result = backend.reconstruct(goldenInput(golden), options);
    return run;
}

std::map<std::string, std::vector<float>> stage2FromGoldenMeshes(const GoldenCase& golden,
                                                                 Precision precision) {
    const std::shared_ptr<const Model> model = goldenModel(golden);
    const NetworkInput input = goldenInput(golden);
    const simd::NetworkKernels& kernels = *simd::runnableNetworkKernels().front();
    constexpr std::size_t kPixels = std::size_t{kInputSide} * kInputSide * 3;
    std::vector<float> images(input.images.size() * kPixels);
    for (std::size_t view = 0; view < input.images.size(); ++view) {
        preprocess(input.images[view], std::span(images).subspan(view * kPixels, kPixels));
    }
    Cnn cnn(*model, "stage2.cnn", kStage2LayerCount, 0, kStage2TapCount, precision);
    const FeaturePooling pooling(projectionsFrom(input.cameras),
                                 cnn.run(images.data(), input.images.size(), {}, [](float) {}),
                                 SamplerKind::bilinearPerView, kernels);
    std::map<std::string, std::vector<float>> tensors;
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        const std::string number = std::to_string(block + 1);
        const Points start = asPoints(golden.values(block == 0 ? "coarse" : "refined_1"));
        std::vector<float> scores;
        HypothesisBlock::ExtraOutputs extra;
        extra.scores = &scores;
        extra.features = [&](std::span<const float> values, std::size_t) {
            tensors["stage2_features_" + number].assign(values.begin(), values.end());
        };
        const HypothesisBlock::Output made = HypothesisBlock(*model, block, precision, 1, kernels)
                                                 .run(
                                                     start, pooling, {}, [](float) {}, extra);
        tensors["score_" + number] =
            asGolden("score_" + number, scores,
                     std::vector{start.size(), model->templateMesh.hypothesisOffsets.size()});
        tensors["entropy_" + number] = made.entropy;
        std::vector<float>& vertices = tensors["refined_" + number];
        for (const glm::vec3 p : made.points) vertices.insert(vertices.end(), {p.x, p.y, p.z});
    }
    return tensors;
}

namespace {

// The reference's cameras, whose azimuths, elevations and distances are float32. Their rounding
// moves a pixel position by up to one step of float32.
std::vector<Camera> goldenCameras(const GoldenCase& golden) {
    const std::vector<float> rows = golden.values("camera");
    std::vector<Camera> cameras;
    for (std::size_t i = 0; i + 4 < rows.size(); i += 5)
        cameras.push_back(Camera::fromRow(
            {.azimuth = rows[i], .elevation = rows[i + 1], .distance = rows[i + 3]}));
    return cameras;
}

}  // namespace

std::vector<bool> atSamplerGap(const GoldenCase& golden, const Points& points) {
    const std::vector<FeatureProjection> projections = projectionsFrom(goldenCameras(golden));
    const Points offsets = goldenModel(golden)->templateMesh.hypothesisOffsets;
    std::vector<bool> gap(points.size(), false);
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
        for (const glm::vec3 offset : offsets) {
            for (const FeatureProjection& projection : projections) {
                // The sum is double: rounding a float32 sum would move the pixel position by more
                // than one step.
                const auto [row, column] =
                    projection.project(glm::dvec3(points[vertex]) + glm::dvec3(offset));
                if (nearInteger(row) || nearInteger(column)) gap[vertex] = true;
            }
        }
    }
    return gap;
}

SkippedRows rowsAtGaps(const std::string& name, const Array& array, const std::vector<bool>& gap) {
    if (name.starts_with("refined_")) return {gap, 3};
    if (name.starts_with("score_")) {
        SkippedRows skipped{{}, array.shape[1]};
        for (std::size_t vertex = 0; vertex < gap.size(); vertex += 4) {
            skipped.rows.push_back(gap[vertex]);
        }
        return skipped;
    }
    if (name.starts_with("stage2_features_")) {
        const auto kept = static_cast<std::ptrdiff_t>(array.shape[0]);
        return {{gap.begin(), gap.begin() + kept}, array.shape[1] * array.shape[2]};
    }
    return {};
}

Points asPoints(const std::vector<float>& values) {
    Points points;
    for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
        points.emplace_back(values[i], values[i + 1], values[i + 2]);
    }
    return points;
}

}  // namespace threefold::test
