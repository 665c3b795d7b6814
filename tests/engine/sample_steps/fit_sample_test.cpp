#include "engine/sample_steps/fit_sample.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/masks/masked_views.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample_steps/fit_reconstruction.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/views/left_out_view.h"
#include "tests/support/models.h"
#include "tests/support/stage_meshes.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<const Sample> aeroplane() {
    return std::make_shared<const Sample>(findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                                                     "samples/ShapeNetRendering/02691156/p0001"));
}

/// The aeroplane's sample with the template's ball as the network's result.
ReconstructedSample ballOf(const std::shared_ptr<const Sample>& sample) {
    ReconstructedSample made{loadSample(sample, {0, 6, 7}), {}};
    const std::shared_ptr<const Model>& model = testModel();
    made.reconstruction.templateMesh = {model, &model->templateMesh};
    std::vector<Faces> faces;
    Points ball = model->templateMesh.vertices;
    for (const TemplateLevel& level : model->templateMesh.levels) {
        faces.push_back(level.faces);
        for (const glm::u32vec2 edge : level.unpoolEdges)
            ball.push_back(0.5F * (ball[edge.x] + ball[edge.y]));
    }
    made.reconstruction.levelFaces = std::make_shared<const std::vector<Faces>>(std::move(faces));
    made.reconstruction.stages = stagesWithoutVertices(model->stages);
    for (const char* mesh : {"coarse", "refined"})
        stageOf(made.reconstruction, mesh).vertices = ball;
    return made;
}

const Faces& resultFaces(const Reconstruction& reconstruction) {
    return reconstruction.faces(reconstruction.result());
}

FittedSample fitAs(const ReconstructedSample& made, std::string_view name) {
    return fitIfRequested(made, fitRequestFromName(name), {});
}

const FitResult& resultOf(const FittedSample& fitted) {
    return fitted.fit.value().result.value();
}

MeasuredSample measuredOnSurface(const FittedSample& fitted) {
    return measureSample(fitted,
                         {.evaluation = false, .protocols = {{.protocol = Protocol::surface}}});
}

TEST(FitSample, fitsOnlyWhenAsked) {
    const ReconstructedSample made = ballOf(aeroplane());
    const Points& before = made.reconstruction.vertices("refined");
    const FittedSample notAsked = fitIfRequested(made, std::nullopt, {});
    EXPECT_FALSE(notAsked.reconstruction.fitted);
    EXPECT_FALSE(notAsked.fit);
    EXPECT_FALSE(fitAs(made, "auto").fit);

    const FittedSample fitted = fitAs(made, "8+network");
    EXPECT_EQ(fitted.reconstruction.network.vertices("refined"), before);
    EXPECT_EQ(fitted.reconstruction.fitted->vertices.size(), before.size());
    ASSERT_TRUE(fitted.fit && fitted.fit->result);
    EXPECT_THAT(fitted.fit->views, ElementsAre(0, 3, 6, 9, 12, 15, 18, 21));
    const MeasuredSample measured = measureSample(fitted, {});
    ASSERT_TRUE(measured.evaluation && measured.evaluation->fitted());
    EXPECT_LT(measured.evaluation->fitted()->measures.chamfer,
              0.3 * measured.evaluation->result().measures.chamfer);
    for (const ViewSilhouetteScores& view : measured.silhouettes)
        EXPECT_GT(view.meshes.fitted()->overlap, view.meshes.find("refined")->overlap + 0.3);
}

TEST(MeasureSample, evaluatesAndScores_asAsked) {
    const FittedSample plain = fitIfRequested(ballOf(aeroplane()), std::nullopt, {});
    const MeasuredSample scored = measuredOnSurface(plain);
    EXPECT_FALSE(scored.evaluation);
    EXPECT_THAT(scored.scores, SizeIs(1));
    const MeasuredSample both = measureSample(
        plain, {.protocols = {{.protocol = Protocol::published}}, .silhouettes = false});
    EXPECT_TRUE(both.evaluation);
    EXPECT_THAT(both.scores, SizeIs(1));
    EXPECT_THAT(measureSample(plain, {.silhouettes = false}).scores, IsEmpty());
}

TEST(FitSample, startsFromTheHull_whenAsked) {
    ReconstructedSample made = ballOf(aeroplane());
    const FittedSample network = fitAs(made, "12+network");
    const std::size_t vertices = network.reconstruction.fitted->vertices.size();
    const Scores ofNetwork = *measuredOnSurface(network).scores.front().fitted();
    FittedSample fitted;
    for (const char* name : {"12+hull", "12+auto", "12"}) {
        fitted = fitAs(made, name);
        EXPECT_GT(fitted.reconstruction.fitted->vertices.size(), 3 * vertices);
        EXPECT_EQ(resultOf(fitted).vertices, fitted.reconstruction.fitted->vertices);
        EXPECT_NE(fitted.reconstruction.fitted->faces, resultFaces(fitted.reconstruction.network));
        const MeasuredSample measured = measuredOnSurface(fitted);
        EXPECT_LT(measured.scores.front().fitted()->measures.chamfer, ofNetwork.measures.chamfer);
        for (const ViewSilhouetteScores& view : measured.silhouettes)
            EXPECT_GT(view.meshes.fitted()->overlap, 0.9);
        for (const FitAgreement& view : resultOf(fitted).agreements)
            EXPECT_GT(view.after.overlap, 0.9);
    }
    EXPECT_THAT(resultOf(fitted).leftOut, IsEmpty());
    EXPECT_THAT(fitted.fit->notes, IsEmpty());
    EXPECT_THAT(fitted.fit->choiceReason,
                testing::MatchesRegex("Chose the photographs' hull: on the [0-9]+ photographs held "
                                      "out it overlaps the masks by 0\\.[0-9]+, the network's "
                                      "mesh.* by 0\\.[0-9]+.*\\."));
    EXPECT_EQ(sourceOf(fitted.fit->hullFit), FitSource::hull);
    // The aeroplane's wings are thinner than a cell of the depth grid.
    EXPECT_THAT(fitAs(made, "12+depth").fit.value().notes,
                ElementsAre(testing::StartsWith("Depth from photographs is not used")));

    // The fit to masks alone differs from the fit above, and does not depend on the network's mesh.
    const Points plain = fitAs(made, "12+silhouettes").reconstruction.fitted->vertices;
    EXPECT_NE(plain, fitted.reconstruction.fitted->vertices);
    ReconstructedSample smaller = made;
    for (glm::vec3& vertex : smaller.reconstruction.stages.back().vertices) vertex *= 0.9F;
    EXPECT_EQ(fitAs(smaller, "12+silhouettes").reconstruction.fitted->vertices, plain);

    // With five views there is no choice: the fit has the template's faces.
    made.reconstruction = fitted.reconstruction.network;
    const FittedSample few = fitAs(made, "5+auto");
    EXPECT_EQ(few.reconstruction.fitted->vertices.size(), vertices);
    EXPECT_EQ(few.reconstruction.fitted->faces, resultFaces(few.reconstruction.network));
}

TEST(FitSample, continuesWithMoreVertices_whenAsked) {
    const ReconstructedSample made = ballOf(aeroplane());
    const FittedSample coarser = fitAs(made, "12+network");
    const std::size_t vertices = coarser.reconstruction.fitted->vertices.size();

    const FittedSample finer = fitAs(made, "12+network+10000vertices");
    const FittedReconstruction& meshes = finer.reconstruction;
    const std::size_t faces = resultFaces(meshes.network).size();
    EXPECT_EQ(meshes.fitted->vertices.size(), vertices + faces * 3 / 2);
    EXPECT_EQ(meshes.fitted->faces.size(), 4 * faces);
    EXPECT_EQ(resultOf(finer).vertices, meshes.fitted->vertices);
    EXPECT_GT(resultOf(finer).steps.size(), resultOf(coarser).steps.size());
    EXPECT_LT(measuredOnSurface(finer).scores.front().fitted()->measures.chamfer,
              measuredOnSurface(coarser).scores.front().fitted()->measures.chamfer);
    const std::vector<FitAgreement>& before = resultOf(coarser).agreements;
    const std::vector<FitAgreement>& after = resultOf(finer).agreements;
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].before.overlap, before[i].before.overlap);
        EXPECT_GE(after[i].after.overlap, before[i].after.overlap - 0.005);
    }
}

TEST(FitSample, keepsTheNetworksMesh_whenMasksHaveNoHull) {
    const FittedSample fitted = fitAs(ballOf(aeroplane()), "1+hull");
    EXPECT_THAT(fitted.fit->notes, ElementsAre(testing::StartsWith("No hull")));
    EXPECT_EQ(fitted.reconstruction.fitted->vertices.size(),
              fitted.reconstruction.network.vertices("refined").size());
}

/// Device whose fits report agreements changed by `spoil`.
class SpoiledFits : public MeshOperations {
  public:
    using Spoil = std::function<void(FitAgreement& view)>;
    explicit SpoiledFits(Spoil spoil) : spoil_(std::move(spoil)) {}

    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Pose& space,
                  std::span<const MaskedView> views, const FitOptions& options) override {
        FitResult result = MeshOperations::fit(start, levels, space, views, options);
        for (FitAgreement& view : result.agreements) spoil_(view);
        return result;
    }

  private:
    Spoil spoil_;
};

TEST(FitSample, keepsTheRefinedMesh_whenTheFitAgreesLess) {
    const auto fitted = [&](const SpoiledFits::Spoil& spoil, std::size_t vertices) {
        ReconstructedSample made = ballOf(aeroplane());
        SpoiledFits device(spoil);
        const std::vector<MaskedView> views =
            loadMaskedViews(*made.loaded.sample, std::vector{0, 8, 16}, readViewPhoto, {});
        FittedMesh fit = fitReconstruction(made.reconstruction, made.loaded.input.cameras.front(),
                                           views, {}, vertices, &device);
        return std::pair{std::move(made.reconstruction), std::move(fit)};
    };
    constexpr std::size_t kSplit = 5000;  // so many vertices that faces are split once
    const SpoiledFits::Spoil overlapsLess = [](FitAgreement& view) { view.after.overlap = 0; };
    const SpoiledFits::Spoil liesFarther = [](FitAgreement& view) {
        view.after.outlineDistance->mean = 100;
    };
    const SpoiledFits::Spoil isNowhere = [](FitAgreement& view) {
        view.after.outlineDistance.reset();
    };
    for (const auto& [spoil, reason] :
         {std::pair{overlapsLess, "overlap"}, {liesFarther, "distance"}, {isNowhere, "none"}})
        for (const std::size_t vertices : {std::size_t{0}, kSplit}) {
            const auto [reconstruction, fit] = fitted(spoil, vertices);
            EXPECT_EQ(fit.mesh.vertices, reconstruction.vertices("refined"));
            EXPECT_EQ(fit.mesh.faces, resultFaces(reconstruction));
            EXPECT_EQ(fit.result.vertices, reconstruction.vertices("refined"));
            EXPECT_EQ(fit.result.meanOverlapAfter(), fit.result.meanOverlapBefore());
            ASSERT_THAT(fit.notes, SizeIs(1));
            EXPECT_THAT(fit.notes[0],
                        AllOf(testing::HasSubstr("discarded"), testing::HasSubstr(reason)));
        }
    const auto [reconstruction, fit] = fitted([](FitAgreement&) {}, 0);
    EXPECT_NE(fit.mesh.vertices, reconstruction.vertices("refined"));
    EXPECT_THAT(fit.result.leftOut, IsEmpty());
    EXPECT_THAT(fit.notes, IsEmpty());
}

TEST(FitSample, joinsAgreementsByViewNumber) {
    const auto agreement = [](int view, double before, double after) {
        FitAgreement made;
        made.view = view;
        made.before.overlap = before;
        made.after.overlap = after;
        return made;
    };
    const std::vector<FitAgreement> first{agreement(7, 0.1, 0.2), agreement(3, 0.3, 0.4),
                                          agreement(5, 0.5, 0.6)};
    const std::vector<FitAgreement> later{agreement(5, 0.55, 0.8), agreement(7, 0.15, 0.7)};
    const std::vector<FitAgreement> joined = joinedAgreements(first, later);
    ASSERT_THAT(joined, SizeIs(2));
    for (std::size_t i = 0; i < joined.size(); ++i) {
        EXPECT_EQ(joined[i].view, (std::array{7, 5})[i]);
        EXPECT_EQ(joined[i].before.overlap, (std::array{0.1, 0.5})[i]);
        EXPECT_EQ(joined[i].after.overlap, (std::array{0.7, 0.8})[i]);
    }
}

TEST(FitSample, leavesOutAndNamesPhotographs_whenUnreadable) {
    const TempFolder folder;
    Sample sample = *aeroplane();
    const std::filesystem::path cut = folder / "cut.png";
    std::filesystem::copy_file(sample.images[12], cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    sample.images[4] = folder / "nowhere.png";
    sample.images[12] = cut;
    std::ofstream(sample.images[20] = folder / "damaged.png") << "no picture";
    // Three photographs remain, too few to find contradicting ones.
    const FittedSample fitted = fitAs(ballOf(std::make_shared<const Sample>(sample)), "6+network");
    const FitResult& result = resultOf(fitted);
    EXPECT_THAT(viewNumbersOf(result.leftOut), ElementsAre(4, 12, 20));
    for (const LeftOutView& each : result.leftOut)
        EXPECT_THAT(each.reason, Not(testing::HasSubstr("no outline")));
    EXPECT_THAT(fitted.fit->notes, IsEmpty());
    EXPECT_THAT(result.agreements, SizeIs(3));

    // The fit equals the fit of the readable photographs alone.
    const ReconstructedSample intact = ballOf(aeroplane());
    const std::vector<MaskedView> readable =
        loadMaskedViews(*intact.loaded.sample, std::vector{0, 8, 16}, readViewPhoto, {});
    const FittedMesh fitOfReadable =
        fitReconstruction(intact.reconstruction, intact.loaded.input.cameras.front(), readable, {});
    EXPECT_EQ(fitted.reconstruction.fitted->vertices, fitOfReadable.mesh.vertices);
}

TEST(FitSample, keepsTheRefinedMesh_whenNoPhotographCanBeRead) {
    Sample sample = *aeroplane();
    ReconstructedSample made = ballOf(aeroplane());
    for (auto& image : sample.images) image = "/nowhere" / image.filename();
    made.loaded.sample = std::make_shared<const Sample>(sample);
    const FittedSample fitted = fitAs(made, "4");
    ASSERT_TRUE(fitted.fit && fitted.fit->problem);
    EXPECT_FALSE(fitted.fit->result);
    EXPECT_THAT(fitted.fit->problem->subject, testing::HasSubstr("00.png"));
    EXPECT_FALSE(fitted.reconstruction.fitted);
    std::stop_source stop;
    stop.request_stop();
    SampleFitOptions options;
    options.cancel = stop.get_token();
    EXPECT_THROW(fitIfRequested(made, fitRequestFromName("4"), options), Cancelled);
}

}  // namespace
}  // namespace threefold::test
