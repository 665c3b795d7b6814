#include "tests/engine/evaluation/fake_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <fmt/format.h>

namespace threefold::test {
namespace {

constexpr std::array kCategories{"02691156", "02828884", "02933112", "02958343", "03001627",
                                 "03211117", "03636649", "03691459", "04090263", "04256520",
                                 "04379243", "04401088", "04530566"};

/// Random numbers that are equal everywhere; the standard library's distributions differ between
/// implementations.
class Random {
  public:
    double uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }

  private:
    std::mt19937_64 generator_{5};
};

FScore scoreAt(double threshold, double chamfer, double shift) {
    const double quality = 100 / (1 + std::pow(chamfer / (4 * threshold), 0.9));
    FScore score{threshold, std::clamp(quality + shift, 0.0, 100.0),
                 std::clamp(quality - shift, 0.0, 100.0), 0};
    score.fScore = 2 * score.precision * score.recall / (score.precision + score.recall + 1e-6);
    return score;
}

Scores fakeScores(Random& random, Protocol protocol, double chamfer, std::size_t truthPoints) {
    Scores scores;
    scores.protocol = protocol;
    scores.predictionPoints = protocol == Protocol::published ? 2466 : 10'000;
    scores.truthPoints = protocol == Protocol::published ? truthPoints : 10'000;
    scores.measures.chamfer = chamfer;
    const double shift = 4 * random.normal();
    for (std::size_t i = 0; i < kTauMultiples.size(); ++i)
        scores.measures.fScores[i] = scoreAt(kTauMultiples[i] * kTau, chamfer, shift);
    scores.hausdorffToTruth = std::sqrt(chamfer) * (2 + random.uniform());
    scores.hausdorffFromTruth = std::sqrt(chamfer) * (2 + random.uniform());
    scores.hausdorff = std::max(scores.hausdorffToTruth, scores.hausdorffFromTruth);
    scores.normalConsistency = std::clamp(0.9 - 120 * chamfer + 0.03 * random.normal(), 0.3, 1.0);
    return scores;
}

void addScores(Random& random, std::size_t category, SampleRecord& record) {
    const double coarse =
        (2.6e-4 + 3e-5 * static_cast<double>(category)) * std::exp(0.55 * random.normal());
    const double refined = coarse * (0.8 + 0.15 * random.normal());
    const auto truthPoints = 2000 + static_cast<std::size_t>(5000 * random.uniform());
    for (const auto& [protocol, factor] :
         {std::pair{Protocol::published, 1.0}, {Protocol::surface, 0.86}}) {
        SampleScores& scores = record.scores.emplace_back();
        scores.add("coarse", fakeScores(random, protocol, coarse * factor, truthPoints));
        scores.add("refined", fakeScores(random, protocol, refined * factor, truthPoints));
    }
}

void addTimes(Random& random, SampleTimes& times) {
    times.load = 3.1 + random.uniform();
    times.preprocess = 1.0 + 0.2 * random.uniform();
    times.measure = 9 + 3 * random.uniform();
    times.write = 5 + 2 * random.uniform();
    // Steps of older runs, which did not time projections separately: reports read such runs, too.
    constexpr std::array<std::pair<RunStep, double>, 7> kMeanTimes{{{RunStep::cnn1, 41.3},
                                                                    {RunStep::graph1, 1.9},
                                                                    {RunStep::graph2, 6.4},
                                                                    {RunStep::graph3, 26.8},
                                                                    {RunStep::cnn2, 26.1},
                                                                    {RunStep::block1, 232},
                                                                    {RunStep::block2, 220}}};
    const double slow = 1 + 0.03 * random.normal() + (random.uniform() < 0.02 ? 0.4 : 0.0);
    for (const auto& [step, mean] : kMeanTimes) {
        times.steps.push_back({step, mean * slow * (1 + 0.02 * random.normal())});
        times.network += times.steps.back().milliseconds;
    }
}

/// Adds scores of silhouettes. Every fifth sample's photographs have a background and so no
/// outline.
void addSilhouettes(Random& random, std::size_t sample, SampleRecord& record) {
    const auto scoreOf = [&](double overlap) {
        overlap = std::clamp(overlap, 0.0, 1.0);
        const double distance = 12 * (1 - overlap);
        return SilhouetteScore{overlap, OutlineDistance{distance, 4 * distance}};
    };
    for (const int view : {0, 6, 7}) {
        ViewSilhouetteScores scores{view};
        if (sample % 5 != 4) {
            const SilhouetteScore coarse = scoreOf(0.7 + 0.08 * random.normal());
            scores.meshes.add("coarse", coarse);
            scores.meshes.add("refined", scoreOf(coarse.overlap + 0.03 + 0.04 * random.normal()));
        }
        record.silhouettes.push_back(scores);
    }
}

RunDescription description(std::size_t count) {
    RunDescription description;
    description.identity.version = "0.1.0";
    description.identity.listHash = std::string(64, 'a');
    description.identity.listSize = count;
    description.identity.modelHash = "ddf5e7115a93" + std::string(52, '0');
    description.identity.sampler = "bilinear-each";
    description.identity.backend = "cpu";
    description.identity.precision = "float32";
    description.identity.measures.views = {0, 6, 7};
    description.identity.measures.protocols = {Protocol::published, Protocol::surface};
    description.list = "data/designB_eval_full.txt";
    description.modelFile = "models/default.safetensors";
    description.backendDescription = "CPU · AMD EPYC 9R14 · 2 threads · float32";
    description.warmUpRuns = 15;
    description.machines.push_back({"AMD EPYC 9R14", "AVX-512 BF16", 2, "24.0 GiB",
                                    "Debian GNU/Linux 12 (bookworm), Linux 6.1", "", "",
                                    "oneDNN 2.6.3"});
    description.startedAt = "2026-03-01T09:30:00Z";
    description.seconds = 0.59 * static_cast<double>(count);
    return description;
}

}  // namespace

EvaluationRun fakeRun(std::size_t count, std::size_t categories, std::size_t failing) {
    Random random;
    Random silhouetteRandom;
    EvaluationRun run{description(count), {}};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t category = i * categories / count;
        SampleRecord record;
        record.position = i;
        record.category = kCategories[category];
        record.name = fmt::format("{}_p{:04}_00", record.category, i);
        record.listedName = record.name + ".dat";
        record.truth = "gt/" + record.listedName;
        if (failing > 0 && i % failing == failing - 1) {
            record.truth = i % 2 == 0 ? "" : record.truth;
            record.error = i % 2 == 0 ? fmt::format(
                                            "{}: no ground truth of that name. Give its folder "
                                            "with --gt.",
                                            record.listedName)
                                      : fmt::format(
                                            "{}: byte {}: damaged pickle: the file ends early. "
                                            "Copy it again.",
                                            record.truth, 4000 + i);
        } else {
            addScores(random, category, record);
            addTimes(random, record.times);
            addSilhouettes(silhouetteRandom, i, record);
        }
        run.records.push_back(std::move(record));
    }
    return run;
}

void takeTruthAway(SampleRecord& record) {
    record.truth.clear();
    record.scores.clear();
}

}  // namespace threefold::test
