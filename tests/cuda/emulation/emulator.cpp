#include "tests/cuda/emulation/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "cuda/portable/emulated.h"
#include "cuda/portable/thread.h"
#include "tests/cuda/emulation/fibre.h"
#include "tests/cuda/emulation/sanitizer.h"

namespace threefold::cuda::emulation {
namespace {

constexpr int kLanes = 32;
constexpr int kBarriers = 16;
constexpr unsigned kMostThreads = 1024;
/// In every float format NaN, as an index out of any range.
constexpr int kPoison = 0xff;

/// Thrown in a waiting thread to clear its stack when the launch has failed elsewhere.
struct Abandoned {};

std::string describe(const uint3& index) {
    return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

std::string describe(const Place& place) {
    const char* const slash = std::strrchr(place.file, '/');
    return fmt::format("{}:{}", slash != nullptr ? slash + 1 : place.file, place.line);
}

/// SplitMix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t end) {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return (z ^ (z >> 31)) % end;
    }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

  private:
    std::uint64_t state_;
};

/// A block's dynamic shared memory: exactly as large as asked for, so that the address sanitizer
/// knows its end. Without the sanitizer a few bytes behind it tell of writes.
class SharedMemory {
  public:
    explicit SharedMemory(std::size_t bytes) : bytes_(bytes) {
        void* memory = nullptr;
        if (::posix_memalign(&memory, 1024, bytes + kCanary) != 0) throw std::bad_alloc();
        memory_.reset(static_cast<std::byte*>(memory));
        std::memset(memory, kPoison, bytes + kCanary);
    }
    std::byte* data() const { return memory_.get(); }
    bool writtenBehind() const {
        return std::any_of(memory_.get() + bytes_, memory_.get() + bytes_ + kCanary,
                           [](std::byte b) { return b != std::byte{kPoison}; });
    }

  private:
    static constexpr std::size_t kCanary = THREEFOLD_ADDRESS_SANITIZER ? 0 : 256;

    std::size_t bytes_;
    std::unique_ptr<std::byte, decltype([](std::byte* p) { std::free(p); })> memory_;
};

struct Block;

struct PendingCopy {
    void* to;
    int bytes;
    std::uint64_t group;
    std::array<std::byte, 16> data;
};

struct Thread {
    enum class State { fresh, ready, waiting, ended };

    Block* block = nullptr;
    unsigned number = 0;  ///< within the block
    uint3 index{};
    State state = State::fresh;
    Fibre* fibre = nullptr;
    const char* waitsIn = "";
    Place waitsAt{};
    std::vector<PendingCopy> copies;
    std::uint64_t openGroup = 0;
    std::exception_ptr error;
};

struct Barrier {
    int threads = 0;  ///< how many it waits for
    std::vector<Thread*> waiting;
};

struct WarpMeeting {
    const char* what;
    unsigned mask;
    unsigned arrived;
    std::array<void*, kLanes> mine;
    std::array<Thread*, kLanes> threads;
};

struct Warp {
    unsigned lanes = 0;  ///< those that exist
    std::vector<WarpMeeting> meetings;
};

struct Block {
    uint3 index{};
    SharedMemory shared;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::array<Barrier, kBarriers> barriers;
    unsigned live = 0;
};

/// The threads that can go on, in an order that the seed decides.
class ReadyThreads {
  public:
    explicit ReadyThreads(std::uint64_t seed) : seed_(seed), random_(seed) {}

    /// Lanes stay with their warp, so that one warp may run far ahead of the others.
    void begin(const std::vector<std::unique_ptr<Block>>& blocks) {
        std::vector<std::pair<Block*, unsigned>> warps;
        for (const auto& block : blocks) {
            for (unsigned w = 0; w < block->warps.size(); ++w) warps.emplace_back(block.get(), w);
        }
        if (seed_ > 1) random_.shuffle(warps);
        for (const auto& [block, w] : warps) {
            const auto end = std::min<std::size_t>(block->threads.size(), (w + 1) * kLanes);
            std::vector<Thread*> lanes;
            for (std::size_t t = w * kLanes; t < end; ++t) lanes.push_back(&block->threads[t]);
            if (seed_ > 1) random_.shuffle(lanes);
            threads_.insert(threads_.end(), lanes.begin(), lanes.end());
        }
        if (seed_ == 1) std::reverse(threads_.begin(), threads_.end());
    }

    bool empty() const { return first_ == threads_.size(); }
    void add(Thread* thread) { threads_.push_back(thread); }

    Thread* take() {
        // Odd seeds: the newest first, so that a warp runs as far as it can. Even ones: any.
        if (seed_ > 1 && seed_ % 2 == 1) {
            Thread* const newest = threads_.back();
            threads_.pop_back();
            return newest;
        }
        if (seed_ > 1) {
            std::swap(threads_[first_], threads_[first_ + random_.below(threads_.size() - first_)]);
        }
        Thread* const next = threads_[first_++];
        if (first_ == threads_.size()) {
            threads_.clear();
            first_ = 0;
        }
        return next;
    }

  private:
    std::uint64_t seed_;
    Random random_;
    std::vector<Thread*> threads_;
    std::size_t first_ = 0;
};

/// Stacks are kept from launch to launch.
class FibrePool {
  public:
    Fibre* take() {
        if (used_ == fibres_.size()) fibres_.push_back(std::make_unique<Fibre>(used_));
        return fibres_[used_++].get();
    }
    void reset() { used_ = 0; }

  private:
    std::vector<std::unique_ptr<Fibre>> fibres_;
    std::size_t used_ = 0;
};

class Run;

struct Machine {
    Options options;
    Run* run = nullptr;
    FibrePool fibres;
};

/// A thread of the operating system emulates one launch at a time.
Machine& machine() {
    thread_local Machine machine;
    return machine;
}

/// The running thread of the kernel, for what it calls.
constinit thread_local Run* running = nullptr;

/// Blocks that are alive at the same time, from their first thread to their last.
class Run {
  public:
    Run(const Shape& shape, Body body, const Options& options, FibrePool& fibres)
        : shape_(shape), body_(body), ready_(options.seed), fibres_(fibres) {}

    void addBlock(const uint3& index) {
        const unsigned count = shape_.block.x * shape_.block.y * shape_.block.z;
        auto block = std::make_unique<Block>(Block{.index = index,
                                                   .shared = SharedMemory(shape_.sharedBytes),
                                                   .threads = std::vector<Thread>(count),
                                                   .warps = {},
                                                   .barriers = {},
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

    void finish() {
        running = this;
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
        running = nullptr;
        if (failure) std::rethrow_exception(failure);
        for (const auto& block : blocks_) {
            if (block->shared.writtenBehind()) {
                throw EmulationError({.subject = "shared memory",
                                      .place = "block " + describe(block->index),
                                      .problem = fmt::format("the block wrote behind its {} bytes",
                                                             shape_.sharedBytes),
                                      .remedy = "Build with the sanitize preset to see where."});
            }
        }
    }

    Thread& current() { return *current_; }
    const Shape& shape() const { return shape_; }

    void meetBlock(Place place) {
        Barrier& barrier = current_->block->barriers[0];
        if (!barrier.waiting.empty()) {
            const Place& first = barrier.waiting.front()->waitsAt;
            if (first.line != place.line || std::strcmp(first.file, place.file) != 0) {
                fail("__syncthreads",
                     fmt::format("threads of the block wait at different ones: {} and {}",
                                 describe(first), describe(place)));
            }
        }
        barrier.waiting.push_back(current_);
        announce("__syncthreads", place);
        if (barrier.waiting.size() == current_->block->live) release(barrier.waiting);
        wait();
    }

    void meetBarrier(int id, int threads, Place place) {
        Block& block = *current_->block;
        if (id < 1 || id >= kBarriers) {
            fail("namedBarrier", fmt::format("there is no barrier {} at {}: they are 1 to 15", id,
                                             describe(place)));
        }
        if (threads <= 0 || threads % kLanes != 0 ||
            static_cast<std::size_t>(threads) > block.threads.size()) {
            fail("namedBarrier",
                 fmt::format("{} threads at {}: that is not a number of whole warps of the block",
                             threads, describe(place)));
        }
        Barrier& barrier = block.barriers[static_cast<std::size_t>(id)];
        if (!barrier.waiting.empty() && barrier.threads != threads) {
            fail("namedBarrier", fmt::format("barrier {} waits for {} threads, but for {} at {}",
                                             id, barrier.threads, threads, describe(place)));
        }
        barrier.threads = threads;
        barrier.waiting.push_back(current_);
        announce("namedBarrier", place);
        if (barrier.waiting.size() == static_cast<std::size_t>(threads)) {
            requireWholeWarps(barrier, id);
            release(barrier.waiting);
        }
        wait();
    }

    void meetGrid(Place place) {
        if (!shape_.cooperative) {
            fail("gridBarrier", "the launch at " + describe(place) + " is not a cooperative one");
        }
        atGrid_.push_back(current_);
        announce("gridBarrier", place);
        if (atGrid_.size() == blocks_.size() * blocks_.front()->threads.size()) release(atGrid_);
        wait();
    }

    void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place) {
        Warp& warp = current_->block->warps[current_->number / kLanes];
        const unsigned lane = current_->number % kLanes;
        if ((mask >> lane & 1U) == 0) {
            fail(what, fmt::format("mask {:#010x} at {} does not name the lane itself, {}", mask,
                                   describe(place), lane));
        }
        if ((mask & ~warp.lanes) != 0) {
            fail(what, fmt::format("mask {:#010x} at {} names lanes that the block does not have",
                                   mask, describe(place)));
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
            fail(what,
                 fmt::format("lanes of mask {:#010x} are at {}, while others of it wait in {}",
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

    [[noreturn]] void fail(const char* subject, std::string problem) {
        throw EmulationError(
            {.subject = subject,
             .place = fmt::format("block {}, thread {}", describe(current_->block->index),
                                  describe(current_->index)),
             .problem = std::move(problem),
             .remedy = ""});
    }

  private:
    static void enter(void* context) {
        auto& self = *static_cast<Run*>(context);
        Thread& thread = *self.current_;
        try {
            self.body_.call(self.body_.context);
        } catch (const Abandoned&) {
            // Its stack is clear now.
        } catch (...) {
            thread.error = std::current_exception();
        }
        thread.state = Thread::State::ended;
    }

    /// Lets a thread run until it waits or ends. What it threw, or nothing.
    std::exception_ptr turn(Thread& thread) {
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
        // A barrier of the whole block is one of those who are left.
        Barrier& barrier = block.barriers[0];
        if (!barrier.waiting.empty() && barrier.waiting.size() == block.live) {
            release(barrier.waiting);
        }
        return std::exchange(thread.error, nullptr);
    }

    /// Unwinds the stacks of all threads that are under way.
    void abandon() {
        abandoned_ = true;
        for (const auto& block : blocks_) {
            for (Thread& thread : block->threads) {
                // More than once where a thread waits while its stack is unwound.
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

    void announce(const char* what, Place place) {
        current_->state = Thread::State::waiting;
        current_->waitsIn = what;
        current_->waitsAt = place;
    }

    void wait() {
        Thread& thread = *current_;
        thread.fibre->suspend();
        if (abandoned_) throw Abandoned{};
    }

    void makeReady(Thread& thread) {
        thread.state = Thread::State::ready;
        ready_.add(&thread);
    }

    void release(std::vector<Thread*>& waiting) {
        for (Thread* thread : waiting) makeReady(*thread);
        waiting.clear();
    }

    /// The device counts a named barrier's threads by warps.
    void requireWholeWarps(const Barrier& barrier, int id) {
        std::map<unsigned, int> lanes;
        for (const Thread* thread : barrier.waiting) ++lanes[thread->number / kLanes];
        for (const auto& [warp, count] : lanes) {
            if (count == kLanes) continue;
            fail("namedBarrier",
                 fmt::format("only {} lanes of warp {} came to barrier {}", count, warp, id));
        }
    }

    EmulationError deadlock() const {
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

    Shape shape_;
    Body body_;
    ReadyThreads ready_;
    FibrePool& fibres_;
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<Thread*> atGrid_;
    Thread* current_ = nullptr;
    std::size_t live_ = 0;
    bool abandoned_ = false;
};

[[noreturn]] void refuse(const Shape& shape, std::string problem) {
    throw EmulationError(
        {.subject = "launch",
         .place = fmt::format("grid {}x{}x{}, block {}x{}x{}, {} bytes of shared memory",
                              shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x,
                              shape.block.y, shape.block.z, shape.sharedBytes),
         .problem = std::move(problem),
         .remedy = ""});
}

void requireLaunchable(const Shape& shape, const Options& options) {
    if (running != nullptr) refuse(shape, "a kernel cannot launch another");
    const dim3& grid = shape.grid;
    const dim3& block = shape.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) refuse(shape, "there are no blocks");
    if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
        refuse(shape, "more blocks than a grid can have: 2^31 - 1, 65535 and 65535");
    }
    const auto threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > kMostThreads || block.z > 64) {
        refuse(shape, "a block has 1 to 1024 threads, and at most 64 in its third direction");
    }
    if (shape.sharedBytes > options.sharedBytesPerBlock) {
        refuse(shape, fmt::format("more shared memory than a block can have, {} bytes",
                                  options.sharedBytesPerBlock));
    }
    const auto blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    if (shape.cooperative && blocks > static_cast<std::uint64_t>(options.cooperativeBlocks)) {
        refuse(shape, fmt::format("more blocks than fit on the device at once, {}",
                                  options.cooperativeBlocks));
    }
}

Run& run(const char* what) {
    if (running != nullptr) return *running;
    throw EmulationError({.subject = what,
                          .place = "",
                          .problem = "called outside of a kernel",
                          .remedy = "Call it in a kernel that is launched."});
}

}  // namespace

OptionsScope::OptionsScope(const Options& options) : previous_(machine().options) {
    machine().options = options;
}

OptionsScope::~OptionsScope() {
    machine().options = previous_;
}

void forEachSeed(const std::function<void(std::uint64_t seed)>& body) {
    for (const std::uint64_t seed : kSeeds) {
        Options options = machine().options;
        options.seed = seed;
        const OptionsScope scope(options);
        body(seed);
    }
}

void runKernel(const Shape& shape, Body body) {
    const Options& options = machine().options;
    requireLaunchable(shape, options);
    const std::size_t count = std::size_t{shape.grid.x} * shape.grid.y * shape.grid.z;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options.seed == 1) std::reverse(order.begin(), order.end());
    if (options.seed > 1) Random(options.seed).shuffle(order);
    const auto indexOf = [&](std::size_t number) {
        const std::size_t row = number / shape.grid.x;
        return uint3{static_cast<unsigned>(number % shape.grid.x),
                     static_cast<unsigned>(row % shape.grid.y),
                     static_cast<unsigned>(row / shape.grid.y)};
    };
    if (shape.cooperative) {
        Run all(shape, body, options, machine().fibres);
        for (const std::size_t number : order) all.addBlock(indexOf(number));
        all.finish();
        return;
    }
    for (const std::size_t number : order) {
        Options own = options;
        if (own.seed > 1) own.seed += 2 * (number + 1);  // stays odd or even
        Run one(shape, body, own, machine().fibres);
        one.addBlock(indexOf(number));
        one.finish();
    }
}

int mostCooperativeBlocks(int threads, std::size_t sharedBytes) {
    const Options& options = machine().options;
    const bool fits = threads > 0 && static_cast<unsigned>(threads) <= kMostThreads &&
                      sharedBytes <= options.sharedBytesPerBlock;
    return fits ? options.cooperativeBlocks : 0;
}

std::byte* sharedMemory() {
    return run("sharedMemory").current().block->shared.data();
}

std::size_t sharedMemoryBytes() {
    return run("sharedMemory").shape().sharedBytes;
}

void meetBlock(Place place) {
    run("__syncthreads").meetBlock(place);
}

void meetBarrier(int id, int threads, Place place) {
    run("namedBarrier").meetBarrier(id, threads, place);
}

void meetGrid(Place place) {
    run("gridBarrier").meetGrid(place);
}

void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place) {
    run(what).meetWarp(what, mask, mine, combine, place);
}

void requireShared(const void* address, std::size_t bytes, std::size_t alignment, const char* what,
                   Place place) {
    Run& self = run(what);
    const auto begin = reinterpret_cast<std::uintptr_t>(self.current().block->shared.data());
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at < begin || at - begin + bytes > self.shape().sharedBytes) {
        self.fail(what, fmt::format("{} bytes at {} are not all in the block's shared memory of {} "
                                    "bytes: they begin at byte {}",
                                    bytes, describe(place), self.shape().sharedBytes,
                                    static_cast<std::intptr_t>(at - begin)));
    }
    if (at % alignment != 0) {
        self.fail(what, fmt::format("byte {} of shared memory at {} is not aligned to {} bytes",
                                    at - begin, describe(place), alignment));
    }
}

void copyLater(void* to, const void* from, int bytes, Place place) {
    const auto size = static_cast<std::size_t>(bytes);
    requireShared(to, size, size, "copyAsync", place);
    Run& self = run("copyAsync");
    if (reinterpret_cast<std::uintptr_t>(from) % size != 0) {
        self.fail("copyAsync", fmt::format("the source at {} is not aligned to {} bytes",
                                           describe(place), bytes));
    }
    Thread& thread = self.current();
    PendingCopy copy{to, bytes, thread.openGroup, {}};
    if (from != nullptr) std::memcpy(copy.data.data(), from, size);
    thread.copies.push_back(copy);
    std::memset(to, kPoison, size);
}

void commitCopies() {
    ++run("commitCopies").current().openGroup;
}

void waitCopies(int pending) {
    Thread& thread = run("waitCopies").current();
    auto& copies = thread.copies;
    const auto firstKept = std::find_if(copies.begin(), copies.end(), [&](const PendingCopy& copy) {
        return copy.group + static_cast<std::uint64_t>(pending) >= thread.openGroup;
    });
    std::for_each(copies.begin(), firstKept, [](const PendingCopy& copy) {
        std::memcpy(copy.to, copy.data.data(), static_cast<std::size_t>(copy.bytes));
    });
    copies.erase(copies.begin(), firstKept);
}

}  // namespace threefold::cuda::emulation
