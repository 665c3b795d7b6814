#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace threefold {

/// Cache-line-aligned memory, allocated once and reused: freeing large blocks after each layer
/// would cost a third of the time in page faults.
template <typename T>
class AlignedBuffer {
  public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t count)
        : data_(static_cast<T*>(::operator new(count * sizeof(T), kAlignment))), count_(count) {
        std::uninitialized_value_construct_n(data_.get(), count);
    }

    T* data() const { return data_.get(); }
    std::size_t size() const { return count_; }
    std::span<T> span() const { return {data_.get(), count_}; }

  private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(T* p) const { ::operator delete(p, kAlignment); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t count_ = 0;
};

}  // namespace threefold
