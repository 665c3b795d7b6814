#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/sample/surface_samples.h"
#include "engine/views/camera.h"

namespace threefold {

/// One number for each view.
struct ViewValues {
    /// Used in turn, and repeated if there are more views. Empty: random.
    std::vector<double> list;
    double least = 0;  ///< random: uniform between these two
    double most = 0;
};

/// Reads "30" (every view), "0,90,180" (a list), "0:345:15" (a list: first, last, step) or "25..30"
/// (random between the two). `what` names it in errors. Throws UsageError.
ViewValues parseViewValues(std::string_view text, std::string_view what);

/// The cameras of an item. Defaults: those of ShapeNetRendering.
struct ViewPlan {
    ViewValues azimuth{{}, 0, 360};       ///< degrees
    ViewValues elevation{{}, 25, 30};     ///< degrees, −90…90
    ViewValues distance{{}, 0.65, 0.98};  ///< ratio; the object is 0.57 across
    int count = 0;                        ///< 0: as many as the longest list has, else 24
    std::uint64_t seed = 0;
};

inline constexpr int kFewestPlannedViews = 2;
inline constexpr int kMostPlannedViews = 1000;
/// Nearer than this the camera may stand inside of the object's bounding sphere.
inline constexpr double kLeastDistance = 0.3;

/// The rows of an item's metadata; the same plan and name always give the same ones. Random
/// numbers have nine decimals. Throws UsageError: values or a count out of range.
std::vector<CameraRow> planViews(const ViewPlan& plan, std::string_view item);

/// Random numbers from splitMix().
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
        const std::uint64_t made = splitMix(state_);
        state_ ^= made;
        return made;
    }
    /// 0…1, 1 excluded.
    double fraction() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
    double between(double least, double most) { return least + (most - least) * fraction(); }

  private:
    std::uint64_t state_;
};

}  // namespace threefold
