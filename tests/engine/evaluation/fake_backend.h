#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/error.h"
#include "engine/network/serial_backend.h"
#include "tests/support/stage_meshes.h"

namespace threefold::test {

/// Back end without a network: after `delay`, returns a coarse and a refined octahedron. The coarse
/// octahedron's size depends on the first camera, the refined octahedron's size also on the first
/// image. So samples have different measures, and repeated runs have equal measures.
class FakeBackend : public SerialBackend, public MeshOperations {
  public:
    explicit FakeBackend(std::chrono::microseconds delay = {}) : delay_(delay) {
        model_->hash = "fake";
    }

    std::string description() const override { return name; }
    Precision precision() const override { return Precision::float32; }
    std::shared_ptr<const Model> model() const override { return model_; }

    Reconstruction compute(const NetworkInput& input, const BatchOptions& options) override {
        ++runs;
        std::this_thread::sleep_for(delay_);
        if (before) before(*this);
        if (options.cancel.stop_requested()) throw Cancelled();
        if (refuses && input.images.front().rgba.front() == kRefused) {
            throw InputError({"image", "", "is refused", ""});
        }
        Reconstruction result;
        const auto size = static_cast<float>(0.1 + 0.05 * std::abs(input.cameras.front().centre.x));
        const float moved =
            size * (0.9F + 0.001F * static_cast<float>(input.images.front().rgba.front()));
        result.stages = test::publishedMeshes(octahedron(size), octahedron(moved));
        result.levelFaces = faces_;
        result.timings = {{RunStep::preprocess, 0.001}, {RunStep::block2, 0.002}};
        return result;
    }

    MeshOperations& meshOperations() override { return *this; }
    NeighbourResults nearestNeighbours(std::span<const CloudPair> pairs) override {
        if (beforeSearch) beforeSearch(pairs);
        return MeshOperations::nearestNeighbours(pairs);
    }
    TransportResults earthMoversDistances(std::span<const CloudPair> pairs,
                                          const SinkhornSchedule& schedule) override {
        matched += pairs.size();
        return MeshOperations::earthMoversDistances(pairs, schedule);
    }

    /// First byte of images that are refused.
    static constexpr unsigned char kRefused = 255;

    bool refuses = true;
    int runs = 0;
    std::string name = "fake";
    std::function<void(FakeBackend&)> before;  ///< called in each run; may be empty
    std::function<void(std::span<const CloudPair>)> beforeSearch;  ///< called in each search; may
                                                                   ///< be empty or throw
    std::size_t matched = 0;                                       ///< number of pairs of clouds
                                                                   ///< that were matched

  private:
    static Points octahedron(float size) {
        const float z = -0.8F;
        return {{size, 0, z},  {-size, 0, z},    {0, size, z},
                {0, -size, z}, {0, 0, z + size}, {0, 0, z - size}};
    }

    std::chrono::microseconds delay_;
    std::shared_ptr<Model> model_ = std::make_shared<Model>();
    std::shared_ptr<const std::vector<Faces>> faces_ = std::make_shared<
        std::vector<Faces>>(std::vector<Faces>{
        {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}});
};

}  // namespace threefold::test
