#include <fstream>

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>

#include "tests/ui/window_fixture.h"
#include "ui/document/view_cache.h"
#include "ui/input/data_set_feature.h"
#include "ui/input/input_panel.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

class DataSetWindow : public test::WindowTest {
  protected:
    DataSetBrowser& browser() { return *window().findChild<DataSetBrowser*>(); }
    DataSetTree& tree() { return *browser().findChild<DataSetTree*>(); }
    DataSetModel& model() { return browser().model(); }

    void browse(const std::filesystem::path& root) {
        window().findChild<DataSetFeature*>()->openDataSet(root);
        ASSERT_TRUE(waitUntil([&] { return !browser().isScanning(); }));
    }
    // Makes `count` samples of one category, with links to the views of the bundled sample.
    std::filesystem::path dataSet(int count) {
        const std::filesystem::path category = folder() / "ShapeNetRendering" / "02691156";
        for (int i = 0; i < count; ++i) {
            const std::filesystem::path sampleFolder =
                category / ("p1" + QString::number(i).rightJustified(3, '0').toStdString());
            std::filesystem::create_directories(sampleFolder);
            std::filesystem::create_directory_symlink(test::bundledSampleFolder() / "rendering",
                                                      sampleFolder / "rendering");
        }
        return folder() / "ShapeNetRendering";
    }
    QModelIndex item(int category, int row) {
        return model().index(row, 0, model().index(category, 0));
    }
    void click(const QModelIndex& index) {
        tree().scrollTo(index);
        const QRect row = tree().visualRect(index);
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, row.center());
    }
    bool shows(const std::string& name) {
        return waitUntil([&] {
            const ResultRef& result = window().document().result.current();
            return result && result->sample->id == name;
        });
    }
};

TEST_F(DataSetWindow, opensTheFirstSample_whenADataSetIsOpenedInAnEmptyWindow) {
    window().opener().openSample(dataSet(3));
    EXPECT_TRUE(shows("p1000"));
    EXPECT_FALSE(window().findChild<Banner*>()->isVisible());
    // Opening a data set does not replace a shown sample.
    window().opener().openSample(test::bundledSampleFolder().parent_path().parent_path());
    ASSERT_TRUE(waitUntil([&] { return model().sampleCount() == 8 && !browser().isScanning(); }));
    EXPECT_EQ(window().document().result.current()->sample->id, "p1000");
}

TEST_F(DataSetWindow, startsWithTheBundledSamples) {
    ASSERT_TRUE(waitUntil([&] { return model().sampleCount() == 8 && !browser().isScanning(); }));
    EXPECT_EQ(model().index(0, 0).data().toString(), "airplane");
    for (int category = 0; category < model().rowCount(); ++category)
        for (int row = 0; row < model().rowCount(model().index(category, 0)); ++row)
            EXPECT_TRUE(item(category, row).data(DataSetModel::kHasTruthRole).toBool());
}

// A layout change during a scan would disturb a drag of a view to a slot.
TEST_F(DataSetWindow, doesNotMoveTheViews_whileItScans) {
    browse(dataSet(3));
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QWidget& views = *window().input().parentWidget();  // the panel's visible part
    const int height = views.height();
    browser().setRoot(folder() / "ShapeNetRendering");
    ASSERT_TRUE(browser().isScanning());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    EXPECT_EQ(views.height(), height);
    ASSERT_TRUE(waitUntil([&] { return !browser().isScanning(); }));
    EXPECT_EQ(views.height(), height);
}

TEST_F(DataSetWindow, opensASample_whenClickedOrEntered) {
    browse(dataSet(3));
    tree().expandAll();
    click(item(0, 1));
    ASSERT_TRUE(shows("p1001"));
    EXPECT_EQ(model().openIndex(), item(0, 1));

    tree().setFocus();
    QTest::keyClick(&tree(), Qt::Key_Down);
    QTest::keyClick(&tree(), Qt::Key_Return);
    ASSERT_TRUE(shows("p1002"));
}

TEST_F(DataSetWindow, stepsThroughSamples_byKey) {
    browse(dataSet(3));
    ASSERT_TRUE(open(folder() / "ShapeNetRendering" / "02691156" / "p1000"));
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    tree().setFocus();
    QTest::keyClick(&window(), Qt::Key_BracketRight);
    ASSERT_TRUE(shows("p1001"));
    QTest::keyClick(&window(), Qt::Key_PageDown, Qt::AltModifier);
    ASSERT_TRUE(shows("p1002"));
    QTest::keyClick(&window(), Qt::Key_BracketLeft);
    ASSERT_TRUE(shows("p1001"));
}

TEST_F(DataSetWindow, readsTheNextSampleAhead) {
    browse(dataSet(3));
    const auto cache = window().input().cache();
    ASSERT_TRUE(open(folder() / "ShapeNetRendering" / "02691156" / "p1000"));
    const Sample next = findSample(folder() / "ShapeNetRendering" / "02691156" / "p1001");
    const std::size_t own = document().result.current()->sample->images.size();
    // The open sample's own views are read, too, for its thumbnails.
    ASSERT_TRUE(waitUntil([&] {
        return cache->statistics().prefetched + cache->statistics().misses ==
               own + next.images.size();
    }));
    const auto before = cache->statistics();
    for (const int view : kPublishedViews) cache->read(next, view);
    EXPECT_EQ(cache->statistics().misses, before.misses);
    EXPECT_EQ(cache->statistics().hits, before.hits + kPublishedViews.size());
}

TEST_F(DataSetWindow, browsesAFolder_whenItIsOpenedAsASample) {
    const std::filesystem::path root = dataSet(3);
    window().opener().openSample(root);
    ASSERT_TRUE(waitUntil([&] { return model().sampleCount() == 3 && !browser().isScanning(); }));
    EXPECT_TRUE(window().banner().isHidden());
    EXPECT_EQ(browser().root(), root);
}

TEST_F(DataSetWindow, showsMatchingSamples_whenTypedInto) {
    browse(dataSet(12));
    QTest::keyClicks(&child<QLineEdit>(browser(), "search"), "plane 101");
    EXPECT_EQ(model().matchCount(), 2U);
    EXPECT_TRUE(tree().isExpanded(model().index(0, 0)));
    QTest::keyClick(&child<QLineEdit>(browser(), "search"), Qt::Key_Return);
    ASSERT_TRUE(shows("p1010"));
}

TEST_F(DataSetWindow, loadsPicturesOfVisibleRowsOnly) {
    browse(dataSet(200));
    tree().expandAll();
    ASSERT_TRUE(waitUntil([&] { return browser().thumbnails().cachedCount() > 0; }));
    QTest::qWait(50);  // time in which pictures of hidden rows would be read
    const int height = tree().visualRect(item(0, 0)).height();
    const auto visible = static_cast<std::size_t>(tree().viewport()->height() / height + 2);
    EXPECT_LE(browser().thumbnails().cachedCount(), visible);
}

TEST_F(DataSetWindow, explainsAnEmptyList_whenAFolderHasNoSamples) {
    browse(folder().path());
    EXPECT_EQ(model().sampleCount(), 0U);
    EXPECT_GT(test::difference(tree().viewport()->grab().toImage(),
                               QImage(tree().viewport()->size(), QImage::Format_RGB32)),
              0.0);
}

}  // namespace
}  // namespace threefold::ui
