// Tests that the object which the user marked in one photograph is cut out of all photographs.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSemaphore>
#include <QTest>
#include <QThreadPool>
#include <QToolButton>

#include "engine/cutout/seeded_cutout.h"
#include "engine/formats/pictures/mask_paths.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/ui/window_fixture.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

/// Keeps all threads of the global thread pool busy until the destructor: tasks that are started
/// meanwhile are queued.
class HeldPool {
  public:
    HeldPool() {
        for (int i = 0; i < count_; ++i)
            QThreadPool::globalInstance()->start([gate = gate_] { gate->acquire(); });
    }
    HeldPool(const HeldPool&) = delete;
    HeldPool& operator=(const HeldPool&) = delete;
    ~HeldPool() { gate_->release(count_); }

  private:
    const int count_ = QThreadPool::globalInstance()->maxThreadCount();
    const std::shared_ptr<QSemaphore> gate_ = std::make_shared<QSemaphore>();
};

class WindowMarkedObject : public test::WindowTest {
  protected:
    static QString commandName() { return QStringLiteral("Cut out by a box…"); }
    InputPanel& input() { return window().input(); }
    PhotographViewer& viewer() { return *window().findChild<PhotographViewer*>(); }
    QWidget& row() { return child<QWidget>(input(), "cutOut"); }
    QPushButton& cancel() { return child<QPushButton>(row(), "cancelCutOut"); }
    static QToolButton& cutOut(PhotographWindow& large) {
        return child<QToolButton>(large, "cutOutMarked");
    }

    /// Photographs of a grey ball in front of a coloured wall, with cameras.
    fs::path ballBeforeAWall() {
        const fs::path scene = folder() / "ball";
        threefold::test::writeDiscScene(scene, 8);
        std::mt19937 random(3);
        std::normal_distribution<double> noise(0, 4);
        for (int view = 0; view < 8; ++view) {
            Image image = readImage(photographOf(scene, view));
            for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
                const bool isBall = image.rgba[i] < 128;
                const double colour[] = {isBall ? 90.0 : 220.0, isBall ? 90.0 : 140.0,
                                         isBall ? 90.0 : 40.0};
                for (std::size_t c = 0; c < 3; ++c)
                    image.rgba[i + c] = static_cast<std::uint8_t>(
                        std::clamp(colour[c] + noise(random), 0.0, 255.0));
            }
            writePng(photographOf(scene, view), image);
        }
        return scene;
    }
    /// Makes the photographs of ballBeforeAWall(), with correct masks.
    fs::path ballWithMasks() {
        const fs::path scene = ballBeforeAWall();
        for (int view = 0; view < 8; ++view) {
            Image mask = readImage(photographOf(scene, view));
            for (std::size_t i = 0; i < mask.rgba.size(); i += 4) {
                const std::uint8_t white = mask.rgba[i + 2] > 65 ? 255 : 0;  // the wall is orange
                for (std::size_t c = 0; c < 3; ++c) mask.rgba[i + c] = white;
            }
            writeOwnMask(photographOf(scene, view), mask);
        }
        return scene;
    }
    static fs::path photographOf(const fs::path& scene, int view) {
        return scene / "images" / (std::to_string(view) + ".png");
    }
    /// All files of a folder, with their bytes.
    static std::map<std::string, std::string> filesIn(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            files[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
        }
        return files;
    }

    /// Shows a photograph of 400 × 300 pixels with an empty mask, and waits until the window is
    /// active; false on timeout.
    bool show(PhotographWindow& large) {
        QImage photograph(400, 300, QImage::Format_RGB32);
        photograph.fill(Qt::darkGreen);
        large.showPhotograph(photograph, QStringLiteral("photograph"));
        large.setMask(MaskBrush(Mask{400, 300, std::vector<std::uint8_t>(std::size_t{400} * 300)}));
        large.activateWindow();
        return waitUntil([&] { return large.isActiveWindow(); });
    }
    /// Opens the photograph in which the object is to be marked; false on timeout.
    bool beginMarking() {
        trigger(commandName());
        return waitUntil(
            [&] { return viewer().openWindow() && viewer().openWindow()->isActiveWindow(); });
    }

    static QPoint at(const PhotographWindow& large, QPointF pixel) {
        return (large.photographRect().topLeft() + large.scale() * pixel).toPoint();
    }
    static void dragBox(PhotographWindow& large, QPointF from, QPointF to) {
        const QPoint end = at(large, to);
        QTest::mousePress(&large, Qt::LeftButton, {}, at(large, from));
        QMouseEvent move(QEvent::MouseMove, QPointF(end), large.mapToGlobal(QPointF(end)),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&large, &move);
        QTest::mouseRelease(&large, Qt::LeftButton, {}, end);
    }
    static bool isObject(const PhotographWindow& large, int x, int y) {
        return large.mask().dimming().pixelColor(x, y).alpha() == 0;
    }
    /// The visible question about an unsaved mask; null: there is none.
    static QMessageBox* questionOf(const PhotographWindow& large) {
        for (QMessageBox* box : large.findChildren<QMessageBox*>(QStringLiteral("unsavedMask")))
            if (box->isVisible()) return box;
        return nullptr;
    }
    /// Answers the question; fails the test if there is none.
    static void answer(const PhotographWindow& large, QMessageBox::StandardButton button) {
        QMessageBox* const question = questionOf(large);
        ASSERT_NE(question, nullptr);
        question->button(button)->click();
    }
    static QImage photographIn(PhotographWindow& large) {
        return large.grab(large.photographRect().toAlignedRect()).toImage();
    }
};

TEST_F(WindowMarkedObject, hasABoxInPixelsOfThePhotograph_howeverThePictureIsShown) {
    PhotographWindow large(&window());
    ASSERT_TRUE(show(large));
    QTest::keyClick(&large, Qt::Key_M);
    ASSERT_TRUE(large.isMarking());
    const QRectF box(120, 80, 90, 60);
    const auto expectBox = [&] {
        ASSERT_TRUE(large.mark());
        const double tolerance = 1 / large.scale();  // the pointer's steps are logical pixels
        EXPECT_NEAR(large.mark()->box.left(), box.left(), tolerance);
        EXPECT_NEAR(large.mark()->box.top(), box.top(), tolerance);
        EXPECT_NEAR(large.mark()->box.right(), box.right(), tolerance);
        EXPECT_NEAR(large.mark()->box.bottom(), box.bottom(), tolerance);
    };
    ASSERT_GT(std::abs(large.scale() - 1), 0.1);
    dragBox(large, box.topLeft(), box.bottomRight());
    expectBox();

    const double fitting = large.scale();
    QTest::keyClick(&large, Qt::Key_Plus);
    QTest::keyClick(&large, Qt::Key_Plus);
    QTest::keyClick(&large, Qt::Key_Left);
    ASSERT_GT(large.scale(), 1.5 * fitting);
    const QPointF corner = large.photographRect().topLeft();
    expectBox();  // the box stays on the photograph
    dragBox(large, box.bottomRight(), box.topLeft());
    expectBox();
    EXPECT_EQ(large.photographRect().topLeft(), corner);  // the drag moved nothing
}

TEST_F(WindowMarkedObject, isDrawn_andRemovedByEscape_whileStrokesOfTheBrushStay) {
    PhotographWindow large(&window());
    ASSERT_TRUE(show(large));
    QTest::keyClick(&large, Qt::Key_B);
    QTest::mouseClick(&large, Qt::LeftButton, {}, at(large, {30, 40}));
    ASSERT_TRUE(isObject(large, 30, 40));

    QTest::keyClick(&large, Qt::Key_M);
    EXPECT_FALSE(large.isBrushing());
    EXPECT_FALSE(cutOut(large).isEnabled());
    const QImage unmarked = photographIn(large);
    dragBox(large, {120, 80}, {210, 140});
    EXPECT_NE(photographIn(large), unmarked);
    EXPECT_TRUE(cutOut(large).isEnabled());
    EXPECT_EQ(cutOut(large).text(), "Cut out by this box");
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_FALSE(large.mark());
    EXPECT_EQ(photographIn(large), unmarked);
    EXPECT_FALSE(cutOut(large).isEnabled());

    QTest::mouseClick(&large, Qt::LeftButton, {}, at(large, {200, 150}));
    ASSERT_TRUE(large.mark());
    EXPECT_FALSE(large.mark()->isBox());
    EXPECT_EQ(cutOut(large).text(), "Cut out by this point");
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_TRUE(large.isMarking());
    QTest::keyClick(&large, Qt::Key_Escape);
    EXPECT_FALSE(large.isMarking());
    EXPECT_TRUE(large.isVisible());

    QTest::keyClick(&large, Qt::Key_B);
    ASSERT_TRUE(isObject(large, 30, 40));
    QTest::keyClick(&large, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_FALSE(isObject(large, 30, 40));
}

TEST_F(WindowMarkedObject, asksAboutUnsavedStrokes_beforeEscapeAndBeforeItCloses) {
    PhotographWindow large(&window());
    ASSERT_TRUE(show(large));
    QTest::keyClick(&large, Qt::Key_B);
    QTest::keyClick(&large, Qt::Key_Escape);  // there are no strokes yet
    EXPECT_EQ(questionOf(large), nullptr);
    EXPECT_FALSE(large.isBrushing());
    QTest::keyClick(&large, Qt::Key_B);
    QTest::mouseClick(&large, Qt::LeftButton, {}, at(large, {30, 40}));

    QTest::keyClick(&large, Qt::Key_Escape);
    answer(large, QMessageBox::Cancel);
    EXPECT_TRUE(large.isBrushing());
    EXPECT_TRUE(isObject(large, 30, 40));
    large.close();
    EXPECT_TRUE(large.isVisible());
    answer(large, QMessageBox::Save);
    EXPECT_TRUE(large.isVisible());  // until the mask is saved
    large.setMaskSaved(large.mask());
    EXPECT_FALSE(large.isVisible());

    ASSERT_TRUE(show(large));
    QTest::keyClick(&large, Qt::Key_B);
    QTest::mouseClick(&large, Qt::LeftButton, {}, at(large, {30, 40}));
    QTest::keyClick(&large, Qt::Key_Escape);
    answer(large, QMessageBox::Save);
    large.setMaskNotSaved();
    EXPECT_TRUE(large.isBrushing());
    EXPECT_TRUE(isObject(large, 30, 40));
    large.close();
    answer(large, QMessageBox::Discard);
    EXPECT_FALSE(large.isVisible());
    EXPECT_FALSE(isObject(large, 30, 40));
}

TEST_F(WindowMarkedObject, keepsUnsavedStrokes_whenAnotherPhotographOrSampleIsOpened) {
    const fs::path scene = ballWithMasks();
    ASSERT_TRUE(open(scene, {}));
    ASSERT_TRUE(beginMarking());
    PhotographWindow& large = *viewer().openWindow();
    const int view = input().model().selection().views()[0];
    const auto paint = [&](int x, int y) {
        large.setBrushing(true);
        QTest::mouseClick(&large, Qt::LeftButton, {}, at(large, QPointF(x, y)));
    };
    paint(8, 8);
    const int other = view == 5 ? 4 : 5;
    viewer().enlargeView(other);
    answer(large, QMessageBox::Save);
    ASSERT_TRUE(waitUntil([&] { return large.windowTitle().endsWith(QString::number(other)); }));
    const Image saved = readImage(ownMaskFile(photographOf(scene, view)));
    EXPECT_GT(saved.rgba[4 * (8 * static_cast<std::size_t>(saved.width) + 8)], 128);

    paint(8, 8);
    window().close();
    EXPECT_TRUE(window().isVisible());
    answer(large, QMessageBox::Cancel);
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(viewer().openWindow(), &large);
    answer(large, QMessageBox::Save);  // beside its own photograph
    ASSERT_TRUE(waitUntil([&] { return viewer().openWindow() == nullptr; }));
    const Image next = readImage(ownMaskFile(photographOf(scene, other)));
    EXPECT_GT(next.rgba[4 * (8 * static_cast<std::size_t>(next.width) + 8)], 128);
    EXPECT_EQ(input().model().sample()->id, "p0001");
}

TEST_F(WindowMarkedObject, needsCameras_andSaysSo) {
    const QAction& command = *action(commandName());
    QToolButton& button = child<QToolButton>(input(), "cutOutByBox");
    EXPECT_FALSE(command.isEnabled());
    ASSERT_TRUE(open(test::bundledSampleFolder()));  // renderings
    EXPECT_FALSE(command.isEnabled());
    EXPECT_TRUE(command.toolTip().contains("rendering_metadata.txt"));
    EXPECT_FALSE(button.isVisible());

    const fs::path mug = folder() / "mug";
    fs::create_directories(mug);
    for (const char* name : {"00.png", "06.png", "07.png"})
        fs::copy_file(test::bundledSampleFolder() / "rendering" / name, mug / name);
    window().opener().openSample(mug);
    ASSERT_TRUE(waitUntil([&] { return input().model().camerasAreGuessed(); }));
    EXPECT_FALSE(command.isEnabled());
    EXPECT_TRUE(button.isVisible());
    EXPECT_FALSE(button.isEnabled());
    EXPECT_TRUE(button.toolTip().contains("not known yet")) << button.toolTip().toStdString();

    threefold::test::writeDiscScene(folder() / "disc");
    ASSERT_TRUE(open(folder() / "disc"));
    EXPECT_TRUE(command.isEnabled());
    EXPECT_TRUE(button.isEnabled());
    EXPECT_TRUE(button.toolTip().contains("box")) << button.toolTip().toStdString();
}

TEST_F(WindowMarkedObject, isCutOutOfAllPhotographs) {
    if (!canCutOut()) GTEST_SKIP() << "built without OpenCV";
    const fs::path scene = ballBeforeAWall();
    ASSERT_TRUE(open(scene, {}));
    ASSERT_TRUE(beginMarking());
    PhotographWindow& large = *viewer().openWindow();
    EXPECT_TRUE(large.isMarking());
    ASSERT_FALSE(isObject(large, 50, 50));
    std::optional<ObjectHint> hint;
    QObject context;
    QObject::connect(&viewer(), &PhotographViewer::cutOutRequested, &context,
                     [&](const ObjectHint& asked) { hint = asked; });
    const ViewSelection selection = input().model().selection();
    const ResultRef before = document().result.current();

    dragBox(large, {27, 27}, {73, 73});
    QTest::mouseClick(&cutOut(large), Qt::LeftButton);
    ASSERT_TRUE(hint);
    EXPECT_TRUE(fs::equivalent(hint->photograph,
                               photographOf(scene, selection.views()[selection.selectedSlot()])));
    EXPECT_NEAR(hint->point.x, 50, 0.5);
    EXPECT_NEAR(hint->point.y, 50, 0.5);
    ASSERT_TRUE(hint->extent);
    EXPECT_NEAR(hint->extent->x, 46, 0.5);
    EXPECT_NEAR(hint->extent->y, 46, 0.5);
    EXPECT_TRUE(cancel().isVisible());
    EXPECT_FALSE(cutOut(large).isEnabled());
    EXPECT_FALSE(action(commandName())->isEnabled());

    ASSERT_TRUE(waitUntil([&] {
        return document().result.current() != before && large.isBrushing() && !row().isVisible();
    }));
    for (int view = 0; view < 8; ++view)
        EXPECT_TRUE(fs::exists(ownMaskFile(photographOf(scene, view)))) << view;
    EXPECT_EQ(input().model().selection().views(), selection.views());
    EXPECT_TRUE(action(commandName())->isEnabled());
    // The open photograph has the new mask, which the brush can undo.
    EXPECT_TRUE(isObject(large, 50, 50));
    EXPECT_FALSE(isObject(large, 5, 5));
    QTest::keyClick(&large, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_FALSE(isObject(large, 50, 50));
}

TEST_F(WindowMarkedObject, leavesAllMasks_whenCancelled) {
    const fs::path scene = ballWithMasks();
    ASSERT_TRUE(open(scene, {}));
    ASSERT_TRUE(beginMarking());
    PhotographWindow& large = *viewer().openWindow();
    const auto files = filesIn(scene);
    const ResultRef before = document().result.current();
    const bool hadBanner = window().banner().isVisible();
    dragBox(large, {10, 10}, {30, 30});
    {
        // No mouse events here: they would repaint the window, and Qt draws pictures on the threads
        // that are held.
        const HeldPool held;
        cutOut(large).click();
        EXPECT_TRUE(cancel().isVisible());
        cancel().click();
        EXPECT_FALSE(cancel().isEnabled());
        EXPECT_EQ(row().findChild<QLabel*>()->text(), "Cancelling…");
    }
    ASSERT_TRUE(waitUntil([&] { return !cancel().isVisible(); }));
    EXPECT_TRUE(filesIn(scene) == files);
    EXPECT_EQ(document().result.current(), before);
    EXPECT_EQ(window().banner().isVisible(), hadBanner);
    EXPECT_TRUE(large.mark());
    EXPECT_TRUE(cutOut(large).isEnabled());
    EXPECT_TRUE(isObject(large, 50, 50));
}

}  // namespace
}  // namespace threefold::ui
