// This file is linked only into programs with the thread sanitizer. Qt is not instrumented, so the
// sanitizer does not see that sending a signal, a queued call or a pool task happens before the
// receiver or the task runs. These wrappers annotate the order.
#include <cstdarg>
#include <functional>
#include <utility>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QThread>
#include <QThreadPool>

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's names
void __tsan_ignore_thread_begin();
void __tsan_ignore_thread_end();
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace {

// Addresses that stand for an order of events; only their identity counts.
char sent;      // before an event is posted to the application's thread
char handled;   // after a queued call has run
char started;   // before a task is given to the pool
char finished;  // after a task has run

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Event filter that runs before each event's receiver, and before the application's other filters.
class Arrival : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject* /*receiver*/, QEvent* /*event*/) override {
        __tsan_acquire(&sent);
        return false;
    }
};

Arrival* arrival = nullptr;

void install(QObject* watched, QObject* filter) {
    using Install = void (*)(QObject*, QObject*);
    static const auto real = next<Install>("_ZN7QObject18installEventFilterEPS_");
    real(watched, filter);
}

void watchArrivals() {
    QCoreApplication* application = QCoreApplication::instance();
    arrival = new Arrival(application);
    install(application, arrival);
}
Q_COREAPP_STARTUP_FUNCTION(watchArrivals)

// Wraps a queued call. The call's closure may be destroyed by the sending or by the receiving
// thread.
class SentCall : public QtPrivate::QSlotObjectBase {
  public:
    explicit SentCall(QSlotObjectBase* call) : QSlotObjectBase(&SentCall::serve), call_(call) {}

  private:
    static void serve(int what, QSlotObjectBase* self, QObject* receiver, void** arguments,
                      bool* /*same*/) {
        auto* sentCall = static_cast<SentCall*>(self);
        if (what == Call) {
            sentCall->call_->call(receiver, arguments);
            __tsan_release(&handled);
        } else if (what == Destroy) {
            __tsan_acquire(&handled);
            sentCall->call_->destroyIfLastRef();
            delete sentCall;
        }
    }

    QSlotObjectBase* call_;
};

}  // namespace

// Functions that moc's code and Qt's header templates call. The linker takes these definitions
// instead of Qt's.
void QMetaObject::activate(QObject* sender, const QMetaObject* of, int signal, void** arguments) {
    using Activate = void (*)(QObject*, const QMetaObject*, int, void**);
    static const auto real = next<Activate>("_ZN11QMetaObject8activateEP7QObjectPKS_iPPv");
    __tsan_release(&sent);
    // Qt copies a signal's arguments here, for receivers in other threads; the sanitizer would
    // report the copy. The sanitizer therefore ignores this call, including receivers that run
    // directly, except in the application's thread.
    const QCoreApplication* application = QCoreApplication::instance();
    const bool copies = application && QThread::currentThread() != application->thread();
    if (copies) __tsan_ignore_thread_begin();
    real(sender, of, signal, arguments);
    if (copies) __tsan_ignore_thread_end();
}

bool QMetaObject::invokeMethodImpl(QObject* receiver, QtPrivate::QSlotObjectBase* slot,
                                   Qt::ConnectionType type, void* result) {
    using Invoke = bool (*)(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
    static const auto real = next<Invoke>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14"
        "ConnectionTypeEPv");
    slot = new SentCall(slot);
    __tsan_release(&sent);
    return real(receiver, slot, type, result);
}

void QCoreApplication::postEvent(QObject* receiver, QEvent* event, int priority) {
    using Post = void (*)(QObject*, QEvent*, int);
    static const auto real = next<Post>("_ZN16QCoreApplication9postEventEP7QObjectP6QEventi");
    __tsan_release(&sent);
    real(receiver, event, priority);
}

void QObject::installEventFilter(QObject* filter) {
    install(this, filter);
    // Qt calls the most recently installed filter first, so the Arrival is installed again.
    if (arrival != nullptr && this == QCoreApplication::instance()) install(this, arrival);
}

void QThreadPool::start(std::function<void()> work, int priority) {
    using Start = void (*)(QThreadPool*, std::function<void()>, int);
    static const auto real = next<Start>("_ZN11QThreadPool5startESt8functionIFvvEEi");
    std::function<void()> task = [work = std::move(work)]() mutable {
        __tsan_acquire(&started);
        work();
        work = nullptr;
        __tsan_release(&finished);
    };
    __tsan_release(&started);
    real(this, std::move(task), priority);
}

bool QThreadPool::waitForDone(int milliseconds) {
    using Wait = bool (*)(QThreadPool*, int);
    static const auto real = next<Wait>("_ZN11QThreadPool11waitForDoneEi");
    const bool done = real(this, milliseconds);
    __tsan_acquire(&finished);
    return done;
}

// The sanitizer treats clone(CLONE_VM) as fork() and stops watching the calling thread, so this
// wrapper calls the C library's clone() itself. Qt uses clone() only to start programs.
extern "C" int clone(int (*start)(void*), void* stack, int flags, void* argument, ...) {
    using Clone = int (*)(int (*)(void*), void*, int, void*, ...);
    static const auto real =
        reinterpret_cast<Clone>(dlsym(dlopen("libc.so.6", RTLD_LAZY), "clone"));
    std::va_list more;
    va_start(more, argument);
    void* parent = va_arg(more, void*);
    void* storage = va_arg(more, void*);
    void* child = va_arg(more, void*);
    va_end(more);
    return real(start, stack, flags, argument, parent, storage, child);
}
