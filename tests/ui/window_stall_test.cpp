// Prints and records stalls of the event loop. Asserts only that they are measured.
#include <filesystem>
#include <iostream>

#include <gtest/gtest.h>

#include <QTest>
#include <QTimer>

#include "engine/network/cpu_backend.h"
#include "tests/support/models.h"
#include "tests/ui/stall_watchdog.h"
#include "tests/ui/window_fixture.h"
#include "ui/files/export_commands.h"

namespace threefold::ui {
namespace {

class WindowStalls : public test::WindowTest {
  protected:
    static void reportStalls(const char* phase, const StallWatchdog& watchdog) {
        const Stall& wall = watchdog.longest();
        const Stall& byProcessorTime = watchdog.longestByProcessorTime();
        std::cout << "longest stall during " << phase << ": " << wall.milliseconds << " ms ("
                  << wall.processorMilliseconds << " ms processor time; "
                  << wall.event.toStdString() << "), most processor time "
                  << byProcessorTime.processorMilliseconds << " ms ("
                  << byProcessorTime.event.toStdString() << "); " << watchdog.countAbove(16)
                  << " of " << watchdog.probeCount() << " probes above 16 ms\n";
        RecordProperty(std::string(phase) + "_stall_us",
                       static_cast<int>(1000 * wall.milliseconds));
        RecordProperty(std::string(phase) + "_own_us",
                       static_cast<int>(1000 * byProcessorTime.processorMilliseconds));
        EXPECT_GT(watchdog.probeCount(), 0) << phase;
    }

    // Orbits with a mouse move every few milliseconds, without sleeping in this thread.
    void orbit() {
        QTest::mousePress(&viewport(), Qt::LeftButton, {}, {100, 150});
        int step = 0;
        constexpr int kSteps = 90;
        EXPECT_TRUE(processEventsUntil([&] {
            QTest::mouseMove(&viewport(), QPoint(100 + step, 150 + step / 3));
            return ++step == kSteps;
        }));
        QTest::mouseRelease(&viewport(), Qt::LeftButton, {}, {100 + kSteps, 180});
        EXPECT_TRUE(processEventsUntil([&] { return viewport().isUpToDate(); }));
    }
};

TEST_F(WindowStalls, areReported_fromOpeningToExporting) {
    useNetwork([] { return oneDevice(makeCpuBackend(threefold::test::testModel())); });
    ASSERT_TRUE(processEventsUntil([&] { return viewport().framesPresented() > 0; }));

    StallWatchdog watchdog;
    bool shown = false;
    QObject::connect(&window(), &MainWindow::pictureShown, &watchdog, [&] { shown = true; });
    window().opener().openSample(test::bundledSampleFolder());
    ASSERT_TRUE(processEventsUntil([&] { return shown; }));
    reportStalls("open", watchdog);

    watchdog.reset();
    shown = false;
    window().opener().reconstruct();
    ASSERT_TRUE(processEventsUntil([&] { return shown; }));
    reportStalls("reconstruct", watchdog);

    watchdog.reset();
    orbit();
    reportStalls("orbit", watchdog);

    watchdog.reset();
    bool written = false;
    QObject::connect(&window().exports(), &ExportCommands::saved, &watchdog,
                     [&] { written = true; });
    ExportChoice choice;
    choice.meshes = {{MeshId::result, "refined"}};
    choice.folder = folder().path();
    window().exports().exportTo(choice);
    ASSERT_TRUE(processEventsUntil([&] { return written && watchdog.probeCount() > 20; }));
    reportStalls("export", watchdog);
}

TEST_F(WindowStalls, areReported_whenTheEventLoopIsBlocked) {
    constexpr int kBlocked = 120;  // milliseconds
    StallWatchdog watchdog;
    ASSERT_TRUE(processEventsUntil([&] { return watchdog.probeCount() > 5; }));
    QObject sleeper;
    sleeper.setObjectName("sleeper");
    bool slept = false;
    QTimer::singleShot(0, &sleeper, [&] {
        QTest::qSleep(kBlocked);
        slept = true;
    });
    ASSERT_TRUE(processEventsUntil([&] { return slept; }));
    const int probes = watchdog.probeCount();
    ASSERT_TRUE(processEventsUntil([&] { return watchdog.probeCount() > probes; }));
    // Half of the blocked time suffices, since on busy processors the probe may be sent late.
    EXPECT_GE(watchdog.longest().milliseconds, kBlocked / 2.0);
    EXPECT_GE(watchdog.countAbove(kBlocked / 2.0), 1);
    EXPECT_FALSE(watchdog.longest().event.isEmpty());
    watchdog.reset();
    EXPECT_EQ(watchdog.probeCount(), 0);
    EXPECT_EQ(watchdog.longest().milliseconds, 0);
}

}  // namespace
}  // namespace threefold::ui
