#include "tests/cuda/emulation/run.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <utility>

#include "cuda/portable/thread.h"

namespace threefold::cuda::emulation {
namespace {

/// Thrown in waiting threads to unwind their stacks after the launch has failed.
struct Abandoned {};

/// The Run whose threads this thread of the operating system executes; null outside of a kernel.
constinit thread_local Run* runningHere = nullptr;

}  // namespace

std::string describe(const uint3& index) {
    return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

std::string describe(const Place& place) {
    const char* const slash = std::strrchr(place.file, '/');
    return fmt::format("{}:{}", slash != nullptr ? slash + 1 : place.file, place.line);
}

Run* Run::running() {
    return runningHere;
}

void Run::addBlock(const uint3& index) {
    const unsigned count = shape_.block.x * shape_.block.y * shape_.block.z;
    auto block = std::make_unique<Block>(Block{.index = index,
                                               .shared = SharedMemory(shape_.sharedBytes),
                                               .threads = std::vector<Thread>(count),
                                               .warps = {},
                                               .atBarrier = {},
                                               .live = count});
    block->warps.resize((count + kLanes - 1) / kLanes);
    for (unsigned number = 0; number < count; ++number) {
        Thread& thread = block->threads[number];
        thread.block = block.get();
        thread.number = number;
        thread.index = {number % shape_.block.x, number / shape_.block.x % shape_.block.y,
                        number / (shape_.block.x * shape_.block.y)};
        block->warps[number / kLanes].lanes |= 1U << number % kLanes;
    }
    live_ += count;
    blocks_.push_back(std::move(block));
}

void Run::finish() {
    runningHere = this;
    fibres_.reset();
    blockDim = shape_.block;
    gridDim = shape_.grid;
    ready_.begin(blocks_);
    std::exception_ptr failure;
    while (live_ > 0 && !failure) {
        if (ready_.empty()) {
            failure = std::make_exception_ptr(deadlock());
        } else {
            failure = turn(*ready_.take());
        }
    }
    if (failure) abandon();
    runningHere = nullptr;
    if (failure) std::rethrow_exception(failure);
    for (const auto& block : blocks_) {
        if (block->shared.writtenBeyondEnd()) {
            throw EmulationError(
                {.subject = "shared memory",
                 .place = "block " + describe(block->index),
                 .problem = fmt::format("the block wrote behind its {} bytes", shape_.sharedBytes),
                 .remedy = "Build with the sanitize preset to see where."});
        }
    }
}

void Run::fail(const char* subject, std::string problem) {
    throw EmulationError(
        {.subject = subject,
         .place = fmt::format("block {}, thread {}", describe(current_->block->index),
                              describe(current_->index)),
         .problem = std::move(problem),
         .remedy = ""});
}

void Run::enter(void* context) {
    auto& self = *static_cast<Run*>(context);
    Thread& thread = *self.current_;
    try {
        self.body_.call(self.body_.context);
    } catch (const Abandoned&) {
        // The stack is unwound.
    } catch (...) {
        thread.error = std::current_exception();
    }
    thread.state = Thread::State::ended;
}

std::exception_ptr Run::turn(Thread& thread) {
    if (thread.state == Thread::State::fresh) {
        thread.fibre = fibres_.take();
        thread.fibre->prepare(&Run::enter, this);
    }
    current_ = &thread;
    threadIdx = thread.index;
    blockIdx = thread.block->index;
    thread.fibre->resume();
    if (thread.state != Thread::State::ended) return nullptr;
    --live_;
    Block& block = *thread.block;
    --block.live;
    // A barrier of the block counts only the threads that have not ended.
    if (!block.atBarrier.empty() && block.atBarrier.size() == block.live) {
        release(block.atBarrier);
    }
    return std::exchange(thread.error, nullptr);
}

void Run::abandon() {
    abandoned_ = true;
    for (const auto& block : blocks_) {
        for (Thread& thread : block->threads) {
            // Resumes repeatedly, since destructors may wait while the stack is unwound.
            while (thread.fibre != nullptr && thread.state != Thread::State::ended) {
                current_ = &thread;
                threadIdx = thread.index;
                blockIdx = block->index;
                thread.fibre->resume();
            }
            thread.error = nullptr;
        }
    }
}

void Run::wait() {
    Thread& thread = *current_;
    thread.fibre->suspend();
    if (abandoned_) throw Abandoned{};
}

EmulationError Run::deadlock() const {
    std::map<std::string, int> waiting;
    const Block* first = nullptr;
    int left = 0;
    for (const auto& block : blocks_) {
        for (const Thread& thread : block->threads) {
            if (thread.state == Thread::State::ended) {
                ++left;
                continue;
            }
            if (first == nullptr) first = block.get();
            ++waiting[fmt::format("{} at {}", thread.waitsIn, describe(thread.waitsAt))];
        }
    }
    std::string problem = "the launch hangs:";
    for (const auto& [where, count] : waiting) {
        problem += fmt::format(" {} wait in {};", count, where);
    }
    problem += fmt::format(" {} have left", left);
    return EmulationError({.subject = "threads that wait for others in vain",
                           .place = "block " + describe(first->index),
                           .problem = std::move(problem),
                           .remedy = "Let every thread that a barrier or mask counts come."});
}

}  // namespace threefold::cuda::emulation
