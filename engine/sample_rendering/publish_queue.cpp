#include "engine/sample_rendering/publish_queue.h"

#include <utility>

#include "engine/error.h"
#include "engine/sample_rendering/staged_sample.h"

namespace threefold {

PublishQueue::PublishQueue(std::filesystem::path root, std::size_t maxWaiting,
                           PublishFunction publish)
    : root_(std::move(root)),
      publish_(std::move(publish)),
      waiting_(maxWaiting),
      thread_([this] { run(); }) {}

PublishQueue::~PublishQueue() {
    try {
        finish();
    } catch (...) {
        // Another exception is propagating, or finish() has thrown this one before.
    }
}

void PublishQueue::add(Entry entry) {
    if (!waiting_.push(std::move(entry))) std::rethrow_exception(failure_);
}

void PublishQueue::finish() {
    waiting_.close();
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
}

void PublishQueue::run() {
    try {
        for (auto entries = waiting_.popAll(); !entries.empty(); entries = waiting_.popAll())
            publishAll(std::move(entries));
    } catch (...) {
        failure_ = std::current_exception();
        waiting_.close();
    }
}

void PublishQueue::publishAll(std::vector<Entry> entries) {
    std::exception_ptr failure;
    try {
        flushDisk(root_);
    } catch (const Error&) {
        failure = std::current_exception();
    }
    for (Entry& entry : entries) publish_(std::move(entry), failure);
}

}  // namespace threefold
