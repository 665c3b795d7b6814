#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace threefold {

/// Cache-line-aligned memory, to be allocated once and reused: a large block that is freed after
/// each layer costs page faults when it is allocated again.
template <typename T>
class AlignedBuffer {
    static_assert(std::is_trivially_destructible_v<T>, "no destructor is called");

  public:
    AlignedBuffer() = default;
    /// Allocates `count` zeros. Throws std::bad_alloc, also where the size overflows.
    explicit AlignedBuffer(std::size_t count) : data_(allocate(count)), count_(count) {
        std::uninitialized_value_construct_n(data_.get(), count);
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return count_; }
    std::span<T> span() { return {data_.get(), count_}; }
    std::span<const T> span() const { return {data_.get(), count_}; }

  private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(T* p) const { ::operator delete(p, kAlignment); }
    };
    static T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
    }

    std::unique_ptr<T, Free> data_;
    std::size_t count_ = 0;
};

}  // namespace threefold
