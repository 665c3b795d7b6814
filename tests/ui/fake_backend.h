#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "engine/error.h"
#include "engine/network/backend.h"

namespace threefold::ui::test {

/// How the stand-in behaves; shared with the test, which may change it between runs.
struct FakeBehaviour {
    std::atomic<int> stageMilliseconds = 1;
    std::atomic<bool> failNext = false;
    std::atomic<bool> lost = false;  ///< another one stands in from the next run on
    std::atomic<int> runs = 0;       ///< begun
    std::atomic<int> completed = 0;  ///< ended with a result
};

/// Deterministic stand-in for a network, for tests of what is around it: it bends a sphere by the
/// number of views and takes as long as asked.
class FakeBackend : public Backend {
  public:
    explicit FakeBackend(std::shared_ptr<FakeBehaviour> behaviour)
        : behaviour_(std::move(behaviour)) {
        model_.source = "fake.safetensors";
        model_.hash = "0123456789abcdef";
    }

    std::string description() const override {
        return behaviour_->lost ? "Spare · no threads" : "Fake · no threads";
    }
    Precision precision() const override { return Precision::float32; }
    const Model& model() const override { return model_; }

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override {
        ++behaviour_->runs;
        if (behaviour_->failNext.exchange(false)) {
            throw InputError({"view 0", "", "the stand-in was told to fail", "Try again."});
        }
        Reconstruction result;
        for (const Stage stage : kAllStages) {
            if (stage == Stage::load) continue;
            for (int step = 0; step < behaviour_->stageMilliseconds; ++step) {
                if (options.cancel.stop_requested()) throw Cancelled();
                if (options.progress) {
                    options.progress(
                        {stage, static_cast<float>(step) /
                                    static_cast<float>(behaviour_->stageMilliseconds)});
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            result.timings.push_back({stage, static_cast<double>(behaviour_->stageMilliseconds)});
        }
        fill(result, static_cast<float>(input.images.size()));
        ++behaviour_->completed;
        return result;
    }

  private:
    static void fill(Reconstruction& result, float bend) {
        constexpr int kRings = 24;
        constexpr int kSectors = 48;
        Faces faces;
        for (int ring = 0; ring <= kRings; ++ring) {
            for (int sector = 0; sector < kSectors; ++sector) {
                const float theta = 3.14159265F * static_cast<float>(ring) / kRings;
                const float phi = 6.28318531F * static_cast<float>(sector) / kSectors;
                const glm::vec3 direction(std::sin(theta) * std::cos(phi), std::cos(theta),
                                          std::sin(theta) * std::sin(phi));
                const float bump = 1.0F + 0.2F * std::sin(bend * phi) * std::sin(theta);
                const glm::vec3 centre(0.0F, 0.0F, -0.8F);
                result.coarse.push_back(centre + 0.18F * bump * direction);
                result.refined.push_back(centre + 0.16F * bump * direction);
            }
        }
        for (int ring = 0; ring < kRings; ++ring) {
            for (int sector = 0; sector < kSectors; ++sector) {
                const auto at = [](int r, int s) {
                    return static_cast<std::uint32_t>(r * kSectors + s % kSectors);
                };
                faces.emplace_back(at(ring, sector), at(ring, sector + 1), at(ring + 1, sector));
                faces.emplace_back(at(ring + 1, sector), at(ring, sector + 1),
                                   at(ring + 1, sector + 1));
            }
        }
        result.refined1 = result.refined;
        result.levelFaces =
            std::make_shared<const std::vector<Faces>>(std::vector<Faces>{std::move(faces)});
    }

    std::shared_ptr<FakeBehaviour> behaviour_;
    Model model_;
};

}  // namespace threefold::ui::test
