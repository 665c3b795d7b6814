#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/model/architecture.h"
#include "engine/model/model.h"
#include "engine/network/pooling.h"
#include "engine/views/network_input.h"
#include "tests/cuda/simulation/arithmetic.h"
#include "tests/cuda/simulation/convolutions.h"
#include "tests/cuda/simulation/hypothesis_block.h"

namespace threefold::cuda::simulation {

/// Quantisation ranges of both hypothesis blocks, for 8 bit.
using Calibration = std::array<QuantisationRanges, kPublishedHypothesisBlocks>;

struct Outcome {
    Points coarse;
    Points refined1;
    Points refined;
    /// Tensors between the steps, under the names of the golden files; a device's test compares
    /// these tensors. `maps`: the image, all maps and the features of level 1; `levels`:
    /// coordinates of every level, and of all levels but the last the unpooled coordinates and the
    /// hidden features.
    std::map<std::string, std::vector<float>> maps;
    std::map<std::string, std::vector<float>> levels;
};

/// Computes the network on one sample in any arithmetic, in the steps of
/// cuda/backend/device_network.cpp. Results that runs share are computed once.
class Network {
  public:
    /// Throws InputError.
    Network(std::shared_ptr<const Model> model, const NetworkInput& input);

    /// Runs all steps; only 8 bit uses `calibration`. Throws ModelError.
    Outcome run(const Arithmetic& arithmetic, const Calibration& calibration = {});

    /// Raises `calibration` to the largest inputs of the hypothesis blocks' convolutions in float16
    /// (cuda/backend/quantisation_ranges.h).
    void calibrate(Calibration& calibration);

  private:
    struct Stage1 {
        std::map<std::string, std::vector<float>> levels;
        Points coarse;
    };

    const Maps& mapsOf(int stage, const Arithmetic& arithmetic);
    const Stage1& stage1(const Arithmetic& arithmetic);
    /// Vertices after each hypothesis block. `seen`, unless null, is raised as in calibrate().
    std::array<Points, kPublishedHypothesisBlocks> stage2(const Arithmetic& arithmetic,
                                                          const Points& coarse,
                                                          const Calibration& calibration,
                                                          Calibration* seen);
    void noteMaps(const Arithmetic& arithmetic, Outcome& outcome);

    std::shared_ptr<const Model> model_;
    std::vector<FeatureProjection> projections_;
    std::vector<float> images_;  ///< (view, 224, 224, 3), not rounded
    std::map<std::tuple<int, Precision, SumOrder, LibraryOperands>, Maps> maps_;
    std::map<std::tuple<Precision, Precision, Kernels, SumOrder, LibraryOperands>, Stage1> stage1_;
};

}  // namespace threefold::cuda::simulation
