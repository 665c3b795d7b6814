// Enlarged photographs: zoom, outlines, the brush for masks.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTest>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/mask_paths.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_tiles.h"

namespace threefold::ui {
namespace {

using Views = std::vector<int>;

// Positions of an outline's pixels, which are blue, in logical pixels.
std::vector<QPoint> blueIn(PhotographWindow& window) {
    const QImage picture = window.grab().toImage();
    const qreal ratio = picture.devicePixelRatio();
    std::vector<QPoint> places;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const QColor colour = picture.pixelColor(x, y);
            if (colour.blue() > 200 && colour.red() < 80)
                places.push_back((QPointF(x, y) / ratio).toPoint());
        }
    }
    return places;
}

class WindowEnlargedPhotographs : public test::WindowTest {
  protected:
    InputPanel& input() { return window().input(); }
    const std::vector<ViewTile*>& slotTiles() { return input().viewSlots().tiles(); }
    const Views& views() { return input().model().selection().views(); }
};

TEST_F(WindowEnlargedPhotographs, enlargesAPhotograph_zoomsAtThePointer_andClosesByEscape) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const auto& viewer = *window().findChild<PhotographViewer*>();
    const ViewTile& tile = *slotTiles()[1];
    QTest::mouseDClick(window().windowHandle(), Qt::LeftButton, {},
                       tile.mapTo(&window(), tile.rect().center()));
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    PhotographWindow& large = *viewer.openWindow();
    EXPECT_TRUE(large.windowTitle().contains("view 6")) << large.windowTitle().toStdString();
    EXPECT_EQ(large.photograph().width(), 137);
    EXPECT_TRUE(large.isFitted());
    EXPECT_EQ(views(), (Views{0, 6, 7}));
    // Before activation, the main window would receive the keys below.
    ASSERT_TRUE(waitUntil([&] { return large.isActiveWindow(); }));

    const QPointF pointer(200, 240);
    const auto under = [&] { return (pointer - large.photographRect().topLeft()) / large.scale(); };
    const QPointF before = under();
    const double scale = large.scale();
    QWheelEvent wheel(pointer, large.mapToGlobal(pointer), {}, {0, 240}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&large, &wheel);
    EXPECT_NEAR(large.scale(), scale * 1.25 * 1.25, 1e-9);
    EXPECT_NEAR(under().x(), before.x(), 1e-6);
    EXPECT_NEAR(under().y(), before.y(), 1e-6);

    const QPointF corner = large.photographRect().topLeft();
    QTest::mousePress(&large, Qt::LeftButton, {}, {300, 300});
    QMouseEvent move(QEvent::MouseMove, QPointF(320, 290), large.mapToGlobal(QPointF(320, 290)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&large, &move);
    QTest::mouseRelease(&large, Qt::LeftButton, {}, {320, 290});
    EXPECT_NEAR(large.photographRect().x(), corner.x() + 20, 1e-6);
    EXPECT_NEAR(large.photographRect().y(), corner.y() - 10, 1e-6);

    QTest::keyClick(&large, Qt::Key_0);
    EXPECT_TRUE(large.isFitted());
    QTest::keyClick(&large, Qt::Key_Plus);
    EXPECT_FALSE(large.isFitted());
    QTest::mouseDClick(&large, Qt::LeftButton, {}, {300, 300});
    QTest::mouseRelease(&large, Qt::LeftButton, {}, {300, 300});
    EXPECT_TRUE(large.isFitted());
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return viewer.openWindow() == nullptr; }));

    slotTiles()[0]->setFocus();
    QTest::keyClick(slotTiles()[0], Qt::Key_Z);
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    EXPECT_TRUE(viewer.openWindow()->windowTitle().contains("view 0"));
}

TEST_F(WindowEnlargedPhotographs, drawsTheOutlineOverTheEnlargedPhotograph) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const auto& viewer = *window().findChild<PhotographViewer*>();
    QTest::keyClick(slotTiles()[1], Qt::Key_Z);
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    const auto bluePixels = [&] { return blueIn(*viewer.openWindow()).size(); };
    EXPECT_GT(bluePixels(), 500);
    window().findChild<SlotOutlines*>()->setKind(OutlineKind::none);
    EXPECT_TRUE(waitUntil([&] { return bluePixels() < 50; }));
    window().findChild<SlotOutlines*>()->setKind(OutlineKind::outline);
    EXPECT_TRUE(waitUntil([&] { return bluePixels() > 500; }));
}

TEST_F(WindowEnlargedPhotographs, enlargesOriginalPhotographs_withTheirLensInTheOutline) {
    auto scene = threefold::test::writeDiscScene(folder() / "disc");
    scene["cx"] = 55;
    scene["k1"] = -0.4;
    threefold::test::writeJson(folder() / "disc" / "transforms.json", scene);
    ASSERT_TRUE(open(folder() / "disc"));
    const auto& viewer = *window().findChild<PhotographViewer*>();
    QTest::keyClick(slotTiles()[1], Qt::Key_Z);
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    PhotographWindow& large = *viewer.openWindow();
    EXPECT_EQ(large.photograph().size(), QSize(100, 100));  // the file's size, not 224 × 224

    const Sample& sample = *document().result.current()->sample;
    const Photo& photo = sample.photos->views[static_cast<std::size_t>(views()[1])].photo;
    const LensProjection lens(photo.lens);
    QRectF mesh;
    for (const glm::vec3& vertex : document().result.current()->mesh(MeshId::result)->vertices) {
        const auto pixel =
            lens.project(photo.pose.toCamera(sample.photoWorld().fromObject(glm::dvec3(vertex))));
        ASSERT_TRUE(pixel);
        mesh |=
            QRectF(large.photographRect().topLeft() + large.scale() * QPointF(pixel->x, pixel->y),
                   QSizeF(1e-3, 1e-3));
    }
    QRectF drawn;
    ASSERT_TRUE(waitUntil([&] { return blueIn(large).size() > 500; }));
    for (const QPoint& pixel : blueIn(large)) drawn |= QRectF(pixel, QSizeF(1, 1));
    EXPECT_NEAR(drawn.left(), mesh.left(), 3);
    EXPECT_NEAR(drawn.right(), mesh.right(), 3);
    EXPECT_NEAR(drawn.top(), mesh.top(), 3);
    EXPECT_NEAR(drawn.bottom(), mesh.bottom(), 3);
}

TEST_F(WindowEnlargedPhotographs, correctsAMaskByABrush_andReopensThePhotographs) {
    threefold::test::writeDiscScene(folder() / "disc");
    ASSERT_TRUE(open(folder() / "disc"));
    const ResultRef before = document().result.current();
    const auto& viewer = *window().findChild<PhotographViewer*>();
    QTest::keyClick(slotTiles()[0], Qt::Key_Z);
    ASSERT_TRUE(waitUntil([&] { return viewer.openWindow() != nullptr; }));
    PhotographWindow& large = *viewer.openWindow();
    const auto at = [&](QPointF pixel) {
        return (large.photographRect().topLeft() + large.scale() * pixel).toPoint();
    };
    const auto isObject = [&](int x, int y) {
        return large.mask().dimming().pixelColor(x, y).alpha() == 0;
    };
    EXPECT_EQ(large.focusWidget(), &large);
    ASSERT_TRUE(isObject(50, 50));  // inside the disc
    ASSERT_FALSE(isObject(5, 5));
    QTest::mouseClick(&large, Qt::LeftButton, {}, at({5, 5}));
    EXPECT_FALSE(isObject(5, 5));  // the brush is off

    QTest::keyClick(&large, Qt::Key_B);
    QTest::mouseClick(&large, Qt::LeftButton, {}, at({5, 5}));
    QTest::mouseClick(&large, Qt::RightButton, {}, at({50, 50}));
    EXPECT_TRUE(isObject(5, 5));
    EXPECT_FALSE(isObject(50, 50));
    QTest::keyClick(&large, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(isObject(50, 50));

    Q_EMIT large.saveRequested();
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != before; }));
    const Image mask = readImage(ownMaskFile(input().model().sample()->images[views()[0]]));
    EXPECT_EQ(mask.width, 100);
    EXPECT_EQ(mask.rgba[4 * (5 * 100 + 5)], 255);
    EXPECT_EQ(mask.rgba[4 * (5 * 100 + 90)], 0);
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_TRUE(large.isVisible());  // the first Escape only turns the brush off
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_FALSE(large.isVisible());
}

}  // namespace
}  // namespace threefold::ui
