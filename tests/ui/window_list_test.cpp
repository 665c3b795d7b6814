// Tests clicks while a list runs on the same network. The test asserts numbers of batches, which do
// not depend on time; stalls of the event loop are only printed and recorded.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/stall_watchdog.h"
#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_feature.h"
#include "ui/batch/batch_run.h"
#include "ui/input/input_panel.h"

namespace threefold::ui {
namespace {

constexpr int kSamples = 200;
constexpr std::size_t kClickedViews = 4;  // the list's samples have three views

/// Records the order of its calls: 'c' for a click, 'l' for a sample of the list.
class RecordingBackend : public test::FakeBackend {
  public:
    struct Calls {
        std::size_t count() {
            const std::scoped_lock lock(mutex);
            return begun.size();
        }
        std::string from(std::size_t first) {
            const std::scoped_lock lock(mutex);
            return begun.substr(first);
        }
        std::mutex mutex;
        std::string begun;
    };

    RecordingBackend(std::shared_ptr<test::FakeBehaviour> behaviour, std::shared_ptr<Calls> calls)
        : FakeBackend(std::move(behaviour)), calls_(std::move(calls)) {}

    Reconstruction compute(const NetworkInput& input, const BatchOptions& options) override {
        {
            const std::scoped_lock lock(calls_->mutex);
            calls_->begun += input.images.size() == kClickedViews ? 'c' : 'l';
        }
        return FakeBackend::compute(input, options);
    }

  private:
    std::shared_ptr<Calls> calls_;
};

class WindowWithList : public test::WindowTest {
  protected:
    WindowWithList() {
        useNetwork([behaviour = behaviour_, calls = calls_] {
            return oneDevice(std::make_unique<RecordingBackend>(behaviour, calls));
        });
    }

    BatchRun& run() { return window().findChild<BatchFeature*>()->run(); }
    InputPanel& input() { return window().input(); }

    /// Writes a list of kSamples samples, which are links to the bundled sample.
    std::filesystem::path listOfManySamples() {
        const std::filesystem::path category = folder() / "ShapeNetRendering" / "02691156";
        std::filesystem::create_directories(category);
        const std::filesystem::path list = folder() / "list.txt";
        std::ofstream out(list);
        for (int sample = 0; sample < kSamples; ++sample) {
            const std::filesystem::path link = category / ("item" + std::to_string(sample));
            std::filesystem::create_directory_symlink(test::bundledSampleFolder(), link);
            out << link.string() << '\n';
        }
        return list;
    }
    /// Chooses another view for the first slot.
    void click() {
        const int view = input().model().selection().views().front() == 1 ? 2 : 1;
        input().model().putInto(0, view);
    }

    std::shared_ptr<test::FakeBehaviour> behaviour_ = std::make_shared<test::FakeBehaviour>();
    std::shared_ptr<RecordingBackend::Calls> calls_ = std::make_shared<RecordingBackend::Calls>();
};

TEST_F(WindowWithList, beginsAClickWithinOneBatch_withoutLosingSamplesOfTheList) {
    bool shown = false;
    QObject::connect(&window(), &MainWindow::pictureShown, &window(), [&] { shown = true; });
    window().opener().openSample(test::bundledSampleFolder(), {0, 6, 7, 8});
    ASSERT_TRUE(waitUntil([&] { return shown; }));
    window().findChild<BatchFeature*>()->evaluate(listOfManySamples());
    ASSERT_TRUE(waitUntil([&] { return !run().records().empty(); }));

    // Number of calls of the backend that had begun when the click's request was posted. The slot
    // below was connected after the slot that posts the request, so Qt calls it after that slot.
    std::size_t posted = 0;
    QObject::connect(&input().model(), &InputModel::edited, &window(),
                     [&] { posted = calls_->count(); });
    StallWatchdog watchdog;
    std::vector<std::ptrdiff_t> batchesBefore;
    constexpr int kClicks = 12;
    for (int clicked = 0; clicked < kClicks; ++clicked) {
        const std::size_t rows = run().records().size();
        ASSERT_TRUE(processEventsUntil([&] { return run().records().size() >= rows + 5; }));
        shown = false;
        const std::size_t before = calls_->count();
        click();
        ASSERT_TRUE(processEventsUntil([&] { return shown; }));
        const std::size_t begun = calls_->from(before).find('c');
        ASSERT_NE(begun, std::string::npos);
        batchesBefore.push_back(static_cast<std::ptrdiff_t>(before + begun) -
                                static_cast<std::ptrdiff_t>(posted));
    }
    // The list was still running during all clicks.
    EXPECT_LT(run().records().size(), static_cast<std::size_t>(kSamples));
    EXPECT_THAT(batchesBefore, testing::Each(testing::Le(1)));

    ASSERT_TRUE(processEventsUntil([&] { return run().state() == BatchRun::State::done; }));
    std::cout << "event loop during the list: p95 " << watchdog.percentile(0.95) << " ms, longest "
              << watchdog.longest().milliseconds << " ms ("
              << watchdog.longest().processorMilliseconds << " ms processor time; "
              << watchdog.longest().event.toStdString() << "), most processor time "
              << watchdog.longestByProcessorTime().processorMilliseconds << " ms ("
              << watchdog.longestByProcessorTime().event.toStdString() << "), "
              << watchdog.countAbove(16) << " of " << watchdog.probeCount()
              << " probes above 16 ms\n";
    RecordProperty("list_stall_us", static_cast<int>(1000 * watchdog.longest().milliseconds));
    EXPECT_GT(watchdog.probeCount(), 0);

    EXPECT_EQ(run().means().at("").count, static_cast<std::size_t>(kSamples));
    std::vector<std::size_t> positions;
    for (const SampleRecord& record : run().records()) positions.push_back(record.position);
    std::sort(positions.begin(), positions.end());
    EXPECT_EQ(std::unique(positions.begin(), positions.end()) - positions.begin(), kSamples);
}

}  // namespace
}  // namespace threefold::ui
