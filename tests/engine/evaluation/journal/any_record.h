#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/run/run_description.h"
#include "engine/measures/scores.h"
#include "engine/pipeline/sample_record.h"

namespace threefold::test {

/// Generates finite doubles of random bits. A journal must restore each of these doubles exactly.
class AnyDouble {
  public:
    double operator()() {
        for (;;) {
            const std::uint64_t bits = random_();
            double value = 0;
            std::memcpy(&value, &bits, sizeof value);
            if (std::isfinite(value)) return value;
        }
    }

  private:
    std::mt19937_64 random_{7};
};

/// Scores with any numbers.
inline Scores anyScores(AnyDouble& any) {
    Scores scores;
    scores.protocol = Protocol::surface;
    scores.predictionPoints = 2466;
    scores.truthPoints = 6500;
    scores.measures.chamfer = any();
    for (FScore& score : scores.measures.fScores) score = {any(), any(), any(), any()};
    scores.hausdorff = any();
    scores.hausdorffToTruth = any();
    scores.hausdorffFromTruth = any();
    scores.normalConsistency = any();
    scores.earthMovers = EarthMoversDistance{any(), any(), true};
    return scores;
}

/// A record of the run's sample `position`, with any numbers.
inline SampleRecord anyRecord(std::size_t position, AnyDouble& any) {
    SampleRecord record;
    record.position = position;
    record.listedName = "a \"line\"\n with all sorts: τ";
    record.name = "02691156_p" + std::to_string(position);
    record.category = "02691156";
    record.truth = "/gt/x.dat";
    SampleScores& scores = record.scores.emplace_back();
    for (const std::string_view mesh : kPublishedStageNames) scores.add(mesh, anyScores(any));
    ViewSilhouetteScores& seen = record.silhouettes.emplace_back();
    seen.view = 7;
    seen.meshes.add("coarse", {any(), OutlineDistance{any(), any()}});
    seen.meshes.add("refined", {any(), {}});
    record.silhouettes.push_back({2});
    // Odd records have no surface distances, as if their truth were a point cloud.
    if (position % 2 == 0)
        for (const std::string_view mesh : {kPublishedStageNames.back(), kFittedMesh})
            record.distances.add(mesh, {any(), any(), any(), any()});
    record.times = {any(), any(), any(), any(), any(), {{RunStep::cnn1, any()}}};
    // Odd records have no hashes of files, as if an earlier release had written the records.
    if (position % 2 == 0) record.truthHash = "ef56";
    if (position % 2 == 0)
        record.meshes = std::vector<WrittenFile>{{std::uintmax_t{1} << 40, "ab12"}, {7, "cd34"}};
    return record;
}

/// A run of nine samples by one machine.
inline RunDescription someRun() {
    RunDescription description;
    description.identity.version = "1";
    description.identity.listHash = "abc";
    description.identity.listSize = 9;
    description.identity.modelHash = "model one";
    description.identity.measures.views = {0, 6, 7};
    description.identity.measures.protocols = {Protocol::published};
    description.startedAt = "2026-01-02T00:00:00Z";
    description.machines = {{"a processor", "AVX2", 2, "", "", "", "", ""}};
    return description;
}

}  // namespace threefold::test
