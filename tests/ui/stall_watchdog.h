#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

namespace threefold::ui {

/// A period in which a probe event waited for the event loop.
struct Stall {
    double milliseconds = 0;           ///< wall time
    double processorMilliseconds = 0;  ///< processor time of the thread since the last probe
    QString event;                     ///< the longest event meanwhile, such as "Paint of StepBars"
};

/// Measures how long events wait in the event loop of its thread. A second thread sends a probe
/// event one millisecond after the previous probe was handled; the time from sending to handling is
/// the stall. Stalls are underestimated by up to a millisecond, and include time in which other
/// programs use the processors (`processorMilliseconds` excludes it). Only for tests, since the
/// probes keep the loop busy.
class StallWatchdog : public QObject {
    Q_OBJECT

  public:
    /// Watches the thread of the constructor, which must have a QCoreApplication.
    StallWatchdog();
    ~StallWatchdog() override;

    const Stall& longest() const { return longest_; }  ///< by wall time
    const Stall& longestByProcessorTime() const { return longestByProcessorTime_; }
    int countAbove(double milliseconds) const;  ///< number of stalls above a limit of at least 1 ms
    int probeCount() const { return probeCount_; }
    /// Quantile of the stalls in milliseconds: `fraction` (0…1) of the probes did not exceed it; 0
    /// if below one millisecond.
    double percentile(double fraction) const;
    /// Discards all measurements.
    void reset();

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    using Clock = std::chrono::steady_clock;

    // Event type and receiver; cheap to copy, since every event of the thread is noted.
    struct Named {
        const char* receiver = nullptr;  // class name
        QString name;
        int type = 0;
    };

    void answer();
    void note(const Named& next);
    static QString described(const Named& event);

    Stall longest_;
    Stall longestByProcessorTime_;
    std::vector<double> stalls_;  // milliseconds, only those above 1
    int probeCount_ = 0;
    bool begun_ = false;
    double processorAtAnswer_ = 0;

    // The running event, and the slowest event since the last probe.
    Clock::time_point eventBegan_;
    Named running_;
    double slowestMilliseconds_ = 0;
    Named slowest_;

    std::atomic<bool> answered_ = true;
    std::atomic<Clock::rep> sent_ = 0;
    std::jthread thread_;  // last member: the thread uses the members above
};

/// Processes events until `done`, called every 4 ms, returns true; returns false after four
/// minutes. Never sleeps on the window's thread, unlike QTest::qWaitFor().
bool processEventsUntil(const std::function<bool()>& done);

}  // namespace threefold::ui
