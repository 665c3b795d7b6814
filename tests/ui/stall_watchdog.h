#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

namespace threefold::ui {

/// A stretch in which the event loop did not turn.
struct Stall {
    double milliseconds = 0;           ///< on the wall, as a person feels it
    double processorMilliseconds = 0;  ///< of these, the time that the window's thread computed
    QString event;                     ///< the event that took longest: "Paint of StepBars"
};

/// Measures how long the event loop of its thread lets an event wait. A second thread sends a beat
/// a millisecond after the last one was answered; the time from sending to answering is the stall.
/// A stall is thus told up to a millisecond too short; where the processors are busy with others,
/// the wait for a processor is part of it, which `processorMilliseconds` leaves out. For tests: the
/// beats keep the loop from ever resting.
class StallWatchdog : public QObject {
    Q_OBJECT

  public:
    /// On the thread that is to be watched, with a QCoreApplication.
    StallWatchdog();
    ~StallWatchdog() override;

    const Stall& longest() const { return longest_; }        ///< by the wall
    const Stall& longestOwn() const { return longestOwn_; }  ///< by what the thread computed
    int above(double milliseconds) const;                    ///< how many were longer
    int beats() const { return beats_; }
    /// Milliseconds that so many of the beats (0 to 1) did not exceed; 0 for below a millisecond.
    double percentile(double share) const;
    /// Forgets what was measured.
    void reset();

  protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    using Clock = std::chrono::steady_clock;

    // Description of the event, cheap enough to keep for every one.
    struct Named {
        const char* receiver = nullptr;  // its class
        QString name;
        int type = 0;
    };

    void answer();
    void note(const Named& next);
    static QString described(const Named& event);

    Stall longest_;
    Stall longestOwn_;
    std::vector<double> stalls_;  // all above a millisecond
    int beats_ = 0;
    bool begun_ = false;
    double processorAtAnswer_ = 0;

    // The events since the last beat: which one kept the others waiting the longest.
    Clock::time_point eventBegan_;
    Named running_;
    double slowestMilliseconds_ = 0;
    Named slowest_;

    std::atomic<bool> answered_ = true;
    std::atomic<Clock::rep> sent_ = 0;
    std::jthread thread_;  // last: it uses everything above
};

/// Turns the event loop until `done`, which is asked every 4 ms; false after a minute. Unlike
/// QTest::qWaitFor() it never sleeps on the window's thread.
bool turnUntil(const std::function<bool()>& done);

}  // namespace threefold::ui
