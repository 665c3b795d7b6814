#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tests/cuda/emulation/run.h"

/// Barriers and warp operations: threads wait for each other, and calls that CUDA leaves undefined
/// are errors.
namespace threefold::cuda::emulation {

void Run::meetBlock(Place place) {
    std::vector<Thread*>& waiting = current_->block->atBarrier;
    if (!waiting.empty()) {
        const Place& first = waiting.front()->waitsAt;
        if (first.line != place.line || std::strcmp(first.file, place.file) != 0) {
            fail("__syncthreads",
                 fmt::format("threads of the block wait at different ones: {} and {}",
                             describe(first), describe(place)));
        }
    }
    waiting.push_back(current_);
    announce("__syncthreads", place);
    if (waiting.size() == current_->block->live) release(waiting);
    wait();
}

void Run::meetGrid(Place place) {
    if (!shape_.cooperative) {
        fail("gridBarrier", "the launch at " + describe(place) + " is not a cooperative one");
    }
    atGrid_.push_back(current_);
    announce("gridBarrier", place);
    if (atGrid_.size() == blocks_.size() * blocks_.front()->threads.size()) release(atGrid_);
    wait();
}

void Run::meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place) {
    Warp& warp = current_->block->warps[current_->number / kLanes];
    const unsigned lane = current_->number % kLanes;
    if ((mask >> lane & 1U) == 0) {
        fail(what, fmt::format("mask {:#010x} at {} does not name the lane itself, {}", mask,
                               describe(place), lane));
    }
    if ((mask & ~warp.lanes) != 0) {
        fail(what, fmt::format("mask {:#010x} at {} names lanes that the block does not have", mask,
                               describe(place)));
    }
    auto meeting = std::find_if(warp.meetings.begin(), warp.meetings.end(),
                                [&](const WarpMeeting& m) { return (m.mask & mask) != 0; });
    if (meeting == warp.meetings.end()) {
        warp.meetings.push_back({what, mask, 0, {}, {}});
        meeting = warp.meetings.end() - 1;
    } else if (meeting->mask != mask) {
        fail(what, fmt::format("mask {:#010x} at {}, while lanes of it wait in {} with mask "
                               "{:#010x}",
                               mask, describe(place), meeting->what, meeting->mask));
    } else if (std::strcmp(meeting->what, what) != 0) {
        fail(what, fmt::format("lanes of mask {:#010x} are at {}, while others of it wait in {}",
                               mask, describe(place), meeting->what));
    }
    meeting->arrived |= 1U << lane;
    meeting->mine[lane] = mine;
    meeting->threads[lane] = current_;
    announce(what, place);
    if (meeting->arrived == mask) {
        combine(meeting->mine.data(), mask);
        for (Thread* thread : meeting->threads) {
            if (thread != nullptr) makeReady(*thread);
        }
        warp.meetings.erase(meeting);
    }
    wait();
}

void Run::announce(const char* what, Place place) {
    current_->state = Thread::State::waiting;
    current_->waitsIn = what;
    current_->waitsAt = place;
}

void Run::makeReady(Thread& thread) {
    thread.state = Thread::State::ready;
    ready_.add(&thread);
}

void Run::release(std::vector<Thread*>& waiting) {
    for (Thread* thread : waiting) makeReady(*thread);
    waiting.clear();
}

}  // namespace threefold::cuda::emulation
