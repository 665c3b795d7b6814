#include "tests/cuda/emulation/fibre.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "engine/error.h"
#include "tests/cuda/emulation/sanitizer.h"

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if THREEFOLD_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace threefold::cuda::emulation {
namespace {

#if THREEFOLD_ADDRESS_SANITIZER
constexpr std::size_t kStackBytes = 512 * 1024;  // stack frames are far larger with red zones
#else
constexpr std::size_t kStackBytes = 128 * 1024;
#endif

/// Memory for a stack above an inaccessible guard page.
class StackMemory {
  public:
    StackMemory() : guard_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
        void* const mapped = ::mmap(nullptr, guard_ + kStackBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (mapped == MAP_FAILED || ::mprotect(mapped, guard_, PROT_NONE) != 0) {
            throw DeviceError({.subject = "kernel emulator",
                               .place = "",
                               .problem = "there is no memory for the stack of a thread",
                               .remedy = "Launch fewer threads at once."});
        }
        mapped_ = static_cast<std::byte*>(mapped);
    }
    ~StackMemory() { ::munmap(mapped_, guard_ + kStackBytes); }
    StackMemory(const StackMemory&) = delete;
    StackMemory& operator=(const StackMemory&) = delete;

    std::byte* bottom() const { return mapped_ + guard_; }

  private:
    std::size_t guard_;
    std::byte* mapped_ = nullptr;
};

/// Tells the address sanitizer the bounds of the stack that runs.
class StackWatch {
  public:
#if THREEFOLD_ADDRESS_SANITIZER
    static void forget(std::byte* bottom) {
        __asan_unpoison_memory_region(bottom, kStackBytes);
    }
    void leaveCaller(std::byte* bottom) {
        __sanitizer_start_switch_fiber(&callerFake_, bottom, kStackBytes);
    }
    void backInCaller() {
        __sanitizer_finish_switch_fiber(callerFake_, nullptr, nullptr);
    }
    void leaveFibre(bool forGood) {
        __sanitizer_start_switch_fiber(forGood ? nullptr : &ownFake_, callerBottom_, callerBytes_);
    }
    void inFibre(bool first) {
        __sanitizer_finish_switch_fiber(first ? nullptr : ownFake_, &callerBottom_, &callerBytes_);
    }

  private:
    void* callerFake_ = nullptr;
    void* ownFake_ = nullptr;
    const void* callerBottom_ = nullptr;
    std::size_t callerBytes_ = 0;
#else
    static void forget(std::byte*) {}
    void leaveCaller(std::byte*) {}
    void backInCaller() {}
    void leaveFibre(bool) {}
    void inFibre(bool) {}
#endif
};

#if defined(__x86_64__)

extern "C" void threefoldSwitchStack(void** saved, void* restored);

// Pushes the registers that a function must preserve, stores the stack pointer in *saved, and
// continues on the other stack. Rounding modes are the same in all fibres, and need no saving.
asm(R"(
.text
.p2align 4
.local threefoldSwitchStack
.type threefoldSwitchStack, @function
threefoldSwitchStack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size threefoldSwitchStack, .-threefoldSwitchStack
)");

class Switch {
  public:
    /// Prepares a stack on which `begin`, which never returns, is called.
    void prepare(std::byte* top, void (*begin)()) {
        auto** slot = reinterpret_cast<void**>(top);
        *--slot = nullptr;                              // ends stack traces
        *--slot = reinterpret_cast<void*>(begin);       // return address
        for (int i = 0; i < 6; ++i) *--slot = nullptr;  // preserved registers
        own_ = slot;
    }
    void toFibre() { threefoldSwitchStack(&caller_, own_); }
    void toCaller() { threefoldSwitchStack(&own_, caller_); }

  private:
    void* own_ = nullptr;
    void* caller_ = nullptr;
};

#else

class Switch {
  public:
    void prepare(std::byte* top, std::byte* bottom, void (*begin)()) {
        ::getcontext(&own_);
        own_.uc_stack.ss_sp = bottom;
        own_.uc_stack.ss_size = static_cast<std::size_t>(top - bottom);
        own_.uc_link = nullptr;
        ::makecontext(&own_, begin, 0);
    }
    void toFibre() { ::swapcontext(&caller_, &own_); }
    void toCaller() { ::swapcontext(&own_, &caller_); }

  private:
    ucontext_t own_{};
    ucontext_t caller_{};
};

#endif

}  // namespace

struct Fibre::State {
    explicit State(std::size_t number) : offset(number * 320 % 4096 / 64 * 64) {}

    static void begin();

    StackMemory memory;
    StackWatch watch;
    Switch stacks;
    std::size_t offset;
    Entry entry = nullptr;
    void* context = nullptr;
};

namespace {
/// Argument of begin(), which has no parameter because a return instruction enters it.
constinit thread_local void* beginning = nullptr;
}  // namespace

void Fibre::State::begin() {
    State& self = *static_cast<State*>(beginning);
    self.watch.inFibre(true);
    self.entry(self.context);
    self.watch.leaveFibre(true);
    self.stacks.toCaller();
}

Fibre::Fibre(std::size_t number) : state_(std::make_unique<State>(number)) {}

Fibre::~Fibre() = default;

void Fibre::prepare(Entry entry, void* context) {
    state_->entry = entry;
    state_->context = context;
    std::byte* const bottom = state_->memory.bottom();
    StackWatch::forget(bottom);
    std::byte* const top = bottom + kStackBytes - state_->offset;
#if defined(__x86_64__)
    state_->stacks.prepare(top, &State::begin);
#else
    state_->stacks.prepare(top, bottom, &State::begin);
#endif
}

void Fibre::resume() {
    beginning = state_.get();
    state_->watch.leaveCaller(state_->memory.bottom());
    state_->stacks.toFibre();
    state_->watch.backInCaller();
}

void Fibre::suspend() {
    state_->watch.leaveFibre(false);
    state_->stacks.toCaller();
    state_->watch.inFibre(false);
}

}  // namespace threefold::cuda::emulation
