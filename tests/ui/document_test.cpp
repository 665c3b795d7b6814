#include "ui/document/document.h"

#include <gtest/gtest.h>

#include <QObject>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

TEST(Document, signalsOnlyWhatChanged) {
    Document document;
    int looks = 0, results = 0;
    Look before;
    QObject::connect(&document.look, &LookModel::changed, [&](const Look& old) {
        ++looks;
        before = old;
    });
    QObject::connect(&document.result, &ResultModel::changed, [&] { ++results; });
    document.look.set(Look());
    document.result.set(nullptr);
    EXPECT_EQ(looks + results, 0);
    document.look.set({.morphPosition = -2.5F});
    EXPECT_EQ(looks, 1);
    EXPECT_EQ(before, Look());
    document.result.set(std::make_shared<Result>());
    EXPECT_EQ(results, 1);
}

TEST(Document, updatesItsModels_beforeOthersAreNotified) {
    const auto result = test::resultWithMesh();
    Document document;
    document.fit.setChoice({.on = true});
    document.pointed.setMarked(VertexId{MeshId::result, 7});
    int notifications = 0;
    QObject::connect(&document.result, &ResultModel::changed, [&](const ResultRef& before) {
        ++notifications;
        EXPECT_EQ(before, nullptr);
        EXPECT_EQ(document.fit.convergingMesh(), result->mesh(MeshId::result));
        EXPECT_FALSE(document.pointed.marked());
    });
    document.result.set(result);
    EXPECT_EQ(notifications, 1);
}

TEST(Document, showsThePhotographs_whenADistanceLacksItsTruth) {
    Document document;
    document.look.set({.quantity = Quantity::distanceToTruth});
    EXPECT_EQ(document.shownQuantity(), Quantity::distanceToTruth);
    auto result = std::make_shared<Result>();
    document.result.set(result);
    EXPECT_EQ(document.shownQuantity(), Quantity::photographs);
    // The saved choice is kept.
    EXPECT_EQ(document.look.current().quantity, Quantity::distanceToTruth);
    document.look.set({.quantity = Quantity::movement});
    EXPECT_EQ(document.shownQuantity(), Quantity::movement);
    auto withTruth = std::make_shared<Result>();
    withTruth->truth.emplace().points = std::make_shared<render::SceneMesh>();
    document.look.set({.quantity = Quantity::distanceFromTruth});
    document.result.set(withTruth);
    EXPECT_EQ(document.shownQuantity(), Quantity::distanceFromTruth);
}

OpenedMeshRef withValues(const std::vector<std::string>& names) {
    auto opened = std::make_shared<OpenedMesh>();
    opened->mesh = std::make_shared<render::SceneMesh>(render::SceneMesh{{{0, 0, 0}}, {}});
    auto scalars = std::make_shared<std::vector<VertexScalars>>();
    for (const std::string& name : names) scalars->push_back({name, {0.5F}});
    opened->scalars = scalars;
    return opened;
}

TEST(Document, showsTheValuesOfTheFile_whenAMeshHasNoSample) {
    Document document;
    document.look.set({.quantity = Quantity::distanceToTruth});
    document.opened.set(MeshId::opened(1), withValues({"depth", "error"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);
    EXPECT_EQ(document.fileValues(), "depth");
    document.opened.set(MeshId::opened(2), withValues({"error", "quality"}));
    EXPECT_EQ(document.opened.fileValueNames(),
              (std::vector<std::string>{"depth", "error", "quality"}));
    EXPECT_EQ(document.fileValues(), "quality");
    document.look.change([](Look& look) { look.fileValues = "error"; });
    EXPECT_EQ(document.fileValues(), "error");
    document.opened.set(MeshId::opened(1), nullptr);
    document.opened.set(MeshId::opened(2), nullptr);
    EXPECT_EQ(document.fileValues(), "");
}

TEST(Document, showsOwnColoursOrNone_whenAMeshHasNoPhotographs) {
    Document document;
    document.look.set({.quantity = Quantity::photographs});
    EXPECT_EQ(document.shownQuantity(), Quantity::photographs);
    document.opened.set(MeshId::opened(1), withValues({}));
    EXPECT_EQ(document.shownQuantity(), Quantity::none);
    auto painted = std::make_shared<OpenedMesh>(*withValues({"quality"}));
    auto mesh = std::make_shared<render::SceneMesh>(*painted->mesh);
    mesh->vertexColours = std::make_shared<const std::vector<float>>(1);
    painted->mesh = mesh;
    document.opened.set(MeshId::opened(1), painted);
    EXPECT_EQ(document.shownQuantity(), Quantity::ownColours);
    document.look.set({.quantity = Quantity::movement});
    EXPECT_EQ(document.shownQuantity(), Quantity::movement);
}

TEST(Document, showsNoQuantity_whenMeshesWithoutASampleAreOverlaid) {
    Document document;
    document.look.set({.paneLayout = PaneLayout::overlay, .quantity = Quantity::fileValues});
    document.opened.set(MeshId::opened(1), withValues({"quality"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);  // an overlay needs two meshes
    document.opened.set(MeshId::opened(2), withValues({"quality"}));
    EXPECT_EQ(document.shownQuantity(), Quantity::none);
    document.result.set(std::make_shared<Result>());
    EXPECT_EQ(document.shownQuantity(), Quantity::fileValues);
}

}  // namespace
}  // namespace threefold::ui
