#include "ui/document/document.h"

#include <gtest/gtest.h>

#include <QObject>

namespace threefold::ui {
namespace {

TEST(Document, signalsOnlyWhatChanged) {
    Document document;
    int looks = 0, results = 0;
    Look before;
    QObject::connect(&document, &Document::lookChanged, [&](const Look& old) {
        ++looks;
        before = old;
    });
    QObject::connect(&document, &Document::resultChanged, [&] { ++results; });
    document.setLook(Look());
    document.setResult(nullptr);
    EXPECT_EQ(looks + results, 0);
    document.setLook({.morphPosition = 2.5F});
    EXPECT_EQ(looks, 1);
    EXPECT_EQ(before, Look());
    document.setResult(std::make_shared<Result>());
    EXPECT_EQ(results, 1);
}

TEST(Document, forgetsPickedVertices_whenTheirMeshGoes) {
    Document document;
    document.setMarked(PickedVertex{MeshRole::refined, 7});
    document.setHovered(PickedVertex{MeshRole::coarse, 3});
    document.setResult(std::make_shared<Result>());
    EXPECT_FALSE(document.marked());
    EXPECT_FALSE(document.hovered());
    document.setMarked(PickedVertex{MeshRole::comparison, 7});
    document.setComparison(std::make_shared<OpenedMesh>());
    EXPECT_FALSE(document.marked());
}

TEST(Document, showsTheRefinedMeshAsTheFitsStart_onlyWhereResultsAreFitted) {
    const auto result = std::make_shared<Result>();
    result->refined = std::make_shared<render::SceneMesh>();
    Document document;
    document.setResult(result);
    EXPECT_EQ(document.fitSoFar(), nullptr);
    document.setFitChoice({.on = true});
    const auto next = std::make_shared<Result>(*result);
    document.setResult(next);
    EXPECT_EQ(document.fitSoFar(), result->refined);
    const auto ended = std::make_shared<Result>(*result);
    ended->fit.emplace();
    document.setResult(ended);
    EXPECT_EQ(document.fitSoFar(), nullptr);
}

TEST(Document, keepsPickedVertices_whenAFitIsAddedToTheSameMeshes) {
    const auto before = std::make_shared<Result>();
    before->refined = std::make_shared<render::SceneMesh>();
    Document document;
    document.setResult(before);
    document.setMarked(PickedVertex{MeshRole::refined, 7});
    document.setResult(std::make_shared<Result>(*before));
    EXPECT_TRUE(document.marked());
}

}  // namespace
}  // namespace threefold::ui
