#pragma once

#include <cstdint>
#include <string_view>

namespace threefold {

/// SplitMix64: the same numbers on every machine, unlike the standard's distributions.
class RandomNumbers {
  public:
    /// `name` gives each item its own numbers, whatever the order of the items.
    RandomNumbers(std::uint64_t seed, std::string_view name) : state_(seed) {
        for (const char c : name) {
            state_ ^= static_cast<unsigned char>(c);
            bits();
        }
    }

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        z ^= z >> 31U;
        state_ ^= z;
        return z;
    }
    /// 0…1, 1 excluded.
    double fraction() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
    double between(double least, double most) { return least + (most - least) * fraction(); }

  private:
    std::uint64_t state_;
};

}  // namespace threefold
