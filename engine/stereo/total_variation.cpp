#include "engine/stereo/total_variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/compute/parallel.h"

namespace threefold::stereo {
namespace {

constexpr float kPrimalStep = 0.25F;
constexpr float kDualStep = 1 / (12 * kPrimalStep);  // the gradient's squared norm is at most 12

/// A run of inside points along z.
struct Run {
    std::size_t begin;
    std::size_t end;
};

class PrimalDualSolver {
  public:
    explicit PrimalDualSolver(const TotalVariationProblem& problem)
        : problem_(problem),
          alongX_(static_cast<std::size_t>(problem.grid.size.y) *
                  static_cast<std::size_t>(problem.grid.size.z)),
          alongY_(static_cast<std::size_t>(problem.grid.size.z)),
          value_(problem.grid.count()),
          extrapolated_(value_.size()),
          dualX_(value_.size()),
          dualY_(value_.size()),
          dualZ_(value_.size()),
          hasNextX_(value_.size()),
          hasNextY_(value_.size()),
          hasNextZ_(value_.size()) {
        const auto inside = problem.inside;
        slices_.resize(static_cast<std::size_t>(problem.grid.size.x));
        for (std::size_t slice = 0; slice < slices_.size(); ++slice)
            for (std::size_t i = slice * alongX_; i < (slice + 1) * alongX_; ++i) {
                if (inside[i] == 0) continue;
                value_[i] = extrapolated_[i] = problem.data[i];
                hasNextX_[i] = inside[i + alongX_] != 0 ? 1.0F : 0.0F;
                hasNextY_[i] = inside[i + alongY_] != 0 ? 1.0F : 0.0F;
                hasNextZ_[i] = inside[i + 1] != 0 ? 1.0F : 0.0F;
                std::vector<Run>& runs = slices_[slice];
                if (!runs.empty() && runs.back().end == i)
                    ++runs.back().end;
                else
                    runs.push_back({i, i + 1});
            }
    }

    std::vector<float> run(int steps, int threads, const std::stop_token& cancel) {
        const auto forSlices = [&](void (PrimalDualSolver::*step)(Run)) {
            parallelFor(threads, slices_.size(), cancel, [&](std::size_t i, std::size_t /*on*/) {
                for (const Run run : slices_[i]) (this->*step)(run);
            });
        };
        for (int step = 0; step < steps; ++step) {
            forSlices(&PrimalDualSolver::stepDual);
            forSlices(&PrimalDualSolver::stepPrimal);
        }
        return std::move(value_);
    }

  private:
    void stepDual(Run run) {
        const float* const extrapolated = extrapolated_.data();
        float* const x = dualX_.data();
        float* const y = dualY_.data();
        float* const z = dualZ_.data();
        const float radius = problem_.lambda;
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const float value = extrapolated[i];
            const float px = x[i] + kDualStep * hasNextX_[i] * (extrapolated[i + alongX_] - value);
            const float py = y[i] + kDualStep * hasNextY_[i] * (extrapolated[i + alongY_] - value);
            const float pz = z[i] + kDualStep * hasNextZ_[i] * (extrapolated[i + 1] - value);
            const float length = std::sqrt(px * px + py * py + pz * pz);
            const float scale = radius / std::max(length, radius);
            x[i] = px * scale;
            y[i] = py * scale;
            z[i] = pz * scale;
        }
    }

    void stepPrimal(Run run) {
        const float* const x = dualX_.data();
        const float* const y = dualY_.data();
        const float* const z = dualZ_.data();
        const float* const weight = problem_.dataWeight.data();
        const float* const data = problem_.data.data();
        float* const value = value_.data();
        float* const extrapolated = extrapolated_.data();
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const float divergence =
                x[i] - x[i - alongX_] + y[i] - y[i - alongY_] + z[i] - z[i - 1];
            const float factor = kPrimalStep * weight[i];
            const float next =
                (value[i] + kPrimalStep * divergence + factor * data[i]) / (1 + factor);
            extrapolated[i] = 2 * next - value[i];
            value[i] = next;
        }
    }

    const TotalVariationProblem& problem_;
    std::size_t alongX_;
    std::size_t alongY_;
    std::vector<std::vector<Run>> slices_;  // runs of each slice x = …
    std::vector<float> value_;
    std::vector<float> extrapolated_;  // extrapolated primal values
    std::vector<float> dualX_;
    std::vector<float> dualY_;
    std::vector<float> dualZ_;
    std::vector<float> hasNextX_;  // 1 where the next point along the axis is inside, too, else 0
    std::vector<float> hasNextY_;
    std::vector<float> hasNextZ_;
};

}  // namespace

std::vector<float> minimiseTotalVariation(const TotalVariationProblem& problem, int steps,
                                          int threads, const std::stop_token& cancel) {
    return PrimalDualSolver(problem).run(steps, threads, cancel);
}

}  // namespace threefold::stereo
