#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tests/cuda/emulation/block.h"
#include "tests/cuda/emulation/emulated/calls.h"
#include "tests/cuda/emulation/emulator.h"
#include "tests/cuda/emulation/fibre.h"
#include "tests/cuda/emulation/ready_threads.h"

namespace threefold::cuda::emulation {

/// Fibres, whose stacks are reused by later launches.
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

/// Describes an index as "(x, y, z)", and a place as "file.cu:12".
std::string describe(const uint3& index);
std::string describe(const Place& place);

/// Runs the blocks that are alive at the same time. There is one Run at a time for each thread of
/// the operating system.
class Run {
  public:
    Run(const Shape& shape, Body body, const Options& options, FibrePool& fibres)
        : shape_(shape), body_(body), ready_(options.seed), fibres_(fibres) {}

    void addBlock(const uint3& index);

    /// Runs all threads to their end. Throws the first exception of a thread, or EmulationError.
    void finish();

    /// The Run whose threads this thread of the operating system executes; null outside of a
    /// kernel.
    static Run* running();

    Thread& current() { return *current_; }
    const Shape& shape() const { return shape_; }

    // Barriers: the current thread waits for others (meetings.cpp).
    void meetBlock(Place place);
    void meetGrid(Place place);
    void meetWarp(const char* what, unsigned mask, void* mine, Combine combine, Place place);

    /// Throws EmulationError with the current thread's place.
    [[noreturn]] void fail(const char* subject, std::string problem);

  private:
    static void enter(void* context);

    /// Lets a thread run until it waits or ends. Returns the exception that it threw, or null.
    std::exception_ptr turn(Thread& thread);

    /// Unwinds the stacks of all threads that have begun.
    void abandon();

    void announce(const char* what, Place place);
    void wait();
    void makeReady(Thread& thread);
    void release(std::vector<Thread*>& waiting);

    EmulationError deadlock() const;

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

}  // namespace threefold::cuda::emulation
