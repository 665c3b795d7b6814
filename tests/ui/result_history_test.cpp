#include "ui/document/result_history.h"

#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

ResultRef made(std::vector<int> views, render::SceneMeshRef refined = nullptr) {
    auto result = test::resultWithMesh();
    result->views = std::move(views);
    result->morph.stages[test::kRefinedStage].mesh =
        refined ? std::move(refined) : std::make_shared<render::SceneMesh>();
    return result;
}

TEST(ResultHistory, forgetsTheOldest_butNotThePinned) {
    Document document;
    ResultHistory history(document);
    const ResultRef first = made({0});
    const ResultRef second = made({1});
    document.result.set(first);
    document.result.set(second);
    EXPECT_TRUE(history.setPinned(first, true));
    for (int i = 0; i < 40; ++i) document.result.set(made({i}));
    ASSERT_EQ(history.entries().size(), ResultHistory::kMaxResults);
    EXPECT_EQ(history.entries().front().result, first);
    EXPECT_TRUE(history.entries().front().pinned);
    for (const HistoryEntry& each : history.entries()) EXPECT_NE(each.result, second);
    EXPECT_EQ(history.entries().back().result, document.result.current());
    history.remove(first);
    EXPECT_EQ(history.entries().size(), ResultHistory::kMaxResults - 1);
}

TEST(ResultHistory, pinsNoMoreThanItsLimit) {
    Document document;
    ResultHistory history(document);
    std::size_t pinned = 0;
    for (int i = 0; i < 20; ++i) {
        document.result.set(made({i}));
        pinned += history.setPinned(document.result.current(), true) ? 1 : 0;
    }
    EXPECT_EQ(pinned, ResultHistory::kMaxPinned);
    EXPECT_LE(history.entries().size(), ResultHistory::kMaxResults);
}

TEST(ResultHistory, countsAResultOnce_beforeAndAfterItsFit) {
    Document document;
    ResultHistory history(document);
    document.result.set(made({0}));
    history.setPinned(document.result.current(), true);
    history.setThumbnail(document.result.current(), QImage(4, 4, QImage::Format_RGB32));
    document.result.set(made({0}, document.result.current()->mesh(MeshId::result)));
    ASSERT_EQ(history.entries().size(), 1U);
    EXPECT_EQ(history.entries()[0].result, document.result.current());
    EXPECT_TRUE(history.entries()[0].pinned);
    EXPECT_FALSE(history.entries()[0].thumbnail);  // the thumbnail showed another mesh
    // Entries keep the order of their arrival when an older result is shown again.
    const ResultRef first = document.result.current();
    document.result.set(made({1}));
    document.result.set(first);
    ASSERT_EQ(history.entries().size(), 2U);
    EXPECT_EQ(history.entries()[0].result, first);
}

TEST(ResultHistory, keepsFitsOfDifferentChoices) {
    constexpr FitChoice kNetwork{true, FitViews::Kind::all, FitSource::network};
    constexpr FitChoice kHull{true, FitViews::Kind::all, FitSource::hull};
    Document document;
    ResultHistory history(document);
    const ResultRef before = made({0});
    document.fit.setChoice(kNetwork);
    document.result.set(before);
    const ResultRef network = test::fittedResult(before, kNetwork);
    document.result.set(network);
    ASSERT_EQ(history.entries().size(), 1U);
    document.fit.setChoice(kHull);
    EXPECT_EQ(document.result.current(), before);
    ASSERT_EQ(history.entries().size(), 1U);
    const ResultRef hull = test::fittedResult(before, kHull);
    document.result.set(hull);
    ASSERT_EQ(history.entries().size(), 2U);
    EXPECT_EQ(history.entries()[0].result, network);
    EXPECT_EQ(history.entries()[1].result, hull);
    document.result.set(network);  // shown again: no new entry
    EXPECT_EQ(document.result.current(), network);
    EXPECT_EQ(history.entries().size(), 2U);

    document.fit.setChoice({});
    EXPECT_EQ(document.result.current(), before);
    ASSERT_EQ(history.entries().size(), 3U);
    document.fit.setChoice(kHull);
    const ResultRef again = test::fittedResult(before, kHull);
    document.result.set(again);  // replaces the entry of the same fit
    ASSERT_EQ(history.entries().size(), 3U);
    EXPECT_EQ(history.entries()[1].result, again);
}

}  // namespace
}  // namespace threefold::ui
