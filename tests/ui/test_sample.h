#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/ui/fake_backend.h"
#include "ui/results/result.h"

namespace threefold::ui::test {

inline std::filesystem::path bundledSampleFolder(const char* category = "02691156") {
    return std::filesystem::path(THREEFOLD_RESOURCES) / "samples" / "ShapeNetRendering" / category /
           "p0001";
}

inline SampleRef bundledSample() {
    return std::make_shared<const Sample>(findSample(bundledSampleFolder()));
}

/// The bundled sample without its truth.
inline SampleRef sampleWithoutTruth() {
    Sample sample = findSample(bundledSampleFolder());
    sample.truth.reset();
    return std::make_shared<const Sample>(sample);
}

/// Values of Look::morphPosition for the stages of fakeReconstruction(), which has the stages of
/// the published model.
inline constexpr float kMorphTemplate = -5, kMorphLevel1 = -4, kMorphLevel2 = -3, kMorphCoarse = -2,
                       kMorphRefined1 = -1;
/// Indices in MeshMorph::stages.
inline constexpr std::size_t kCoarseStage = 3, kRefinedStage = 5, kFittedStage = 6;

/// Evaluated result without truth, whose only mesh is an empty refined mesh.
inline std::shared_ptr<Result> resultWithMesh() {
    auto result = std::make_shared<Result>();
    result->morph.stages[kRefinedStage].mesh = std::make_shared<render::SceneMesh>();
    result->state = Result::Evaluated{};
    return result;
}

/// A copy of `before` after a fit, with an empty fitted mesh.
inline std::shared_ptr<Result> fittedResult(const ResultRef& before, const FitChoice& choice = {}) {
    auto fitted = std::make_shared<Result>(*before);
    fitted->morph.stages[kFittedStage].mesh = std::make_shared<render::SceneMesh>();
    fitted->state =
        Result::Fitted{*before->evaluated(), choice, SampleFit{.result = FitResult{}}, before};
    return fitted;
}

inline Reconstruction fakeReconstruction() {
    FakeBackend backend(std::make_shared<FakeBehaviour>());
    NetworkInput input;
    input.images.resize(3);
    input.cameras.resize(3);
    return backend.reconstruct(input, {});
}

/// The bundled sample's result for views 0, 6 and 7 by fakeReconstruction(), made once.
inline const ResultRef& bundledResult() {
    static const ResultRef made = makeResult(bundledSample(), {0, 6, 7}, fakeReconstruction());
    return made;
}

/// A reconstruction by a model with three blocks: one more stage before the result.
inline Reconstruction reconstructionWithThreeBlocks() {
    Reconstruction reconstruction = fakeReconstruction();
    std::vector<StageMesh> stages = stagesWithoutVertices(meshStages(3, 3));
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageMesh& from =
            reconstruction.stages[std::min(i, reconstruction.stages.size() - 1)];
        stages[i].vertices = from.vertices;
        stages[i].channels = from.channels;
    }
    for (glm::vec3& vertex : stages.back().vertices) vertex *= 0.9F;
    reconstruction.stages = std::move(stages);
    return reconstruction;
}

/// A reconstruction by a model without stage 2.
inline Reconstruction reconstructionWithoutStage2() {
    Reconstruction reconstruction = fakeReconstruction();
    reconstruction.stages.resize(3);
    return reconstruction;
}

/// fakeReconstruction() with a fitted mesh, a little smaller than the refined one.
inline FittedReconstruction fittedReconstruction() {
    FittedReconstruction reconstruction = fakeReconstruction();
    Mesh& fitted = reconstruction.fitted.emplace();
    for (const glm::vec3& vertex : reconstruction.network.vertices("refined"))
        fitted.vertices.push_back(0.99F * vertex);
    fitted.faces = reconstruction.network.faces(reconstruction.network.result());
    return reconstruction;
}

/// Reconstruction whose fitted mesh has other faces than the refined mesh, as after a fit from a
/// hull. The fitted mesh is the mesh of level 2.
inline FittedReconstruction hullReconstruction() {
    FittedReconstruction reconstruction = fakeReconstruction();
    reconstruction.fitted = {reconstruction.network.vertices("level2"),
                             reconstruction.network.levelFaces->at(1)};
    return reconstruction;
}

/// Fitted sample for withFit(), whose fit used `viewCount` photographs.
inline FittedSample fittedSample(FittedReconstruction reconstruction, std::size_t viewCount) {
    FitResult result;
    result.vertices = reconstruction.fitted->vertices;
    result.agreements.resize(viewCount);
    return {.reconstruction = std::move(reconstruction),
            .fit = SampleFit{.result = std::move(result)}};
}

/// Fitted sample of a fit from a hull that depth from photographs moved by −0.02 along x.
inline FittedSample sampleWithDepth() {
    FittedSample sample = fittedSample(hullReconstruction(), 3);
    HullFit& hullFit = sample.fit->hullFit.emplace();
    hullFit.hull = *sample.reconstruction.fitted;
    for (glm::vec3& vertex : hullFit.hull.vertices) vertex.x += 0.02F;
    hullFit.depth.emplace().sureFraction = 0.5;
    return sample;
}

/// A copy of the bundled sample whose view `view` is not an image.
inline std::filesystem::path sampleWithBrokenView(const threefold::test::TempFolder& folder,
                                                  int view) {
    std::filesystem::path sample = folder / "ShapeNetRendering" / "02691156" / "broken";
    std::filesystem::create_directories(sample);
    std::filesystem::copy(bundledSampleFolder(), sample, std::filesystem::copy_options::recursive);
    std::string name = std::to_string(view);
    name = std::string(2 - name.size(), '0') + name + ".png";
    std::ofstream(sample / "rendering" / name) << "this is no picture";
    return sample;
}

}  // namespace threefold::ui::test
