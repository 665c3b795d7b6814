#include "ui/document/pointed_vertices.h"

#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"
#include "ui/document/document.h"

namespace threefold::ui {
namespace {

TEST(PointedVertices, forgetsPickedVertices_whenTheirMeshIsClosed) {
    Document document;
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    document.pointed.setHovered(VertexId{MeshId::firstPublished, 3});
    document.result.set(std::make_shared<Result>());
    EXPECT_FALSE(document.pointed.marked());
    EXPECT_FALSE(document.pointed.hovered());
    document.pointed.setMarked(VertexId{MeshId::opened(1), 7});
    document.opened.set(MeshId::opened(1), std::make_shared<OpenedMesh>());
    EXPECT_FALSE(document.pointed.marked());
}

TEST(PointedVertices, forgetsPickedVertices_beforeThePanesShowTheOtherMeshes) {
    Document document;
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    bool isMarked = true;
    QObject::connect(&document.result, &ResultModel::changed,
                     [&] { isMarked = document.pointed.marked().has_value(); });
    document.result.set(std::make_shared<Result>());
    EXPECT_FALSE(isMarked);
}

TEST(PointedVertices, keepsPickedVertices_whenAFitIsAddedToTheSameMeshes) {
    const auto before = test::resultWithMesh();
    Document document;
    document.result.set(before);
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    document.result.set(std::make_shared<Result>(*before));
    EXPECT_TRUE(document.pointed.marked());
}

TEST(PointedVertices, forgetsPickedVertices_whenTheFittedMeshHasOtherVertices) {
    const auto before = test::resultWithMesh();
    const auto fitted = test::fittedResult(before);
    Document document;
    document.result.set(before);
    const VertexId vertex{MeshId::result, 7};
    document.pointed.setMarked(vertex);
    document.result.set(fitted);
    EXPECT_FALSE(document.pointed.marked());
    document.pointed.setMarked(vertex);
    document.look.set({.paneLayout = PaneLayout::wipe, .morphPosition = 0.25F});
    EXPECT_TRUE(document.pointed.marked());
    document.look.set({.paneLayout = PaneLayout::wipe, .morphPosition = 0.75F});
    EXPECT_FALSE(document.pointed.marked());
}

}  // namespace
}  // namespace threefold::ui
