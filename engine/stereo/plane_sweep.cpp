#include "engine/stereo/plane_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/error.h"

namespace threefold::stereo {
namespace {

constexpr float kNoScore = -2;
/// Minimum score of a pixel, as a fraction of the best source's score: in a deep hollow only one
/// source may see the point, but one source is weaker evidence than two.
constexpr float kSingleSource = 0.8F;

/// Rows of floats, padded at both ends for windows and whole vectors.
class Rows {
  public:
    Rows(int width, int height)
        : stride_((static_cast<std::size_t>(width) + simd::kSweepLanes - 1) / simd::kSweepLanes *
                      simd::kSweepLanes +
                  2 * kMargin),
          values_(stride_ * static_cast<std::size_t>(height)) {}

    float* row(int y) { return &values_[stride_ * static_cast<std::size_t>(y) + kMargin]; }
    const float* row(int y) const {
        return &values_[stride_ * static_cast<std::size_t>(y) + kMargin];
    }
    void fill(int firstRow, int endRow, float value) {
        std::fill(values_.begin() + static_cast<std::ptrdiff_t>(stride_) * firstRow,
                  values_.begin() + static_cast<std::ptrdiff_t>(stride_) * endRow, value);
    }

  private:
    static constexpr std::size_t kMargin = simd::kSweepLanes;
    std::size_t stride_;
    std::vector<float> values_;
};

struct Rectangle {
    int left, right, top, bottom;  // right and bottom are inclusive

    bool isEmpty() const { return right < left; }
    void include(int x, int y) {
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    }
    std::size_t begin() const {
        return static_cast<std::size_t>(left) / simd::kSweepLanes * simd::kSweepLanes;
    }
    std::size_t end() const {
        return (static_cast<std::size_t>(right) / simd::kSweepLanes + 1) * simd::kSweepLanes;
    }
    static Rectangle none(int side) { return {side, -1, side, -1}; }
};

/// Normals of swept planes in the reference camera's axes: facing the camera, and slanted by 45°.
std::array<glm::dvec3, 5> planeNormals() {
    const double s = std::sqrt(0.5);
    return {glm::dvec3(0, 0, 1), {s, 0, s}, {-s, 0, s}, {0, s, s}, {0, -s, s}};
}

class PlaneSweep {
  public:
    PlaneSweep(const SweepInput& input, const SweepOptions& options,
               const simd::SweepKernels& kernels)
        : views_(input.views),
          packed_(input.packed),
          reference_(input.views[input.reference]),
          searchDepths_(input.searchDepths),
          sources_(input.sources),
          labelSpacing_(static_cast<float>(input.labelSpacing)),
          options_(options),
          kernels_(kernels),
          side_(reference_.side),
          grey_(side_, side_),
          depth_(side_, side_),
          sourceGrey_(side_, side_),
          visible_(side_, side_),
          outsideMask_(side_, side_),
          best_(side_, side_),
          second_(side_, side_) {
        for (std::size_t i = 0; i < simd::kWindowSums; ++i) columns_.emplace_back(side_, 1);
        for (int y = 0; y < side_; ++y)
            for (int x = 0; x < side_; ++x) {
                grey_.row(y)[x] = reference_.grey[reference_.pixelIndex(x, y)] - 128;
                if (searchDepths_[reference_.pixelIndex(x, y)] > 0) object_.include(x, y);
            }
        makeRays();
        makeVolume();
    }

    CostVolume run(const std::stop_token& cancel) {
        const auto compare = [&] {
            if (cancel.stop_requested()) throw Cancelled();
            if (!region_.isEmpty()) compareRegion();
        };
        for (int label = 0; label < options_.labelCount && !object_.isEmpty(); ++label) {
            setBaseDepths(label);
            compare();
        }
        const auto normals = planeNormals();
        for (int slant = 0; slant < options_.orientationCount && !object_.isEmpty(); ++slant) {
            const Plane plane = planeRange(normals[static_cast<std::size_t>(slant)]);
            for (int i = 0; i < plane.count; ++i) {
                setPlaneDepths(plane, i);
                compare();
            }
        }
        return std::move(volume_);
    }

  private:
    /// Parallel planes: n · (point − camera centre) = first + i · spacing, in camera axes.
    struct Plane {
        std::array<float, 3> ofPixel;  // n · ray = a · column + b · row + c
        float first;
        float spacing;
        int count;
    };

    float depthAt(std::size_t pixel, int label) const {
        return searchDepths_[pixel] +
               static_cast<float>(label + options_.firstLabel) * labelSpacing_;
    }

    /// Computes the rays of the reference pixels in each source's homogeneous pixel coordinates.
    void makeRays() {
        for (const SourceView& source : sources_) {
            const StereoProjection& to = views_[source.view].projection;
            const glm::dmat3 pixelToPixel = to.matrix * reference_.projection.inverseMatrix;
            const glm::dvec3 offset = to.matrix * reference_.projection.centre + to.translation;
            Rays rays{{Rows(side_, side_), Rows(side_, side_), Rows(side_, side_)},
                      {float(offset.x), float(offset.y), float(offset.z)}};
            for (int y = 0; y < side_; ++y)
                for (int x = 0; x < side_; ++x) {
                    const glm::dvec3 ray = pixelToPixel * glm::dvec3(x, y, 1);
                    for (int axis = 0; axis < 3; ++axis)
                        rays.rows[static_cast<std::size_t>(axis)].row(y)[x] =
                            static_cast<float>(ray[axis]);
                }
            rays_.push_back(std::move(rays));
        }
    }

    void makeVolume() {
        volume_.side = side_;
        volume_.labelCount = options_.labelCount;
        volume_.stride = (static_cast<std::size_t>(options_.labelCount) + simd::kLabelLanes - 1) /
                         simd::kLabelLanes * simd::kLabelLanes;
        std::int32_t count = 0;
        for (const float depth : searchDepths_)
            volume_.costRowOfPixel.push_back(depth > 0 ? count++ : -1);
        volume_.cost.assign(static_cast<std::size_t>(count) * volume_.stride,
                            CostVolume::kImpossible);
        for (std::size_t i = 0; i < volume_.cost.size(); i += volume_.stride)
            std::fill_n(volume_.cost.begin() + static_cast<std::ptrdiff_t>(i), options_.labelCount,
                        CostVolume::kUnknown);
    }

    /// Sets each pixel's depth to its search depth, moved along the viewing ray to a label.
    void setBaseDepths(int label) {
        forPixels([&](std::size_t pixel, float& depth) {
            depth = std::max(0.0F, depthAt(pixel, label));
        });
    }

    Plane planeRange(const glm::dvec3& normal) const {
        // A ray through a pixel is (column − c, row − c, f) / f in camera axes.
        const double f = reference_.projection.focalLength;
        const double centre = (side_ - 1) / 2.0;
        Plane plane{{float(normal.x / f), float(normal.y / f),
                     float(normal.z - centre * (normal.x + normal.y) / f)},
                    1e30F,
                    labelSpacing_ * std::abs(float(normal.z)),
                    0};
        float last = -1e30F;
        for (int y = object_.top; y <= object_.bottom; ++y)
            for (int x = object_.left; x <= object_.right; ++x) {
                const std::size_t pixel = reference_.pixelIndex(x, y);
                if (!(searchDepths_[pixel] > 0)) continue;
                const float perDepth = distancePerDepth(plane, x, y);
                for (const int label : {0, options_.labelCount}) {
                    const float distance = perDepth * depthAt(pixel, label);
                    plane.first = std::min(plane.first, distance);
                    last = std::max(last, distance);
                }
            }
        plane.count = static_cast<int>((last - plane.first) / plane.spacing) + 1;
        return plane;
    }

    static float distancePerDepth(const Plane& plane, int x, int y) {
        return plane.ofPixel[0] * static_cast<float>(x) + plane.ofPixel[1] * static_cast<float>(y) +
               plane.ofPixel[2];
    }

    void setPlaneDepths(const Plane& plane, int i) {
        const float distance = plane.first + static_cast<float>(i) * plane.spacing;
        // Windows include pixels up to two labels outside of the range.
        const float low = static_cast<float>(options_.firstLabel) - 2;
        const float high = static_cast<float>(options_.firstLabel + options_.labelCount) + 1;
        constexpr float kMinPerDepth = 1e-3F;
        region_ = Rectangle::none(side_);
        for (int y = object_.top; y <= object_.bottom; ++y) {
            float* depths = depth_.row(y);
            const float* searchDepths = &searchDepths_[reference_.pixelIndex(0, y)];
            int left = side_;
            int right = -1;
            for (int x = object_.left; x <= object_.right; ++x) {
                const float perDepth = distancePerDepth(plane, x, y);
                const float depth = distance / perDepth;
                const float label = (depth - searchDepths[x]) / labelSpacing_;
                const bool inRange = searchDepths[x] > 0 && std::abs(perDepth) > kMinPerDepth &&
                                     label > low && label < high;
                depths[x] = inRange && depth > 0 ? depth : 0;
                if (depths[x] > 0) {
                    left = std::min(left, x);
                    right = x;
                }
            }
            if (right < left) continue;
            region_.include(left, y);
            region_.include(right, y);
        }
    }

    template <class DepthOf>
    void forPixels(const DepthOf& depthOf) {
        region_ = Rectangle::none(side_);
        for (int y = object_.top; y <= object_.bottom; ++y)
            for (int x = object_.left; x <= object_.right; ++x) {
                const std::size_t pixel = reference_.pixelIndex(x, y);
                float& depth = depth_.row(y)[x];
                depth = 0;
                if (!(searchDepths_[pixel] > 0)) continue;
                depthOf(pixel, depth);
                if (depth > 0) region_.include(x, y);
            }
    }

    /// Scores all pixels of the region at their depths, and keeps the minimum cost of each label.
    void compareRegion() {
        best_.fill(region_.top, region_.bottom + 1, kNoScore);
        second_.fill(region_.top, region_.bottom + 1, kNoScore);
        outsideMask_.fill(region_.top, region_.bottom + 1, 0);
        for (std::size_t i = 0; i < sources_.size(); ++i) compareWith(i);
        keepCosts();
    }

    /// Scores the region's windows against one source.
    void compareWith(std::size_t source) {
        warp(source);
        scoreWindows();
    }

    /// Samples a source at the region's depths into sourceGrey_, visible_ and outsideMask_.
    void warp(std::size_t source) {
        const StereoView& view = views_[sources_[source].view];
        const simd::PackedPicture picture{packed_[sources_[source].view].data(), view.side};
        Rays& rays = rays_[source];
        for (int y = region_.top; y <= region_.bottom; ++y)
            kernels_.warpRow(picture, {depth_.row(y),
                                       rays.rows[0].row(y),
                                       rays.rows[1].row(y),
                                       rays.rows[2].row(y),
                                       {rays.offset[0], rays.offset[1], rays.offset[2]},
                                       sourceGrey_.row(y),
                                       visible_.row(y),
                                       outsideMask_.row(y),
                                       region_.begin(),
                                       region_.end()});
    }

    /// Scores the windows around the region's pixels, by sliding column sums.
    void scoreWindows() {
        std::array<float*, simd::kWindowSums> sums{};
        for (std::size_t i = 0; i < sums.size(); ++i) {
            columns_[i].fill(0, 1, 0);
            sums[i] = columns_[i].row(0);
        }
        const auto add = [&](int y, float sign) {
            if (y < region_.top || y > region_.bottom) return;
            kernels_.addRow(sums.data(), grey_.row(y), sourceGrey_.row(y), visible_.row(y), sign,
                            region_.begin(), region_.end());
        };
        const int radius = options_.windowRadius;
        const int width = 2 * radius + 1;
        for (int y = region_.top; y < region_.top + radius; ++y) add(y, 1);
        for (int y = region_.top; y <= region_.bottom; ++y) {
            add(y + radius, 1);
            kernels_.updateScores(sums.data(), visible_.row(y), radius,
                                  0.5F * static_cast<float>(width * width),
                                  options_.noiseSigma * options_.noiseSigma,
                                  {best_.row(y), second_.row(y)}, region_.begin(), region_.end());
            add(y - radius, -1);
        }
    }

    void keepCosts() {
        for (int y = region_.top; y <= region_.bottom; ++y) {
            const float* depths = depth_.row(y);
            const float* best = best_.row(y);
            const float* second = second_.row(y);
            const float* outsideMask = outsideMask_.row(y);
            for (int x = region_.left; x <= region_.right; ++x) {
                if (!(depths[x] > 0)) continue;
                const std::size_t pixel = reference_.pixelIndex(x, y);
                const int label = static_cast<int>(std::lrint((depths[x] - searchDepths_[pixel]) /
                                                              labelSpacing_)) -
                                  options_.firstLabel;
                if (label < 0 || label >= options_.labelCount) continue;
                std::int16_t& cost =
                    volume_.cost[static_cast<std::size_t>(volume_.costRowOfPixel[pixel]) *
                                     volume_.stride +
                                 static_cast<std::size_t>(label)];
                if (outsideMask[x] != 0) cost = CostVolume::kImpossible;
                if (cost == CostVolume::kImpossible || best[x] <= kNoScore) continue;
                const float score = std::max(0.5F * (best[x] + second[x]), kSingleSource * best[x]);
                const auto candidate = static_cast<std::int16_t>(
                    static_cast<float>(CostVolume::kScale) * (1 - std::clamp(score, 0.0F, 1.0F)));
                cost = std::min(cost, candidate);
            }
        }
    }

    struct Rays {
        std::array<Rows, 3> rows;
        std::array<float, 3> offset;
    };

    std::span<const StereoView> views_;
    std::span<const std::vector<std::uint32_t>> packed_;
    const StereoView& reference_;
    std::span<const float> searchDepths_;
    std::span<const SourceView> sources_;
    float labelSpacing_;
    const SweepOptions& options_;
    const simd::SweepKernels& kernels_;
    int side_;
    Rectangle object_ = Rectangle::none(side_);  // pixels with a search depth
    Rectangle region_ = Rectangle::none(side_);  // pixels that are being compared
    Rows grey_;
    Rows depth_;
    Rows sourceGrey_;
    Rows visible_;
    Rows outsideMask_;
    Rows best_;
    Rows second_;
    std::vector<Rows> columns_;
    std::vector<Rays> rays_;
    CostVolume volume_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> packedPictures(std::span<const StereoView> views) {
    std::vector<std::vector<std::uint32_t>> pictures;
    for (const StereoView& view : views) {
        std::vector<std::uint32_t>& pairs = pictures.emplace_back(view.grey.size());
        const auto half = [&](std::size_t pixel) {
            const float grey = std::clamp(view.grey[pixel], 0.0F, 255.0F);
            return 2 * static_cast<std::uint32_t>(std::lrint(128 * grey)) + view.dilatedMask[pixel];
        };
        for (std::size_t i = 0; i < pairs.size(); ++i)
            pairs[i] = half(i) | half(std::min(i + 1, pairs.size() - 1)) << 16U;
    }
    return pictures;
}

CostVolume sweep(const SweepInput& input, const SweepOptions& options,
                 const simd::SweepKernels& kernels, const std::stop_token& cancel) {
    return PlaneSweep(input, options, kernels).run(cancel);
}

}  // namespace threefold::stereo
