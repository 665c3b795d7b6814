#include "render/mesh_stager.h"

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include <gmock/gmock.h>

#include "engine/error.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"
#include "tests/support/poll_until.h"

namespace threefold::render {
namespace {

using Preparation = Rendering;

SceneMesh sphere(int levels) {
    ValuedMesh made = makeSphere(levels);
    return {std::move(made.vertices), std::move(made.faces)};
}

SceneMeshRef sharedSphere(int levels) {
    return std::make_shared<const SceneMesh>(sphere(levels));
}

TEST_F(Preparation, isNotNeeded_whenAMeshIsSmall) {
    MeshStager stager(device());
    const SceneMeshRef mesh = sharedSphere(3);
    EXPECT_TRUE(stager.isReady(mesh));
    const auto staged = stager.take(mesh);
    ASSERT_TRUE(staged);
    EXPECT_EQ(staged->indexCount, 3 * mesh->faces.size());
}

TEST_F(Preparation, uploadsALargeMeshFromAnotherThread) {
    MeshStager stager(device());
    const SceneMeshRef mesh = sharedSphere(6);
    std::promise<std::thread::id> done;
    EXPECT_FALSE(stager.isReady(mesh));
    stager.startPreparing(mesh, [&] { done.set_value(std::this_thread::get_id()); });
    EXPECT_NE(done.get_future().get(), std::this_thread::get_id());
    EXPECT_TRUE(stager.isReady(mesh));
    const auto staged = stager.take(mesh);
    ASSERT_TRUE(staged);
    EXPECT_EQ(staged->vertexCount, mesh->vertices.size());
    EXPECT_EQ(staged->indexCount, 3 * mesh->faces.size());
}

TEST_F(Preparation, throwsWhereTheMeshIsTaken_whenItCannotBeDrawn) {
    MeshStager stager(device());
    SceneMesh bad = sphere(6);
    bad.faces.back().z = 1'000'000;
    const SceneMeshRef mesh = std::make_shared<const SceneMesh>(std::move(bad));
    std::promise<void> done;
    stager.startPreparing(mesh, [&] { done.set_value(); });
    done.get_future().wait();
    EXPECT_TRUE(stager.isReady(mesh));
    EXPECT_THROW(stager.take(mesh), InputError);
}

TEST_F(Preparation, freesMemory_whenTheLastOwnerOfTheMeshIsGone) {
    MeshStager stager(device());
    const std::uint64_t before = *device().allocatedBytes();
    for (int i = 0; i < 5; ++i) {
        SceneMeshRef mesh = sharedSphere(6);
        std::promise<void> done;
        stager.startPreparing(mesh, [&] { done.set_value(); });
        done.get_future().wait();
        EXPECT_GT(*device().allocatedBytes(), before);
        const std::weak_ptr<const SceneMesh> gone = mesh;
        mesh.reset();
        ASSERT_TRUE(threefold::test::pollUntil([&] { return gone.expired(); }))
            << "the other thread keeps its job";
        stager.removeUnused();
        EXPECT_EQ(*device().allocatedBytes(), before);
    }
}

TEST_F(Preparation, keepsNoSecondCopy_whenAMeshIsTakenBeforeItIsReady) {
    MeshStager stager(device());
    const std::uint64_t before = *device().allocatedBytes();
    const SceneMeshRef first = sharedSphere(6), second = sharedSphere(6);
    std::promise<void> staged, release, done;
    // The stager's thread waits after the first mesh, so the second mesh is taken before it is
    // staged.
    stager.startPreparing(first, [&, released = release.get_future().share()] {
        staged.set_value();
        released.wait();
    });
    stager.startPreparing(second, [&] { done.set_value(); });
    staged.get_future().wait();
    EXPECT_TRUE(stager.take(second));
    release.set_value();
    done.get_future().wait();
    EXPECT_TRUE(stager.take(first));
    EXPECT_TRUE(threefold::test::pollUntil([&] { return *device().allocatedBytes() == before; }));
}

TEST_F(Preparation, memoryIsFlat_whenMeshesAreReplaced) {
    const auto drawAnother = [&] {
        Scene scene;
        scene.panes.resize(1);
        scene.panes[0].layers.emplace_back().mesh = sharedSphere(6);
        target().draw(scene, 16, 16);
        return device().allocatedBytes()->load();
    };
    const std::uint64_t first = drawAnother();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(drawAnother(), first);
}

}  // namespace
}  // namespace threefold::render
