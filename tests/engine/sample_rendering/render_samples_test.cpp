#include "engine/sample_rendering/render_samples.h"
#include "engine/raster/render_mask.h"
#include "engine/sample_rendering/render_sample.h"

#include <algorithm>
#include <chrono>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/pictures/image.h"
#include "engine/measures/silhouette.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_rendering/list_files.h"
#include "engine/sample_rendering/source_mesh.h"
#include "engine/sample_rendering/staged_sample.h"
#include "engine/views/foreground.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/file_text.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

struct Made : RenderedSample, SamplePaths {};

Made renderSample(const SourceMesh& mesh, const std::filesystem::path& root,
                  const RenderOptions& options, int threads, const std::stop_token& cancel = {}) {
    PreparedSample prepared = prepareRenderedSample(mesh, root, options, threads, cancel);
    flushDisk(root);
    SamplePaths paths = prepared.paths;
    return {publishSample(std::move(prepared), options.overwrite), std::move(paths)};
}

using testing::HasSubstr;
using Outcome = RenderResult::Outcome;

/// Options for small views, which render quickly.
RenderOptions smallOptions() {
    RenderOptions options;
    options.side = 32;
    options.points = 500;
    options.views.count = 3;
    return options;
}

std::vector<std::string> everythingIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (!entry.is_directory())
            names.push_back(std::filesystem::relative(entry.path(), folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

class MakeSamples : public testing::Test {
  protected:
    SourceMesh meshFile(const std::string& name, const std::string& text) const {
        writeText(folder_ / "meshes" / name, text);
        return nameMesh(folder_ / "meshes" / name, "cat");
    }
    SourceMesh ballFile(const std::string& name = "ball.obj") const {
        return meshFile(name, encodeMesh(MeshFormat::obj, ball(12)));
    }
    std::filesystem::path root() const {
        std::filesystem::create_directories(folder_ / "out");
        return folder_ / "out";
    }

    TempFolder folder_;
};

TEST_F(MakeSamples, writesTheLayout_thatFindSampleReads) {
    const Made made = renderSample(ballFile(), root(), smallOptions(), 1);
    EXPECT_THAT(everythingIn(root()),
                testing::ElementsAre("cat/ball/rendering/00.png", "cat/ball/rendering/01.png",
                                     "cat/ball/rendering/02.png",
                                     "cat/ball/rendering/rendering_metadata.txt",
                                     "cat/ball/rendering/renderings.txt", "gt/cat_ball_00.dat",
                                     "gt/cat_ball_00.ply"));
    EXPECT_EQ(made.faceCount, 528U);
    EXPECT_EQ(made.degenerateFaceCount, 0U);
    const Sample sample = findSample(made.folder);
    EXPECT_EQ(sample.name(), "cat_ball_00");
    EXPECT_EQ(sample.truthFile(), made.truth);
    const int views[] = {0, 1, 2};
    const NetworkInput input = loadViews(sample, views);
    EXPECT_EQ(input.images.front().width, 32);
    EXPECT_EQ(
        findSample({.location = "cat_ball_00.dat", .imageRoot = root(), .truthRoot = root() / "gt"})
            .id,
        "ball");
}

TEST_F(MakeSamples, writesTheTruthOnTheSurface_inViewZerosSpace) {
    const Made made = renderSample(ballFile(), root(), smallOptions(), 1);
    const Sample sample = findSample(made.folder);
    const GroundTruth truth = loadGroundTruth(sample, 0);
    ASSERT_EQ(truth.points.size(), 500U);
    ASSERT_EQ(truth.normals.size(), 500U);
    const Camera camera = Camera::fromRow(sample.cameraRows.front());
    const double radius = 0.57 / 2 / std::sqrt(3.0);
    for (std::size_t i = 0; i < truth.points.size(); ++i) {
        const glm::dvec3 world = camera.toWorld(glm::dvec3(truth.points[i]));
        EXPECT_NEAR(glm::length(world), radius, 0.012 * radius + 1e-3);
        const glm::dvec3 normal = glm::transpose(camera.rotation) * glm::dvec3(truth.normals[i]);
        EXPECT_GT(glm::dot(normal, glm::normalize(world)), 0.9);
    }
    // The PLY file of the truth has the same points.
    const GroundTruth cloud = readGroundTruth(root() / "gt/cat_ball_00.ply");
    EXPECT_EQ(cloud.points, truth.points);
    EXPECT_EQ(cloud.normals, truth.normals);
}

TEST_F(MakeSamples, showsTheMeshsOwnSilhouette) {
    // A pixel is in the picture's mask if at least half of the pixel is covered, and in the mesh's
    // mask if its centre is covered, so the masks differ at the outline only.
    const SourceMesh mesh = ballFile();
    RenderOptions options = smallOptions();
    options.side = kDefaultRenderingSide;
    options.views.count = 6;
    const Made made = renderSample(mesh, root(), options, 1);
    const Sample sample = findSample(made.folder);
    const PreparedMesh subject = prepareMesh(readTexturedMesh(mesh.file));
    for (int view = 0; view < options.views.count; ++view) {
        const Image image = readImage(made.folder / "rendering" /
                                      (std::string("0") + std::to_string(view) + ".png"));
        const std::optional<Mask> seen = foregroundOf(image);
        ASSERT_TRUE(seen);
        const Camera camera = Camera::fromRow(sample.cameraRows[static_cast<std::size_t>(view)]);
        const Mask own = renderMask(subject.mesh.vertices, subject.mesh.faces, Camera{}, camera,
                                    options.side, options.side);
        const SilhouetteScore score = compareMasks(*seen, own);
        EXPECT_GT(score.overlap, 0.98);
        EXPECT_LE(score.outlineDistance->hausdorff, 1);
        EXPECT_LT(score.outlineDistance->mean, 0.2);
    }
}

TEST_F(MakeSamples, makesTheSameFiles_withAnyNumberOfThreads) {
    const SourceMesh mesh = ballFile();
    renderSample(mesh, root(), smallOptions(), 1);
    const std::filesystem::path other = folder_ / "other";
    std::filesystem::create_directories(other);
    renderSample(mesh, other, smallOptions(), 3);
    for (const std::string& name : everythingIn(root()))
        EXPECT_TRUE(fileText(root() / name) == fileText(other / name)) << name;
}

TEST_F(MakeSamples, skipsFinishedSamples_andContinuesAfterBadMeshes) {
    const std::vector<SourceMesh> meshes = {
        ballFile("one.obj"),
        meshFile("nan.obj", "v 0 0 0\nv nan 0 1\nv 1 0 0\nf 1 2 3\n"),
        meshFile("points.obj", "v 0 0 0\nv 1 0 0\n"),
        meshFile("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        meshFile("huge.obj", "v 0 0 0\nv 1 0 0\nv 2 0 1\nf 1 2 3000000000\n"),
        meshFile("huger.obj", "v 0 0 0\nv 1 0 0\nv 2 0 1\nf 1 2 99999999999999999999\n"),
        meshFile("empty.obj", ""),
        meshFile("book.obj",  // three faces at one edge
                 "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nv -1 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n"),
        ballFile("one.stl.obj")};
    std::size_t told = 0;
    const auto results =
        renderSamples(meshes, root(), smallOptions(), 2, {}, [&](const RenderResult&) { ++told; });
    ASSERT_EQ(results.size(), meshes.size());
    EXPECT_EQ(told, meshes.size());
    for (const RenderResult& result : results) {
        const bool isGood = result.mesh.id.starts_with("one") || result.mesh.id == "book";
        EXPECT_EQ(result.outcome, isGood ? Outcome::made : Outcome::failed) << result.error;
        if (isGood) continue;
        EXPECT_THAT(result.error, HasSubstr(result.mesh.file.filename().string()));
    }
    EXPECT_EQ(everythingIn(root()).size(), 3U * 7);
    const ListCounts lists = writeListFiles(root(), 0.5);
    EXPECT_EQ(lists.all, 3U);
    EXPECT_EQ(lists.train + lists.test, 3U);
    EXPECT_EQ(fileText(root() / "list.txt"),
              "cat_book_00.dat\ncat_one_00.dat\ncat_one.stl_00.dat\n");

    for (const RenderResult& result : renderSamples(meshes, root(), smallOptions(), 1, {}, {}))
        EXPECT_NE(result.outcome, Outcome::made);
}

TEST_F(MakeSamples, fails_whenAPictureOfAnEarlierSampleIsMissingOrEmpty) {
    const std::vector<SourceMesh> meshes = {ballFile()};
    RenderOptions options = smallOptions();
    const std::filesystem::path picture = root() / "cat/ball/rendering/01.png";
    const auto render = [&] { return renderSamples(meshes, root(), options, 1, {}, {}).front(); };
    ASSERT_EQ(render().outcome, Outcome::made);
    EXPECT_EQ(render().outcome, Outcome::skipped);
    writeText(picture, "");
    EXPECT_THAT(render().error, HasSubstr("01.png: is empty, so that the sample is not whole"));
    std::filesystem::remove(picture);
    EXPECT_THAT(render().error, HasSubstr("01.png: is missing, so that the sample is not whole"));
    EXPECT_EQ(planSamples(meshes, root(), options).front().outcome, Outcome::failed);
    options.overwrite = true;
    EXPECT_EQ(render().outcome, Outcome::made);
    EXPECT_FALSE(fileText(picture).empty());
}

TEST_F(MakeSamples, saysThatASampleIsOutdated_whenItsMeshIsNewer) {
    const std::vector<SourceMesh> meshes = {ballFile()};
    const auto render = [&] {
        return renderSamples(meshes, root(), smallOptions(), 1, {}, {}).front();
    };
    ASSERT_EQ(render().outcome, Outcome::made);
    EXPECT_FALSE(render().isOutdated);
    using namespace std::chrono_literals;
    std::filesystem::last_write_time(
        meshes.front().file, std::filesystem::last_write_time(root() / "gt/cat_ball_00.dat") + 5s);
    EXPECT_EQ(render().outcome, Outcome::skipped);
    EXPECT_TRUE(render().isOutdated);
}

TEST_F(MakeSamples, reportsMeshesInOrder) {
    std::vector<SourceMesh> meshes = {meshFile("big.obj", encodeMesh(MeshFormat::obj, ball(150)))};
    for (int i = 0; i < 20; ++i) meshes.push_back(ballFile(std::to_string(i) + ".obj"));
    meshes.push_back(meshFile("bad.obj", ""));
    const auto results = renderSamples(meshes, root(), smallOptions(), 3, {}, {});
    ASSERT_EQ(results.size(), meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) EXPECT_EQ(results[i].mesh.file, meshes[i].file);
}

TEST_F(MakeSamples, removesLeftoversOfAKilledRun_butNotFilesInUse) {
    writeText(root() / ".threefold-render-killed/lock", "");
    writeText(root() / ".threefold-render-killed/sample/rendering/00.png", "half");
    std::filesystem::create_directory(root() / ".threefold-render-empty");
    writeText(root() / ".threefold-render-removed/old/rendering/00.png", "replaced");
    const StagedSample other(root());
    other.write("rendering/00.png", std::string_view("mine"));
    const std::vector<SourceMesh> meshes = {ballFile()};
    renderSamples(meshes, root(), smallOptions(), 1, {}, {});
    EXPECT_FALSE(std::filesystem::exists(root() / ".threefold-render-killed"));
    EXPECT_FALSE(std::filesystem::exists(root() / ".threefold-render-empty"));
    EXPECT_FALSE(std::filesystem::exists(root() / ".threefold-render-removed"));
    // Two files are in the other sample's temporary folder, seven belong to this sample.
    EXPECT_EQ(everythingIn(root()).size(), 2U + 7U);
}

TEST_F(MakeSamples, stops_whenTheReportThrows) {
    std::vector<SourceMesh> meshes;
    for (int i = 0; i < 200; ++i) meshes.push_back(ballFile(std::to_string(i) + ".obj"));
    const auto fail = [](const RenderResult&) { throw IoError({"render.json", "", "no", ""}); };
    EXPECT_THROW(renderSamples(meshes, root(), smallOptions(), 2, {}, fail), IoError);
    EXPECT_LT(everythingIn(root()).size(), 200U * 7);
}

TEST_F(MakeSamples, keepsTheOldSample_whenTheNewOneCannotBeMoved) {
    const SourceMesh mesh = ballFile();
    renderSample(mesh, root(), smallOptions(), 1);
    const std::string before = fileText(root() / "gt/cat_ball_00.dat");
    RenderOptions options = smallOptions();
    options.points = 400;
    {
        PreparedSample sample = prepareRenderedSample(
            mesh, folder_ / "out",
            [&] {
                RenderOptions over = options;
                over.overwrite = true;
                return over;
            }(),
            1);
        EXPECT_THROW(publishSample(std::move(sample), false), IoError);
    }
    EXPECT_EQ(everythingIn(root()).size(), 7U);
    EXPECT_TRUE(fileText(root() / "gt/cat_ball_00.dat") == before);
}

TEST_F(MakeSamples, plansWithoutWriting) {
    const std::vector<SourceMesh> meshes = {ballFile("a.obj"), ballFile("b.obj"),
                                            ballFile("more/a.obj"), ballFile("c.obj"),
                                            nameMesh(folder_ / "not/there.obj", "cat")};
    renderSample(meshes[1], root(), smallOptions(), 1);
    writeText(root() / "cat/c/note.txt", "mine");
    const std::vector<std::string> before = everythingIn(root());
    const auto plan = planSamples(meshes, root(), smallOptions());
    EXPECT_EQ(everythingIn(root()), before);
    ASSERT_EQ(plan.size(), 5U);
    EXPECT_EQ(plan[0].outcome, Outcome::made);
    EXPECT_EQ(plan[0].paths.folder, root() / "cat/a");
    EXPECT_EQ(plan[1].outcome, Outcome::skipped);
    EXPECT_THAT(plan[2].error, HasSubstr("its sample would be cat_a"));
    EXPECT_THAT(plan[3].error, HasSubstr("exists already"));
    EXPECT_EQ(plan[4].outcome, Outcome::made);  // planning does not read meshes
    const auto done = renderSamples(meshes, root(), smallOptions(), 1, {}, {});
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(done[i].outcome, plan[i].outcome);
        EXPECT_EQ(done[i].error, plan[i].error);
    }
}

TEST_F(MakeSamples, countsCutViews_andRefusesAMeshThatNoViewShows) {
    RenderOptions options = smallOptions();
    options.views.count = 4;
    options.views.elevation.values = {0};
    // Seen from its end, a needle is a dot. Seen from its side at distance 0.4, a needle is longer
    // than the image.
    const SourceMesh needle =
        meshFile("needle.obj", "v -1 0 0\nv 1 0.1 0\nv 1 -0.1 0.1\nf 1 2 3\n");
    options.views.azimuth.values = {90, 90, 90, 90};
    options.views.distance.values = {0.4, 0.4, 0.8, 0.9};
    Made made = renderSample(needle, root(), options, 1);
    EXPECT_EQ(made.cutOffViewCount, 2U);
    EXPECT_EQ(made.emptyViewCount, 0U);
    options.conversion.keepsCoordinates = true;
    const SourceMesh far = meshFile("far.obj", "v 90 0 0\nv 91 1 0\nv 91 0 1\nf 1 2 3\n");
    EXPECT_THAT(messageOf<InputError>([&] { renderSample(far, root(), options, 1); }),
                HasSubstr("far.obj: is visible in no view"));
    EXPECT_EQ(everythingIn(root()).size(), 4U + 2 + 2);
    options.views.azimuth.values = {0, 90, 180, 270};
    options.views.distance.values = {2};
    const SourceMesh aside = meshFile("aside.obj", "v 0 0 1.2\nv 0 .1 1.2\nv .1 .1 1.2\nf 1 2 3\n");
    made = renderSample(aside, root(), options, 1);
    EXPECT_EQ(made.emptyViewCount, 2U);
    EXPECT_EQ(made.cutOffViewCount, 0U);
}

TEST_F(MakeSamples, failsTheSecondMesh_ofOneName) {
    const std::vector<SourceMesh> meshes = {ballFile("x.obj"), ballFile("more/x.obj")};
    const auto results = renderSamples(meshes, root(), smallOptions(), 1, {}, {});
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].outcome, Outcome::made);
    EXPECT_THAT(results[1].error,
                HasSubstr("more/x.obj: its sample would be cat_x, like that of "));
    EXPECT_THAT(results[1].error, HasSubstr("meshes/x.obj. Rename"));
}

TEST_F(MakeSamples, leavesNoFiles_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(renderSample(ballFile(), root(), smallOptions(), 1, stop.get_token()), Cancelled);
    EXPECT_TRUE(std::filesystem::is_empty(root()));
    const std::vector<SourceMesh> meshes = {ballFile()};
    EXPECT_TRUE(renderSamples(meshes, root(), smallOptions(), 1, stop.get_token(), {}).empty());
    EXPECT_TRUE(std::filesystem::is_empty(root()));
}

TEST_F(MakeSamples, replacesASample_onlyWhenAsked) {
    const SourceMesh mesh = ballFile();
    const Made made = renderSample(mesh, root(), smallOptions(), 1);
    EXPECT_THAT(messageOf<InputError>([&] { renderSample(mesh, root(), smallOptions(), 1); }),
                HasSubstr("exists already"));
    RenderOptions options = smallOptions();
    options.overwrite = true;
    options.views.count = 2;
    writeText(made.folder / "models/model.obj", "mine");
    EXPECT_THAT(messageOf<InputError>([&] { renderSample(mesh, root(), options, 1); }),
                HasSubstr("holds 'models', which does not belong to a sample"));
    EXPECT_EQ(everythingIn(root()).size(), 8U);
    std::filesystem::remove_all(made.folder / "models");
    renderSample(mesh, root(), options, 1);
    EXPECT_EQ(findSample(made.folder).viewCount(), 2U);
    EXPECT_EQ(everythingIn(root()).size(), 6U);
}

TEST_F(MakeSamples, keepsTruthFiles_thatItDidNotWrite) {
    for (const char* name : {"gt/cat_ball_00.dat", "gt/cat_ball_00.ply"}) {
        writeText(root() / name, "mine");
        const std::vector<SourceMesh> meshes = {ballFile()};
        const auto results = renderSamples(meshes, root(), smallOptions(), 1, {}, {});
        EXPECT_THAT(results.at(0).error, HasSubstr("exists already"));
        EXPECT_EQ(fileText(root() / name), "mine");
        std::filesystem::remove(root() / name);
    }
}

TEST_F(MakeSamples, keepsFilesOfOthers_besideTheImagesThatItReplaces) {
    const SourceMesh mesh = ballFile();
    const Made made = renderSample(mesh, root(), smallOptions(), 1);
    RenderOptions options = smallOptions();
    options.overwrite = true;
    for (const char* name : {"notes.txt", "holiday.png", "sub/00.png"}) {
        const std::filesystem::path file = made.folder / "rendering" / name;
        writeText(file, "mine");
        EXPECT_THAT(messageOf<InputError>([&] { renderSample(mesh, root(), options, 1); }),
                    HasSubstr("which does not belong to a sample"));
        EXPECT_EQ(fileText(file), "mine");
        std::filesystem::remove_all(file);
        if (file.parent_path().filename() == "sub") std::filesystem::remove(file.parent_path());
    }
    renderSample(mesh, root(), options, 1);
}

TEST_F(MakeSamples, keepsAFolder_whenItIsNoSample) {
    writeText(root() / "cat/ball/precious.txt", "mine");
    const std::vector<SourceMesh> meshes = {ballFile()};
    const auto results = renderSamples(meshes, root(), smallOptions(), 1, {}, {});
    EXPECT_THAT(results.at(0).error, HasSubstr("exists already"));
    EXPECT_THAT(everythingIn(root()), testing::ElementsAre("cat/ball/precious.txt"));
}

TEST_F(MakeSamples, refusesSettingsOutOfRange) {
    RenderOptions options = smallOptions();
    options.side = 1025;
    EXPECT_THROW(requireValidOptions(options), UsageError);
    options = smallOptions();
    options.points = 0;
    EXPECT_THROW(requireValidOptions(options), UsageError);
}

}  // namespace
}  // namespace threefold::test
