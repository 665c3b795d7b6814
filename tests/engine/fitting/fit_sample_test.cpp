#include "engine/pipeline/fit_sample.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "tests/support/borrowed_device.h"
#include "tests/support/models.h"
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

TEST(FitViews, haveNames) {
    for (const char* name : {"chosen", "all", "1", "12", "chosen+colour", "all+colour", "8+colour",
                             "all+hull", "8+colour+auto", "chosen+network", "all+10000vertices",
                             "all+silhouettes", "8+hull+40000vertices", "auto", "auto+hull"})
        EXPECT_EQ(fitViewsName(fitViewsFromName(name)), name);
    for (const char* name :
         {"", "0", "-1", "some", "3x", "1.5", "+colour", "colour", "all+color", "all+hull+auto",
          "all+hull+colour", "all+99vertices", "all+vertices", "all+200001vertices", "all+", "08"})
        EXPECT_THROW(fitViewsFromName(name), UsageError) << name;
}

TEST(FitViews, areSpreadEvenly_overThoseWithAnImage) {
    Sample sample = *aeroplane();
    const std::vector<int> chosen = {6, 0};
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("chosen")), ElementsAre(6, 0));
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("all")), SizeIs(24));
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("4")), ElementsAre(0, 6, 12, 18));
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("99")), SizeIs(24));
    sample.images[0].clear();
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("all")), SizeIs(23));
    EXPECT_THAT(viewsToFit(sample, chosen, fitViewsFromName("23")).front(), 1);
}

TEST(FitViews, areAllOfOnesOwnPhotographs_ifTheyAreEnough) {
    const FitViews usual = fitViewsFromName("auto");
    const Sample renderings = *aeroplane();
    Sample own = renderings;
    auto photos = std::make_shared<PosedPhotos>();
    photos->views.resize(own.viewCount());
    own.photos = photos;
    Sample few = own;
    for (std::size_t i = kFewestForHull - 1; i < few.images.size(); ++i) few.images[i].clear();

    const auto nameFor = [](const Sample& sample, const FitViews& asked) {
        const std::optional<FitViews> settled = fitViewsFor(sample, asked);
        return settled ? fitViewsName(*settled) : "none";
    };
    EXPECT_EQ(nameFor(own, usual), "all+auto+10000vertices");
    EXPECT_EQ(nameFor(few, usual), "none");
    EXPECT_EQ(nameFor(renderings, usual), "none");
    EXPECT_EQ(nameFor(renderings, fitViewsFromName("auto+5000vertices")), "none");
    EXPECT_EQ(nameFor(own, fitViewsFromName("auto+network+5000vertices")),
              "all+network+5000vertices");
    EXPECT_EQ(nameFor(few, fitViewsFromName("auto+colour")), "chosen+colour+auto");
    EXPECT_EQ(nameFor(renderings, fitViewsFromName("auto+network")), "chosen+network");
    EXPECT_EQ(nameFor(renderings, fitViewsFromName("auto+hull")), "all+hull");
    EXPECT_EQ(nameFor(own, fitViewsFromName("8")), "8+auto");
}

/// The aeroplane with the network's result replaced by its template's ball.
SampleJob ballOf(const std::shared_ptr<const Sample>& sample) {
    SampleJob work{sample, {0, 6, 7}};
    readSample(work, {});
    const std::shared_ptr<const Model>& model = testModel();
    work.reconstruction.templateMesh = {model, &model->mesh};
    std::vector<Faces> faces;
    Points ball = model->mesh.coordinates;
    for (const TemplateLevel& level : model->mesh.levels) {
        faces.push_back(level.faces);
        for (const glm::u32vec2 edge : level.unpoolEdges)
            ball.push_back(0.5F * (ball[edge.x] + ball[edge.y]));
    }
    work.reconstruction.levelFaces = std::make_shared<const std::vector<Faces>>(std::move(faces));
    work.reconstruction.coarse = ball;
    work.reconstruction.refined = ball;
    return work;
}

TEST(FitSample, fitsOnlyWhereItIsAskedTo_andLeavesTheRest) {
    SampleJob work = ballOf(aeroplane());
    const Points before = work.reconstruction.refined;
    fitSample(work, {});
    EXPECT_THAT(work.reconstruction.fitted, IsEmpty());
    EXPECT_FALSE(work.fit);
    RouteOptions options;
    options.fit = fitViewsFromName("auto");
    fitSample(work, options);
    EXPECT_FALSE(work.fit);
    options.fit = fitViewsFromName("8");
    fitSample(work, options);
    EXPECT_EQ(work.reconstruction.refined, before);
    EXPECT_EQ(work.reconstruction.fitted.size(), before.size());
    EXPECT_THAT(work.fitViews, ElementsAre(0, 3, 6, 9, 12, 15, 18, 21));
    ASSERT_TRUE(work.fit);
    measureSample(work, options);
    ASSERT_TRUE(work.evaluation && work.evaluation->fitted);
    EXPECT_LT(work.evaluation->fitted->measures.chamfer,
              0.3 * work.evaluation->refined.measures.chamfer);
    for (const ViewSilhouettes& view : work.record.silhouettes)
        EXPECT_GT(view.fitted->overlap, view.refined->overlap + 0.3);
}

TEST(FitSample, takesTheHull_asAskedFor) {
    SampleJob work = ballOf(aeroplane());
    RouteOptions options;
    options.scoring = {{.protocol = Protocol::surface}};
    options.fit = fitViewsFromName("12+network");
    fitSample(work, options);
    const std::size_t vertices = work.reconstruction.fitted.size();
    measureSample(work, options);
    const ScorePair network = work.record.scores.front();
    for (const char* name : {"12+hull", "12+auto"}) {
        options.fit = fitViewsFromName(name);
        fitSample(work, options);
        EXPECT_GT(work.reconstruction.fitted.size(), 3 * vertices);
        EXPECT_EQ(work.fit->vertices, work.reconstruction.fitted);
        EXPECT_NE(&work.reconstruction.facesOfFitted(), &work.reconstruction.faces());
        measureSample(work, options);
        EXPECT_LT(work.record.scores.back().fitted->measures.chamfer,
                  network.fitted->measures.chamfer);
        for (const ViewSilhouettes& view : work.record.silhouettes)
            EXPECT_GT(view.fitted->overlap, 0.9);
        for (const FitAgreement& view : work.fit->agreement) EXPECT_GT(view.after.overlap, 0.9);
    }
    // The aeroplane's wings are thinner than a lattice of depths can hold.
    EXPECT_THAT(work.fit->notes,
                ElementsAre(testing::EndsWith("fitted from the hull."),
                            testing::StartsWith("Depth from photographs is not used")));

    // The masks' alone is another one, whatever the network's mesh.
    const Points hollow = work.reconstruction.fitted;
    options.fit = fitViewsFromName("12+silhouettes");
    fitSample(work, options);
    const Points plain = work.reconstruction.fitted;
    EXPECT_NE(plain, hollow);
    for (glm::vec3& vertex : work.reconstruction.refined) vertex *= 0.9F;
    fitSample(work, options);
    EXPECT_EQ(work.reconstruction.fitted, plain);

    // Too few to judge; and the template's faces again.
    options.fit = fitViewsFromName("5+auto");
    fitSample(work, options);
    EXPECT_EQ(work.reconstruction.fitted.size(), vertices);
    EXPECT_EQ(&work.reconstruction.facesOfFitted(), &work.reconstruction.faces());
}

TEST(FitSample, goesOnWithMoreVertices_asAskedFor) {
    SampleJob work = ballOf(aeroplane());
    RouteOptions options;
    options.scoring = {{.protocol = Protocol::surface}};
    options.fit = fitViewsFromName("12");
    fitSample(work, options);
    measureSample(work, options);
    const Scores before = *work.record.scores.back().fitted;
    const std::size_t vertices = work.reconstruction.fitted.size();
    const FitResult coarser = *work.fit;

    options.fit = fitViewsFromName("12+10000vertices");
    fitSample(work, options);
    measureSample(work, options);
    const std::size_t edges = work.reconstruction.faces().size() * 3 / 2;
    EXPECT_EQ(work.reconstruction.fitted.size(), vertices + edges);
    EXPECT_EQ(work.reconstruction.facesOfFitted().size(), 4 * work.reconstruction.faces().size());
    EXPECT_EQ(work.fit->vertices, work.reconstruction.fitted);
    EXPECT_GT(work.fit->steps.size(), coarser.steps.size());
    EXPECT_LT(work.record.scores.back().fitted->measures.chamfer, before.measures.chamfer);
    ASSERT_EQ(work.fit->agreement.size(), coarser.agreement.size());
    for (std::size_t i = 0; i < coarser.agreement.size(); ++i) {
        EXPECT_EQ(work.fit->agreement[i].before.overlap, coarser.agreement[i].before.overlap);
        EXPECT_GE(work.fit->agreement[i].after.overlap, coarser.agreement[i].after.overlap - 0.005);
    }
}

TEST(FitSample, keepsTheNetworksMesh_whereMasksHaveNoHull) {
    SampleJob work = ballOf(aeroplane());
    RouteOptions options;
    options.fit = fitViewsFromName("1+hull");
    fitSample(work, options);
    EXPECT_THAT(work.fit->notes, ElementsAre(testing::StartsWith("No hull")));
    EXPECT_EQ(work.reconstruction.fitted.size(), work.reconstruction.refined.size());
}

/// A device whose fits agree with the photographs as `spoil` leaves them.
class SpoiledFits : public BorrowedDevice {
  public:
    using Spoil = std::function<void(FitAgreement& view)>;
    SpoiledFits(Backend& owned, Spoil spoil) : BorrowedDevice(owned), spoil_(std::move(spoil)) {}

    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const FitView> views, const FitOptions& options) override {
        FitResult result = BorrowedDevice::fit(start, levels, space, views, options);
        for (FitAgreement& view : result.agreement) spoil_(view);
        return result;
    }

  private:
    Spoil spoil_;
};

TEST(FitSample, keepsTheRefinedMesh_whereTheFitAgreesLess) {
    const auto processor = makeCpuBackend(testModel());
    const auto fitted = [&](const SpoiledFits::Spoil& spoil, std::size_t vertices) {
        SampleJob work = ballOf(aeroplane());
        SpoiledFits device(*processor, spoil);
        const std::vector<FitView> views =
            loadFitViews(*work.sample, std::vector{0, 8, 16}, readViewPhotograph, {});
        FitOptions options;
        options.vertices = vertices;
        const FitResult fit = fitReconstruction(work.reconstruction, work.input.cameras.front(),
                                                views, options, &device);
        return std::pair{std::move(work.reconstruction), fit};
    };
    constexpr std::size_t kSplit = 5000;  // the faces are split once
    const SpoiledFits::Spoil overlapsLess = [](FitAgreement& view) { view.after.overlap = 0; };
    const SpoiledFits::Spoil liesFarther = [](FitAgreement& view) {
        view.after.distance->mean = 100;
    };
    const SpoiledFits::Spoil isNowhere = [](FitAgreement& view) { view.after.distance.reset(); };
    for (const auto& [spoil, reason] :
         {std::pair{overlapsLess, "overlap"}, {liesFarther, "distance"}, {isNowhere, "none"}})
        for (const std::size_t vertices : {std::size_t{0}, kSplit}) {
            const auto [reconstruction, fit] = fitted(spoil, vertices);
            EXPECT_EQ(reconstruction.fitted, reconstruction.refined);
            EXPECT_THAT(reconstruction.fittedFaces, IsEmpty());
            EXPECT_EQ(fit.vertices, reconstruction.refined);
            EXPECT_EQ(fit.overlap(&FitAgreement::after), fit.overlap(&FitAgreement::before));
            ASSERT_THAT(fit.notes, SizeIs(1));
            EXPECT_THAT(fit.notes[0],
                        AllOf(testing::HasSubstr("not taken"), testing::HasSubstr(reason)));
        }
    const auto [reconstruction, fit] = fitted([](FitAgreement&) {}, 0);
    EXPECT_NE(reconstruction.fitted, reconstruction.refined);
    EXPECT_THAT(fit.notes, IsEmpty());
}

TEST(FitSample, leavesOutPhotographsThatCannotBeRead_andNamesThem) {
    const TempFolder folder;
    Sample sample = *aeroplane();
    const std::filesystem::path cut = folder / "cut.png";
    std::filesystem::copy_file(sample.images[12], cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    sample.images[4] = folder / "nowhere.png";
    sample.images[12] = cut;
    std::ofstream(sample.images[20] = folder / "damaged.png") << "no picture";
    SampleJob work = ballOf(std::make_shared<const Sample>(sample));
    RouteOptions options;
    options.fit = fitViewsFromName("6");  // three are left: too few to judge each other
    fitSample(work, options);
    ASSERT_TRUE(work.fit);
    EXPECT_THAT(work.fit->leftOut, ElementsAre(4, 12, 20));
    EXPECT_THAT(work.fit->notes,
                ElementsAre(testing::StartsWith("view 4: "), testing::StartsWith("view 12: "),
                            testing::StartsWith("view 20: ")));
    for (const std::string& note : work.fit->notes)
        EXPECT_THAT(note, Not(testing::HasSubstr("no outline")));
    EXPECT_THAT(work.fit->agreement, SizeIs(3));

    // As without them.
    SampleJob without = ballOf(aeroplane());
    const std::vector<FitView> others =
        loadFitViews(*without.sample, std::vector{0, 8, 16}, readViewPhotograph, {});
    fitReconstruction(without.reconstruction, without.input.cameras.front(), others, {});
    EXPECT_EQ(work.reconstruction.fitted, without.reconstruction.fitted);
}

TEST(FitSample, keepsTheRefinedMesh_whenNoPhotographCanBeRead) {
    Sample sample = *aeroplane();
    SampleJob work = ballOf(aeroplane());
    for (auto& image : sample.images) image = "/nowhere" / image.filename();
    work.sample = std::make_shared<const Sample>(sample);
    RouteOptions options;
    options.fit = fitViewsFromName("4");
    fitSample(work, options);
    EXPECT_FALSE(work.fit);
    ASSERT_TRUE(work.fitProblem);
    EXPECT_THAT(work.fitProblem->subject, testing::HasSubstr("00.png"));
    EXPECT_THAT(work.reconstruction.fitted, IsEmpty());
    std::stop_source stop;
    stop.request_stop();
    options.cancel = stop.get_token();
    EXPECT_THROW(fitSample(work, options), Cancelled);
}

}  // namespace
}  // namespace threefold::test
