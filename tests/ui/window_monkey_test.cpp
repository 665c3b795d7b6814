// A thousand random interactions. packaging/trust also runs this test with the sanitizers.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QPixmapCache>
#include <QTest>
#include <QThreadPool>

#include "engine/formats/pictures/image.h"
#include "tests/ui/desktop.h"
#include "tests/ui/monkey.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/result_history.h"

namespace threefold::ui {
namespace {

class WindowMonkey : public test::WindowTest {
  protected:
    std::vector<std::string> files() const {
        const auto write = [this](const char* name, const char* content) {
            std::ofstream(folder() / name) << content;
            return (folder() / name).string();
        };
        return {test::bundledSampleFolder().string(),
                test::bundledSampleFolder("03001627").string(),
                write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                write("broken.obj", "v 0 0\nf 1 2 9\n"),
                write("cloud.xyz", "0 0 0\n0.1 0 0\n0 0.1 0\n"),
                write("nonsense.dat", "nonsense"),
                write("nonsense.png", "nonsense"),
                write("session.threefold", "{\"version\": 99}"),
                oddPhotographs().string(),
                (oddPhotographs() / "1x1.png").string(),
                (folder() / "nothing").string()};
    }

    // Photographs of sizes that no detector or network expects, and a truncated one.
    std::filesystem::path oddPhotographs() const {
        const std::filesystem::path odd = folder() / "odd";
        if (!std::filesystem::create_directory(odd)) return odd;
        for (const auto& [width, height] :
             {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 5}, {4000, 4}, {4, 4000}}) {
            const std::size_t bytes = std::size_t{4} * static_cast<std::size_t>(width * height);
            writePng(odd / fmt::format("{}x{}.png", width, height),
                     {width, height, std::vector<std::uint8_t>(bytes, 128)});
        }
        std::filesystem::copy_file(odd / "4000x4.png", odd / "cut.png");
        std::filesystem::resize_file(odd / "cut.png", 60);
        return odd;
    }

    struct Held {
        std::size_t host = 0;    // bytes
        std::size_t device = 0;  // bytes
    };

    // Removes all results except the shown one. The history keeps up to sixteen results, each with
    // ten megabytes of depth maps if it is of photographs, so the memory would depend on the last
    // interactions.
    void dropHistory() {
        auto* history = window().document().findChild<ResultHistory*>();
        ASSERT_NE(history, nullptr);
        for (const HistoryEntry& each : std::vector(history->entries()))
            if (each.result != window().document().result.current()) history->remove(each.result);
    }

    // Memory held in a fixed state: the bundled sample, a window of 1200 × 800, the default look,
    // no task.
    Held heldAtRest() {
        network().failNext = false;
        window().resize(1200, 800);
        window().document().look.set({});
        EXPECT_TRUE(open(test::bundledSampleFolder()));
        // Tasks that still read pictures or files hold descriptors and threads.
        EXPECT_TRUE(
            waitUntil([] { return QThreadPool::globalInstance()->activeThreadCount() == 0; }));
        Held held;
        QObject context;
        QObject::connect(
            &viewport(), &Viewport::frameDrawn, &context,
            [&](const render::FrameStatistics& frame) { held.device = frame.deviceBytes; });
        viewport().requestUpdate();
        EXPECT_TRUE(waitUntil([&] { return held.device > 0; }));
        settle();
        // The renderer makes pipelines on first use, and a software driver holds up to a megabyte
        // for each. This call makes a new renderer without pipelines; device memory was read above.
        viewport().setDriverFaults({});
        settle();
        endFit();
        dropHistory();
        settle();
        held.host = test::allocatedBytes();
        return held;
    }

    // Ends a running fit, since the grids of a fit from the hull hold 55 MB.
    void endFit() {
        const Document& document = window().document();
        EXPECT_TRUE(waitUntil([&] {
            if (document.fit.isPending()) action(QStringLiteral("Cancel"))->trigger();
            return !document.fit.isPending() && !document.run.state().isActive();
        }));
        QTest::qWait(100);  // time for a cancelled fit to end
    }

    void act(std::uint32_t withSeed, int times) {
        ASSERT_TRUE(open(test::bundledSampleFolder()));
        test::Monkey monkey(window(), withSeed, files());
        for (int i = 0; i < times; ++i) {
            network().failNext = i % 37 == 0;
            monkey.act();
            if (!window().isVisible() || HasFailure()) {
                std::string past;
                for (const std::string& what : monkey.lastActions()) past += what + '\n';
                FAIL() << "after\n" << past;
            }
        }
    }

    // Intercepts the opening of reports and folders; otherwise the desktop would open them, or Qt
    // would warn.
    test::Desktop desktop_;

    // Closes the window and clears Qt's caches. Returns the bytes that are still allocated.
    std::size_t leftByTheWindow() {
        closeWindow();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QPixmapCache::clear();
        return test::allocatedBytes();
    }
};

std::uint32_t seed() {
    const char* chosen = std::getenv("THREEFOLD_MONKEY_SEED");
    return chosen == nullptr ? 1 : static_cast<std::uint32_t>(std::strtoul(chosen, nullptr, 10));
}

TEST_F(WindowMonkey, findsNoFault_inAThousandInteractions) {
    act(seed(), 100);
    if (HasFatalFailure()) return;
    const Held early = heldAtRest();
    const std::size_t earlyLeft = leftByTheWindow();
    newWindow();
    act(seed() + 1000, 900);
    if (HasFatalFailure()) return;
    const Held late = heldAtRest();
    const std::size_t lateLeft = leftByTheWindow();
    std::printf(
        "after 100 and 900 interactions: held by the window %.1f and %.1f MB, on the "
        "device %.1f and %.1f MB; left by it %.1f and %.1f MB\n",
        1e-6 * early.host, 1e-6 * late.host, 1e-6 * early.device, 1e-6 * late.device,
        1e-6 * earlyLeft, 1e-6 * lateLeft);
    // A leak would grow with the number of interactions; one result alone has a megabyte.
    EXPECT_LT(lateLeft, earlyLeft + 8'000'000);
    // An open window keeps decoded views and batch rows up to a limit; nine times as many
    // interactions come closer to the limit.
    constexpr std::size_t kKept = 48'000'000;
    // Runs with one seed hold 62 to 73, 108 or 142 MB, so they differ by up to 80 MB, partly in the
    // software driver. A leak of a result in every third interaction would be 300 MB.
    constexpr std::size_t kKeptWithDriver = 120'000'000;
    EXPECT_LT(late.host, early.host + kKeptWithDriver);
    EXPECT_LT(late.device, early.device + kKept);
}

void printThreads() {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(thread.path() / "comm"), name);
        std::printf("thread %s\n", name.c_str());
    }
}

// Uses one window for THREEFOLD_SOAK_MINUTES. Its memory must not grow once its lists are full.
TEST_F(WindowMonkey, holdsNoMoreMemoryOrFiles_afterAnHour) {
    const char* minutes = std::getenv("THREEFOLD_SOAK_MINUTES");
    if (minutes == nullptr) GTEST_SKIP() << "THREEFOLD_SOAK_MINUTES is not set";
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double, std::ratio<60>>(Clock::now() - begin).count();
    };
    // Counts the entries of a folder of /proc. If they exceed `before`, waits up to two seconds for
    // descriptors and threads that are about to end.
    const auto entries = [](const char* folder, std::ptrdiff_t before) {
        std::ptrdiff_t count = 0;
        for (int i = 0; i < 40; ++i) {
            count = std::distance(std::filesystem::directory_iterator(folder), {});
            if (count <= before) break;
            QTest::qWait(50);
        }
        return count;
    };
    // Idle threads of the pool would be counted, each with the threads that it has started.
    QThreadPool::globalInstance()->setExpiryTimeout(1);
    struct Round {
        double minute;
        Held held;
        double resident;  // MB
        std::ptrdiff_t descriptors;
        std::ptrdiff_t threads;
    };
    std::vector<Round> rounds;
    constexpr int kInteractions = 100;
    for (std::uint32_t round = 0; passed() < std::strtod(minutes, nullptr); ++round) {
        act(seed() + round, kInteractions);
        if (HasFatalFailure()) return;
        const Round before = rounds.empty() ? Round{} : rounds.back();
        Round& now = rounds.emplace_back();
        now.held = heldAtRest();
        malloc_trim(0);  // as the network's thread does when it is idle
        std::ifstream("/proc/self/statm") >> now.resident >> now.resident;
        now.resident *= 4096e-6;
        now.descriptors = entries("/proc/self/fd", before.descriptors);
        now.threads = entries("/proc/self/task", before.threads);
        now.minute = passed();
        if (now.threads > before.threads) printThreads();
        std::printf(
            "%5.1f min, %5zu interactions: %5.1f MB, device %5.1f MB, resident %5.0f MB, "
            "%td descriptors, %td threads\n",
            now.minute, rounds.size() * kInteractions, 1e-6 * now.held.host, 1e-6 * now.held.device,
            now.resident, now.descriptors, now.threads);
        std::fflush(stdout);
    }
    // Compares the maxima of the second quarter and of the last quarter.
    const auto quarter = static_cast<std::ptrdiff_t>(rounds.size() / 4);
    ASSERT_GT(quarter, 0);
    const auto maxInQuarter = [&](std::ptrdiff_t which, auto value) {
        const auto from = rounds.begin() + which * quarter;
        const auto found = std::max_element(from, from + quarter,
                                            [&](auto& a, auto& b) { return value(a) < value(b); });
        return value(*found);
    };
    const auto expectFlat = [&](const char* what, double slack, auto value) {
        EXPECT_LE(maxInQuarter(3, value), maxInQuarter(1, value) + slack) << what;
    };
    constexpr double kSlack = 8e6;
    expectFlat("host", kSlack, [](const Round& r) { return static_cast<double>(r.held.host); });
    expectFlat("device", kSlack, [](const Round& r) { return static_cast<double>(r.held.device); });
    constexpr double kFragments = 32;
    expectFlat("resident", kFragments, [](const Round& r) { return r.resident; });
    expectFlat("descriptors", 0, [](const Round& r) { return static_cast<double>(r.descriptors); });
    expectFlat("threads", 0, [](const Round& r) { return static_cast<double>(r.threads); });
}

}  // namespace
}  // namespace threefold::ui
