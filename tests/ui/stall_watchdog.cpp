#include "tests/ui/stall_watchdog.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>
#include <QMetaEnum>
#include <QTimer>

namespace threefold::ui {
namespace {

QEvent::Type probeType() {
    static const auto type = static_cast<QEvent::Type>(QEvent::registerEventType());
    return type;
}

double threadMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace

StallWatchdog::StallWatchdog() : eventBegan_(Clock::now()) {
    QCoreApplication::instance()->installEventFilter(this);
    thread_ = std::jthread([this](const std::stop_token& closing) {
        constexpr std::chrono::milliseconds kPause(1);
        while (!closing.stop_requested()) {
            std::this_thread::sleep_for(kPause);
            if (!answered_.exchange(false)) {
                answered_.wait(false);
                continue;
            }
            sent_ = Clock::now().time_since_epoch().count();
            QCoreApplication::postEvent(this, new QEvent(probeType()));
        }
    });
}

StallWatchdog::~StallWatchdog() {
    thread_.request_stop();
    answered_ = true;
    answered_.notify_all();
    thread_.join();
    QCoreApplication::removePostedEvents(this);
}

int StallWatchdog::countAbove(double milliseconds) const {
    return static_cast<int>(std::count_if(stalls_.begin(), stalls_.end(),
                                          [&](double stall) { return stall > milliseconds; }));
}

double StallWatchdog::percentile(double fraction) const {
    std::vector<double> sorted = stalls_;
    std::sort(sorted.begin(), sorted.end());
    const auto longer = static_cast<std::size_t>((1 - fraction) * probeCount_);
    return longer < sorted.size() ? sorted[sorted.size() - 1 - longer] : 0;
}

void StallWatchdog::reset() {
    longest_ = {};
    longestByProcessorTime_ = {};
    stalls_.clear();
    probeCount_ = 0;
}

bool StallWatchdog::event(QEvent* event) {
    if (event->type() != probeType()) return QObject::event(event);
    answer();
    return true;
}

// Receives every event of the thread before the event's receiver does.
bool StallWatchdog::eventFilter(QObject* watched, QEvent* event) {
    note(watched == this
             ? Named{}
             : Named{watched->metaObject()->className(), watched->objectName(), event->type()});
    return false;
}

QString StallWatchdog::described(const Named& event) {
    if (event.receiver == nullptr) return QStringLiteral("no event");
    const char* type = QMetaEnum::fromType<QEvent::Type>().valueToKey(event.type);
    return QStringLiteral("%1 of %2%3")
        .arg(type != nullptr ? QString::fromLatin1(type)
                             : QStringLiteral("event %1").arg(event.type),
             QString::fromLatin1(event.receiver),
             event.name.isEmpty() ? QString() : " '" + event.name + "'");
}

void StallWatchdog::note(const Named& next) {
    const Clock::time_point now = Clock::now();
    const double elapsed = std::chrono::duration<double, std::milli>(now - eventBegan_).count();
    if (elapsed > slowestMilliseconds_ && running_.receiver != nullptr) {
        slowestMilliseconds_ = elapsed;
        slowest_ = running_;
    }
    eventBegan_ = now;
    running_ = next;
}

void StallWatchdog::answer() {
    const Clock::time_point sent{Clock::duration(sent_.load())};
    Stall stall;
    stall.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - sent).count();
    stall.processorMilliseconds = threadMilliseconds() - std::exchange(processorAtAnswer_, 0);
    processorAtAnswer_ = threadMilliseconds();
    stall.event = described(slowest_);
    ++probeCount_;
    // The first probe waited for the start of the event loop. Its wait is not recorded.
    if (std::exchange(begun_, true)) {
        if (stall.milliseconds > longest_.milliseconds) longest_ = stall;
        if (stall.processorMilliseconds > longestByProcessorTime_.processorMilliseconds)
            longestByProcessorTime_ = stall;
        if (stall.milliseconds > 1) stalls_.push_back(stall.milliseconds);
    }
    slowestMilliseconds_ = 0;
    slowest_ = {};
    answered_ = true;
    answered_.notify_all();
}

bool processEventsUntil(const std::function<bool()>& done) {
    QEventLoop loop;
    QTimer pollTimer;
    QObject::connect(&pollTimer, &QTimer::timeout, &loop, [&] {
        if (done()) loop.exit(1);
    });
    pollTimer.start(4);
    constexpr int kPatience = 240000;  // milliseconds; enough for the network on a busy machine
    QTimer::singleShot(kPatience, &loop, [&] { loop.exit(0); });
    return loop.exec() == 1;
}

}  // namespace threefold::ui
