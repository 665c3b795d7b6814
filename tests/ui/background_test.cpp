#include "ui/document/background.h"
#include "ui/document/newest_task.h"

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <QThread>
#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

// Waits for the thread pool's tasks, then runs the calls that the tasks queued for this thread.
void finishBackground() {
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
}

class Background : public testing::Test {
  protected:
    int argc_ = 1;
    char name_[5] = "test";
    char* argv_[2] = {name_, nullptr};
    QCoreApplication application_{argc_, argv_};

    template <class Work>
    std::string outcomeOf(Work work) {
        std::string outcome = "nothing";
        QObject receiver;
        inBackground(
            &receiver, work, [&](auto... value) { outcome = ("done " + ... + value); },
            [&](const ErrorReport& report) { outcome = report.subject + ": " + report.problem; },
            "file");
        finishBackground();
        return outcome;
    }
};

TEST_F(Background, deliversTheValue_onTheApplicationsThread) {
    QObject receiver;
    QThread* workedOn = nullptr;
    QThread* deliveredOn = nullptr;
    inBackground(
        &receiver, [] { return QThread::currentThread(); },
        [&](QThread* thread) {
            workedOn = thread;
            deliveredOn = QThread::currentThread();
        },
        [](const ErrorReport&) {});
    finishBackground();
    EXPECT_NE(workedOn, nullptr);
    EXPECT_NE(workedOn, application_.thread());
    EXPECT_EQ(deliveredOn, application_.thread());
}

TEST_F(Background, reportsAnException) {
    EXPECT_EQ(outcomeOf([] { return std::string("well"); }), "done well");
    EXPECT_EQ(outcomeOf([] {}), "done ");
    EXPECT_EQ(outcomeOf([] { throw 3; }), "file: an unknown error");  // NOLINT: no std::exception
    EXPECT_EQ(outcomeOf([]() -> std::string {
                  throw IoError({"other", "", "is gone", ""});
              }),
              "other: is gone");
    EXPECT_EQ(outcomeOf([] { throw std::runtime_error("broken"); }), "file: broken");
    EXPECT_EQ(outcomeOf([] { throw std::bad_alloc(); }), "file: there is not enough memory");
    EXPECT_EQ(outcomeOf([] { throw Cancelled(); }), "nothing");
}

TEST_F(Background, reportsTheEnd_evenWhenCancelled) {
    QObject receiver;
    int finished = 0;
    inBackground(
        &receiver, [] { throw Cancelled(); },
        [&](const auto& outcome) { finished += !outcome.value && !outcome.problem ? 1 : 100; });
    finishBackground();
    EXPECT_EQ(finished, 1);
}

TEST_F(Background, reportsNothing_whenTheReceiverIsDestroyed) {
    auto receiver = std::make_unique<QObject>();
    bool called = false;
    inBackground(
        receiver.get(), [] { return 1; }, [&](int) { called = true; },
        [&](const ErrorReport&) { called = true; });
    QThreadPool::globalInstance()->waitForDone();
    receiver.reset();
    QCoreApplication::processEvents();
    EXPECT_FALSE(called);
}

TEST_F(Background, reportsOnlyTheNewestRequest) {
    QObject receiver;
    NewestTask request;
    std::vector<int> values;
    for (const int number : {1, 2, 3}) {
        inBackground(
            &receiver, request.restart(), [number] { return number; },
            [&](int value) { values.push_back(value); }, [](const ErrorReport&) {});
    }
    finishBackground();
    EXPECT_EQ(values, std::vector<int>{3});
    const std::stop_token last = request.restart();
    request.cancel();
    EXPECT_TRUE(last.stop_requested());
}

}  // namespace
}  // namespace threefold::ui
