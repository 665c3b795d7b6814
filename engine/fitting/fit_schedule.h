#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "engine/fitting/fit_solver.h"

namespace threefold::fitting {

/// Steps of a fit: how many each level of the mesh takes, and how much each blurs the photographs.
/// Levels are numbered as in MeshLevels: 0 is the coarsest. Blurs are standard deviations in pixels
/// of the 224×224 projection. On the finest of several levels the coverage blur starts with 2
/// pixels, and each coarser level starts with twice as much, up to 8; a single level starts with 8.
/// On the finest level the blur shrinks with each step.
class FitSchedule {
  public:
    /// `levelCount`: 1 or more.
    explicit FitSchedule(std::size_t levelCount) : levelCount_(levelCount) {}

    std::size_t maxSteps(std::size_t level) const { return isFinest(level) ? 60 : 12; }

    /// Scale of a step of a level; the first step is 0.
    FitScale scale(std::size_t level, std::size_t step) const {
        return {.level = level,
                .coverageBlurSigma = coverageBlurSigma(level, step),
                .hasFineCoverage = isFinest(level),
                .photometricBlurSigma = photometricBlurSigma(level)};
    }

    /// Fraction of all steps that are done after `stepsDone` steps of a level, 0…1.
    double fraction(std::size_t level, std::size_t stepsDone) const {
        std::size_t before = 0;
        std::size_t total = 0;
        for (std::size_t i = 0; i < levelCount_; ++i) {
            if (i < level) before += maxSteps(i);
            total += maxSteps(i);
        }
        const auto done = static_cast<double>(before + std::min(stepsDone, maxSteps(level)));
        return done / static_cast<double>(total);
    }

  private:
    bool isFinest(std::size_t level) const { return level + 1 == levelCount_; }

    float coverageBlurSigma(std::size_t level, std::size_t step) const {
        constexpr float kDecay = 0.9F, kMinSigma = 1;
        float sigma = firstCoverageBlurSigma(level);
        if (isFinest(level))
            for (std::size_t i = 0; i < step; ++i) sigma *= kDecay;
        return std::max(sigma, kMinSigma);
    }

    float photometricBlurSigma(std::size_t level) const {
        return std::max(firstCoverageBlurSigma(level) / 2, 1.0F);
    }

    float firstCoverageBlurSigma(std::size_t level) const {
        constexpr float kMaxSigma = 8, kFinestFirstSigma = 2;
        if (levelCount_ == 1) return kMaxSigma;
        const auto finer = static_cast<int>(levelCount_ - 1 - level);
        return std::min(std::ldexp(kFinestFirstSigma, finer), kMaxSigma);
    }

    std::size_t levelCount_;
};

/// Stopping rule of a level: it ends when the energy has not fallen by a hundredth for eight steps.
class ConvergenceTest {
  public:
    void add(double energy) {
        constexpr double kConvergenceRatio = 0.99;
        stepsSinceMin_ = energy < kConvergenceRatio * minEnergy_ ? 0 : stepsSinceMin_ + 1;
        minEnergy_ = std::min(minEnergy_, energy);
    }
    bool hasConverged() const {
        constexpr std::size_t kStepsWithoutGain = 8;
        return stepsSinceMin_ >= kStepsWithoutGain;
    }

  private:
    std::size_t stepsSinceMin_ = 0;
    double minEnergy_ = std::numeric_limits<double>::infinity();
};

}  // namespace threefold::fitting
