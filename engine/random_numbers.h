#pragma once

#include <cstdint>
#include <string_view>

namespace threefold {

/// Next number of SplitMix64 (Steele, Lea and Flood 2014); equal on every machine, unlike the
/// standard library's distributions. Any state is a valid seed.
inline std::uint64_t splitMix64(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// Random number generator based on splitMix64(), with one sequence for each seed and name.
class RandomGenerator {
  public:
    /// `streamName`: for example a sample's name, so that the sample's numbers do not depend on the
    /// other samples.
    RandomGenerator(std::uint64_t seed, std::string_view streamName) : state_(seed) {
        for (const char c : streamName) {
            state_ ^= static_cast<unsigned char>(c);
            next();
        }
    }

    /// Uniform in min…max, `max` excluded.
    double uniform(double min, double max) {
        const double fraction = static_cast<double>(next() >> 11U) * 0x1p-53;
        return min + (max - min) * fraction;
    }

  private:
    std::uint64_t next() {
        const std::uint64_t value = splitMix64(state_);
        state_ ^= value;
        return value;
    }

    std::uint64_t state_;
};

}  // namespace threefold
