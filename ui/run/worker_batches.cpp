// The worker's batches of lists, between submitting and collecting them.
#include <algorithm>
#include <set>
#include <utility>

#include "ui/run/worker.h"

namespace threefold::ui {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

bool Worker::Begun::due() const {
    return std::ranges::any_of(samples, [](const ListSample& sample) {
        return sample.call->wanted || sample.call->withdrawn;
    });
}

void Worker::submit(const std::shared_ptr<NetworkCall>& call, std::vector<NetworkInput> inputs) {
    const Lock lock(mutex_);
    const bool alone = inputs.size() == 1;
    // The list knows how many its device computes best.
    if (!alone) queue_.setFull(inputs.size());
    call->missing = inputs.size();
    call->answer.results.resize(inputs.size());
    for (std::size_t place = 0; place < inputs.size(); ++place) {
        const std::size_t views = alone ? 0 : inputs[place].images.size();
        queue_.add({++lastTicket_, Urgency::whenever, views}, Clock::now());
        samples_[lastTicket_] = {call, place, std::move(inputs[place])};
    }
    wake();
}

void Worker::want(NetworkCall& call) {
    const Lock lock(mutex_);
    call.wanted = true;
    wake();
}

void Worker::withdraw(NetworkCall& call) {
    const Lock lock(mutex_);
    drop(call);
    for (Begun& batch : begun_) {
        const bool hasIt = std::ranges::any_of(
            batch.samples, [&](const ListSample& sample) { return sample.call.get() == &call; });
        if (hasIt) batch.stop.request_stop();
    }
    wake();
}

/// Removes its samples that wait. With the lock.
void Worker::drop(NetworkCall& call) {
    call.withdrawn = true;
    std::erase_if(samples_, [&](const auto& waiting) {
        return waiting.second.call.get() == &call && queue_.remove(waiting.first);
    });
}

void Worker::beginBatch(const std::vector<BatchQueue::Id>& ids, Lock& lock) {
    const auto batch = begun_.emplace(begun_.end());
    batch->ids = ids;
    for (const BatchQueue::Id id : ids) {
        ListSample& sample = batch->samples.emplace_back(std::move(samples_.extract(id).mapped()));
        batch->inputs.push_back(std::move(sample.input));
    }
    RunOptions options;
    options.cancel = batch->stop.get_token();
    std::exception_ptr failure;
    lock.unlock();
    try {
        batch->pending = backend().submit(batch->inputs, options);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    if (failure) endBatch(batch, {}, failure);
}

void Worker::collect(BegunRef batch, Lock& lock) {
    std::vector<Reconstruction> results;
    std::exception_ptr failure;
    const bool unwanted = std::ranges::all_of(
        batch->samples, [](const ListSample& sample) { return sample.call->withdrawn; });
    lock.unlock();
    for (const ListSample& sample : batch->samples) {
        if (!sample.call->begun) sample.call->begun = Clock::now();
    }
    try {
        if (unwanted) throw Cancelled();
        results = batch->pending->collect();
        noticeTakeover(*backend_);
    } catch (...) {
        failure = std::current_exception();
    }
    batch->pending.reset();
    lock.lock();
    endBatch(batch, std::move(results), failure);
}

void Worker::endBatch(BegunRef batch, std::vector<Reconstruction> results,
                      const std::exception_ptr& failure) {
    std::set<NetworkCall*> calls;
    for (const ListSample& sample : batch->samples) calls.insert(sample.call.get());
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        return returnBatch(batch);
    } catch (...) {
        // One call's sample must not fail another's: each goes again, alone.
        if (calls.size() > 1) return returnBatch(batch);
    }
    queue_.finish(batch->ids, Clock::now());
    for (std::size_t i = 0; i < batch->samples.size(); ++i) {
        NetworkCall& call = *batch->samples[i].call;
        if (call.withdrawn) continue;
        if (failure) {
            drop(call);
            call.promise.set_exception(failure);
            continue;
        }
        call.answer.results[batch->samples[i].place] = std::move(results[i]);
        if (--call.missing > 0) continue;
        call.answer.begun = call.begun.value();
        call.answer.description = description_;
        call.answer.mostPending = backend_->mostPending();
        call.answer.largestBatch = backend_->largestBatch();
        call.promise.set_value(std::move(call.answer));
    }
    begun_.erase(batch);
}

/// What was interrupted waits again, but for what nobody wants any more.
void Worker::returnBatch(BegunRef batch) {
    const bool interrupted = batch->stop.stop_requested();
    interrupted ? queue_.putBack(batch->ids) : queue_.finish(batch->ids, Clock::now());
    for (std::size_t i = 0; i < batch->samples.size(); ++i) {
        ListSample& sample = batch->samples[i];
        const BatchQueue::Id id = batch->ids[i];
        if (sample.call->withdrawn) {
            queue_.remove(id);
            continue;
        }
        if (!interrupted) queue_.add({id, Urgency::whenever, 0}, Clock::now());
        sample.call->begun.reset();
        sample.input = std::move(batch->inputs[i]);
        samples_[id] = std::move(sample);
    }
    begun_.erase(batch);
}

}  // namespace threefold::ui
