#include "ui/panes/pick_trees.h"

#include <array>
#include <cmath>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <QThreadPool>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "engine/error.h"
#include "tests/ui/test_sample.h"
#include "ui/panes/peaks.h"

namespace threefold::ui {
namespace {

using testing::ElementsAre;

const glm::vec2 kPaneSize(640, 480);

// The coarse mesh of FakeBackend, a sphere.
render::SceneMeshRef sphere() {
    const Reconstruction made = test::fakeReconstruction();
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = made.vertices("coarse");
    mesh->faces = made.faces(*made.find("coarse"));
    return mesh;
}

render::OrbitCamera camera(float yaw = 0.3F, float pitch = 0.2F) {
    render::OrbitCamera camera;
    camera.target = {0, 0, -0.8F};
    camera.yaw = yaw;
    camera.pitch = pitch;
    return camera;
}

glm::vec2 pixelOf(const render::OrbitCamera& camera, glm::vec3 point) {
    const glm::vec4 clip = camera.projectionMatrix(kPaneSize.x / kPaneSize.y) *
                           camera.viewMatrix() * glm::vec4(point, 1);
    return (glm::vec2(clip.x, clip.y) / clip.w * 0.5F + 0.5F) * kPaneSize;
}

float depthOf(const render::OrbitCamera& camera, glm::vec3 point) {
    return -(camera.viewMatrix() * glm::vec4(point, 1)).z;
}

TEST(PickTree, findsVisibleVertices_andNoHiddenOnes) {
    const render::SceneMeshRef mesh = sphere();
    const PickTree tree(mesh);
    const render::OrbitCamera view = camera();
    const glm::vec3 centre(0, 0, -0.8F);
    int seen = 0;
    for (std::size_t i = 60; i + 60 < mesh->vertices.size(); i += 7) {
        const glm::vec3 point = mesh->vertices[i];
        const float facing =
            glm::dot(glm::normalize(point - centre), glm::normalize(view.centre() - point));
        const auto pick = tree.pick({view, kPaneSize, pixelOf(view, point), 1.0F});
        if (facing > 0.5F) {
            ++seen;
            ASSERT_TRUE(pick) << i;
            EXPECT_LT(glm::distance(mesh->vertices[pick->index], point), 1e-6F);
            EXPECT_NEAR(pick->depth, depthOf(view, point), 1e-5F);
        } else if (facing < -0.5F) {
            EXPECT_TRUE(tree.isOccluded(i, view.centre())) << i;
            EXPECT_TRUE(!pick || pick->index != i) << i;
        }
    }
    EXPECT_GT(seen, 10);
}

TEST(PickTree, findsTheInside_whenTheOutsideIsCutAway) {
    const render::SceneMeshRef mesh = sphere();
    const PickTree tree(mesh);
    render::OrbitCamera view = camera();
    const auto front = tree.pick({view, kPaneSize, kPaneSize / 2.0F, 40.0F});
    view.clipDepth = 0.0F;
    const auto back = tree.pick({view, kPaneSize, kPaneSize / 2.0F, 40.0F});
    ASSERT_TRUE(front && back);
    EXPECT_LT(front->depth, view.distance);
    EXPECT_GT(back->depth, view.distance);
}

TEST(PickTree, keepsToTheRadius) {
    const render::SceneMeshRef mesh = sphere();
    const PickTree tree(mesh);
    const render::OrbitCamera view = camera();
    EXPECT_FALSE(tree.pick({view, kPaneSize, {3, 3}, 12}));
    EXPECT_FALSE(tree.pick({view, {0, 0}, {0, 0}, 12}));
    const auto pick = tree.pick({view, kPaneSize, kPaneSize / 2.0F, 40});
    ASSERT_TRUE(pick);
    EXPECT_LE(pick->pointerDistance, 40);
}

TEST(PickTree, findsTheNearestPoint_whenSeveralAreInLine) {
    auto cloud = std::make_shared<render::SceneMesh>();
    const render::OrbitCamera view = camera(0, 0);
    for (const float z : {-0.9F, -0.5F, -0.7F}) cloud->vertices.push_back({0, 0, z});
    cloud->vertices.push_back({NAN, 0, 0});
    cloud->vertices.push_back({0, 0, 5});  // behind the camera
    const auto pick = PickTree(cloud).pick({view, kPaneSize, kPaneSize / 2.0F, 5});
    ASSERT_TRUE(pick);
    EXPECT_EQ(pick->index, 1U);
}

TEST(PickTree, findsNothingInAnEmptyMesh_butVerticesOfInvalidFaces) {
    EXPECT_FALSE(PickTree(std::make_shared<render::SceneMesh>())
                     .pick({camera(), kPaneSize, kPaneSize / 2.0F, 100}));
    auto broken = std::make_shared<render::SceneMesh>();
    broken->vertices = {{0, 0, -0.8F}};
    broken->faces = {{0, 1, 2}};  // vertices 1 and 2 do not exist
    EXPECT_TRUE(PickTree(broken).pick({camera(), kPaneSize, kPaneSize / 2.0F, 100}));
}

TEST(PickTree, findsDirectionsFromWhichAVertexIsVisible) {
    const render::SceneMeshRef mesh = sphere();
    const PickTree tree(mesh);
    const render::OrbitCamera view = camera();
    const glm::vec3 present = glm::normalize(view.centre() - view.target);
    for (std::size_t i = 60; i + 60 < mesh->vertices.size(); i += 97) {
        const glm::vec3 direction = tree.bestViewDirection(i, present, view.target, view.distance);
        EXPECT_FALSE(tree.isOccluded(i, view.target + view.distance * direction)) << i;
    }
}

TEST(PickTree, isNotBuilt_whenItIsCancelled) {
    std::stop_source source;
    EXPECT_NO_THROW(PickTree(sphere(), source.get_token()));
    source.request_stop();
    EXPECT_THROW(PickTree(sphere(), source.get_token()), Cancelled);
}

// Blocks all threads of Qt's thread pool until the destructor, so new tasks wait in the queue.
class BusyPool {
  public:
    BusyPool() : threads_(QThreadPool::globalInstance()->maxThreadCount()) {
        for (int i = 0; i < threads_; ++i) {
            QThreadPool::globalInstance()->start([this] { go_.acquire(); });
        }
    }
    ~BusyPool() {
        go_.release(threads_);
        QThreadPool::globalInstance()->waitForDone();
    }

  private:
    int threads_;
    std::counting_semaphore<> go_{0};
};

OpenedMeshRef opened(render::SceneMeshRef mesh) {
    return std::make_shared<const OpenedMesh>(OpenedMesh{"mesh.obj", std::move(mesh)});
}

TEST(PickTrees, areMadeForShownMeshes_notForReplacedOnes) {
    std::string name = "threefold_ui_tests";
    std::array<char*, 1> arguments{name.data()};
    int count = 1;
    const QCoreApplication application(count, arguments.data());
    Document document;
    PickTrees trees(document, nullptr);
    const QSignalSpy ready(&trees, &PickTrees::ready);
    const render::SceneMeshRef first = sphere(), second = sphere();
    {
        const BusyPool pool;
        document.opened.set(MeshId::opened(1), opened(first));
        EXPECT_FALSE(trees.findOrBuild(first));
        document.opened.set(MeshId::opened(1), opened(second));
        EXPECT_FALSE(trees.findOrBuild(second));
    }
    QCoreApplication::processEvents();
    EXPECT_EQ(ready.count(), 1);
    EXPECT_TRUE(trees.findOrBuild(second));
    // A mesh whose tree was dropped gets a new tree when the mesh is shown again.
    document.opened.set(MeshId::opened(1), opened(first));
    EXPECT_FALSE(trees.findOrBuild(first));
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_TRUE(trees.findOrBuild(first));
}

TEST(Peaks, areLocalMaxima_theGreatestFirst) {
    // Strip of triangles: vertices 2i and 2i + 1 are column i, joined to the neighbouring columns.
    render::SceneMesh mesh;
    constexpr std::uint32_t kColumns = 10;
    for (std::uint32_t i = 0; i < kColumns; ++i) {
        mesh.vertices.push_back({i, 0, 0});
        mesh.vertices.push_back({i, 1, 0});
    }
    for (std::uint32_t i = 0; i + 1 < kColumns; ++i) {
        mesh.faces.emplace_back(2 * i, 2 * i + 2, 2 * i + 1);
        mesh.faces.emplace_back(2 * i + 1, 2 * i + 2, 2 * i + 3);
    }
    std::vector<float> values(2 * kColumns, 0.1F);
    values[4] = 5;
    values[6] = 4.9F;  // a neighbour of vertex 4, so no local maximum
    values[14] = 7;
    values[19] = NAN;
    values[0] = 1;
    EXPECT_THAT(peaks(mesh, values, 3), ElementsAre(14U, 4U, 0U));
    EXPECT_THAT(peaks(mesh, values, 1), ElementsAre(14U));
    EXPECT_TRUE(peaks(mesh, {1, 2}, 3).empty());
}

TEST(Peaks, areFarApart_inACloud) {
    render::SceneMesh cloud;
    cloud.vertices = {{0, 0, 0}, {0.001F, 0, 0}, {1, 0, 0}, {1, 1, 1}};
    EXPECT_THAT(peaks(cloud, {3, 4, 1, 2}, 10), ElementsAre(1U, 3U, 2U));
}

}  // namespace
}  // namespace threefold::ui
