#include "engine/pipeline/batch_sizer.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

/// A network's times and a list, for a simulated run.
struct SizerScript {
    std::size_t samples = 4000;
    std::function<double(std::size_t size)> milliseconds = {};  ///< time of a batch
    double preparation = 75;                                    ///< added to the first batch of
                                                                ///< each size but 1
    double noise = 0;                                           ///< fraction of the time, in both
                                                                ///< directions
    unsigned seed = 0;
    std::size_t largest = 256;
    /// Largest batch allowed by back end and queue after `done` samples; empty: no limit.
    std::function<std::size_t(std::size_t done)> maxBatch = {};
    std::size_t pending = 1;  ///< maximum number of batches that have a size and have not run
};

struct Outcome {
    std::vector<std::size_t> sizes;  ///< of all batches that ran
    double milliseconds = 0;

    /// The batch size of most samples in the second half of the run.
    std::size_t settled() const {
        std::map<std::size_t, std::size_t> samples;
        for (std::size_t i = sizes.size() / 2; i < sizes.size(); ++i) samples[sizes[i]] += sizes[i];
        return std::ranges::max_element(samples, {}, [](const auto& size) { return size.second; })
            ->first;
    }
    std::size_t largest() const { return std::ranges::max(sizes); }
};

Outcome runList(const SizerScript& script) {
    BatchSizer sizer(script.largest);
    std::mt19937 random(script.seed);
    std::uniform_real_distribution<double> noise(1 - script.noise, 1 + script.noise);
    Outcome outcome;
    std::map<std::size_t, int> seen;
    std::deque<std::size_t> submitted;
    std::size_t remaining = script.samples;
    std::size_t done = 0;
    while (remaining > 0 || !submitted.empty()) {
        if (remaining > 0 && submitted.size() < script.pending) {
            const std::size_t maxBatch =
                script.maxBatch ? script.maxBatch(done) : BatchSizer::kUnlimited;
            const std::size_t size = sizer.nextSize(remaining, maxBatch);
            EXPECT_TRUE(std::has_single_bit(size));
            EXPECT_LE(size, std::min({remaining, maxBatch, script.largest}));
            remaining -= size;
            submitted.push_back(size);
            continue;
        }
        const std::size_t size = submitted.front();
        submitted.pop_front();
        double milliseconds = script.milliseconds(size) * noise(random);
        if (size > 1 && seen[size]++ == 0) milliseconds += script.preparation;
        sizer.record(size, milliseconds);
        outcome.sizes.push_back(size);
        outcome.milliseconds += milliseconds;
        done += size;
    }
    EXPECT_EQ(done, script.samples);
    return outcome;
}

/// Time proportional to the number of samples, as on the processor.
double flat(std::size_t size) {
    return 400.0 * static_cast<double>(size);
}

/// Constant time up to 16 samples, proportional beyond.
double kneeAt16(std::size_t size) {
    return 4.0 * std::max<double>(1, static_cast<double>(size) / 16);
}

/// A constant time per batch plus a time per sample.
double saturating(std::size_t size) {
    return 1.0 + 0.5 * static_cast<double>(size);
}

TEST(BatchSizer, staysAtOne_whenBatchesAreNoFaster) {
    const Outcome outcome = runList({.samples = 200, .milliseconds = flat, .preparation = 0});
    EXPECT_EQ(outcome.settled(), 1U);
    EXPECT_EQ(outcome.largest(), 2U) << "more was never worth a try";
    EXPECT_DOUBLE_EQ(outcome.milliseconds, 200 * flat(1));
}

TEST(BatchSizer, growsToTheKnee) {
    const Outcome outcome = runList({.samples = 10000, .milliseconds = kneeAt16});
    EXPECT_EQ(outcome.settled(), 16U);
    EXPECT_EQ(outcome.largest(), 32U);
    EXPECT_LT(outcome.milliseconds, 1.5 * 10000 / 16 * kneeAt16(16));
}

TEST(BatchSizer, doubles_whileDoublingSavesAFewPerCent) {
    const Outcome outcome = runList({.samples = 100000, .milliseconds = saturating});
    // From 16 to 32, the time per sample falls from 0.5625 to 0.53125 ms, by 5.6 %; from 32 to 64
    // by 2.9 %.
    EXPECT_EQ(outcome.settled(), 32U);
}

TEST(BatchSizer, growsToTheKnee_whenTimesAreNoisy) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        for (const std::size_t pending : {1U, 2U, 4U}) {
            const Outcome outcome = runList({.samples = 20000,
                                             .milliseconds = kneeAt16,
                                             .noise = 0.1,
                                             .seed = seed,
                                             .pending = pending});
            EXPECT_GE(outcome.settled(), 16U) << "seed " << seed;
            EXPECT_LE(outcome.largest(), 128U) << "seed " << seed;
            EXPECT_LT(outcome.milliseconds, 1.3 * 20000 / 16 * kneeAt16(16)) << "seed " << seed;
        }
    }
}

TEST(BatchSizer, growsToTheKnee_afterADisturbedFirstTry) {
    bool disturbed = false;
    std::size_t twos = 0;
    const Outcome outcome = runList({.samples = 20000, .milliseconds = [&](std::size_t size) {
                                         disturbed = size == 2 && ++twos <= 8;
                                         return kneeAt16(size) * (disturbed ? 5 : 1);
                                     }});
    EXPECT_EQ(outcome.settled(), 16U);
}

TEST(BatchSizer, growsToTheKnee_whenTwoDevicesEndTogether) {
    bool second = false;
    const Outcome outcome = runList({.samples = 10000,
                                     .milliseconds =
                                         [&](std::size_t size) {
                                             second = !second;
                                             return second ? kneeAt16(size) : 0;
                                         },
                                     .pending = 4});
    EXPECT_EQ(outcome.settled(), 16U);
}

TEST(BatchSizer, triesNoOtherSize_whenFewSamplesRemain) {
    EXPECT_EQ(runList({.samples = 60, .milliseconds = saturating}).largest(), 1U);
    // Batches of two save 0.5 ms per sample; batches of four cannot save their preparation of 75
    // ms.
    EXPECT_EQ(runList({.samples = 250, .milliseconds = saturating}).largest(), 2U);
}

TEST(BatchSizer, learnsTheCostOfChangingSize) {
    // Preparing the first new size took 2 s; a second new size would save only 1.98 s.
    const Outcome dear = runList({.samples = 2000, .milliseconds = kneeAt16, .preparation = 2000});
    EXPECT_EQ(dear.largest(), 2U);
    EXPECT_EQ(runList({.samples = 2000, .milliseconds = kneeAt16, .preparation = 0}).settled(),
              16U);
}

TEST(BatchSizer, endsInPreparedSizes) {
    const Outcome outcome = runList({.samples = 10000 + 15, .milliseconds = kneeAt16});
    const std::vector<std::size_t> tail(outcome.sizes.end() - 4, outcome.sizes.end());
    EXPECT_TRUE(std::ranges::is_sorted(tail, std::greater<>()));
    EXPECT_EQ(outcome.settled(), 16U);
    for (const std::size_t size : outcome.sizes) EXPECT_TRUE(std::has_single_bit(size));
}

TEST(BatchSizer, followsFreeMemory_whenItFallsAndReturns) {
    const auto maxBatch = [](std::size_t done) {
        return done < 3000 || done > 6000 ? BatchSizer::kUnlimited : std::size_t{5};
    };
    const Outcome outcome =
        runList({.samples = 12000, .milliseconds = kneeAt16, .maxBatch = maxBatch});
    EXPECT_EQ(outcome.settled(), 16U);
    std::size_t done = 0;
    for (const std::size_t size : outcome.sizes) {
        EXPECT_LE(size, maxBatch(done));
        done += size;
    }
}

TEST(BatchSizer, findsTheLargestSize_whichMemoryHolds) {
    for (std::size_t held = 1; held <= 16; ++held) {
        const Outcome outcome = runList({.samples = 20000,
                                         .milliseconds = kneeAt16,
                                         .maxBatch = [&](std::size_t) { return held; },
                                         .pending = 2});
        EXPECT_EQ(outcome.settled(), std::bit_floor(held)) << held;
    }
}

TEST(BatchSizer, staysWithinItsLimits) {
    EXPECT_EQ(BatchSizer(1).nextSize(100), 1U);
    EXPECT_EQ(BatchSizer(64).nextSize(1, 8), 1U);
}

}  // namespace
}  // namespace threefold
