#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/network/serial_backend.h"
#include "engine/network/service/network_devices.h"
#include "tests/support/stage_meshes.h"

namespace threefold::ui::test {

/// Behaviour of FakeBackend; shared with the test, which may change it between runs.
struct FakeBehaviour {
    std::atomic<int> stageMilliseconds = 1;
    std::atomic<bool> failNext = false;
    std::atomic<RunStep> held = RunStep::load;  ///< step in which runs wait; load: no run waits
    std::atomic<bool> reportsPartial = true;  ///< whether runs call BatchOptions::onCoarseMesh, as
                                              ///< they do on the processor's back end
    std::atomic<bool> lost = false;           ///< runs throw DeviceLost, except on the replacement
    std::atomic<int> runs = 0;       ///< number of begun runs that did not throw DeviceLost
    std::atomic<int> completed = 0;  ///< number of runs with a result
};

/// Deterministic fake network: deforms a sphere by the number of views. Each run step lasts
/// FakeBehaviour::stageMilliseconds; projections last no time.
class FakeBackend : public SerialBackend {
  public:
    explicit FakeBackend(std::shared_ptr<FakeBehaviour> behaviour, bool spare = false)
        : behaviour_(std::move(behaviour)), spare_(spare) {
        model_->file = "fake.safetensors";
        model_->hash = "0123456789abcdef";
    }

    std::string description() const override {
        return spare_ ? "Spare · no threads" : "Fake · no threads";
    }
    Precision precision() const override { return Precision::float32; }
    std::shared_ptr<const Model> model() const override { return model_; }

    Reconstruction compute(const NetworkInput& input, const BatchOptions& options) override {
        if (behaviour_->lost && !spare_) throw DeviceLost({"GPU 0", "", "fell off the bus", ""});
        ++behaviour_->runs;
        if (behaviour_->failNext.exchange(false)) {
            throw InputError({"view 0", "", "FakeBackend was told to fail", "Try again."});
        }
        Reconstruction result;
        for (const RunStep step : runStepsOf(kPublishedHypothesisBlocks)) {
            if (step == RunStep::load) continue;
            if (isProjection(step)) {  // projections report no progress
                result.timings.push_back({step, 0});
                continue;
            }
            for (int elapsed = 0;
                 elapsed < behaviour_->stageMilliseconds || behaviour_->held == step; ++elapsed) {
                if (options.cancel.stop_requested()) throw Cancelled();
                if (options.progress) {
                    options.progress({step, static_cast<float>(elapsed) /
                                                static_cast<float>(behaviour_->stageMilliseconds)});
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            result.timings.push_back({step, static_cast<double>(behaviour_->stageMilliseconds)});
            if (step != RunStep::graph3) continue;
            fillCoarse(result, static_cast<float>(input.images.size()));
            if (options.onCoarseMesh && behaviour_->reportsPartial) options.onCoarseMesh(result);
        }
        refine(result, static_cast<float>(input.images.size()));
        ++behaviour_->completed;
        return result;
    }

  private:
    // Makes a sphere with three levels as the template. Each finer level splits all edges of the
    // level before at their midpoints.
    static std::shared_ptr<const TemplateMesh> sphereTemplate() {
        auto mesh = std::make_shared<TemplateMesh>();
        Faces faces = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
        mesh->vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        std::size_t vertices = mesh->vertices.size();
        constexpr int kBefore = 2;  // subdivisions of the octahedron before level 1
        for (int step = 0; step < kBefore + 3; ++step) {
            std::vector<glm::u32vec2> edges;
            Faces finer;
            subdivide(faces, vertices, edges, finer);
            if (step < kBefore) {
                for (const glm::u32vec2 edge : edges) {
                    mesh->vertices.push_back(
                        glm::normalize(mesh->vertices[edge.x] + mesh->vertices[edge.y]));
                }
            } else {
                TemplateLevel level;
                level.vertexCount = vertices;
                level.faces = faces;
                if (step < kBefore + 2) level.unpoolEdges = edges;
                mesh->levels.push_back(std::move(level));
            }
            vertices += edges.size();
            faces = std::move(finer);
        }
        for (glm::vec3& point : mesh->vertices) point = kCentre + 0.2F * point;
        return mesh;
    }

    static void subdivide(const Faces& faces, std::size_t vertices,
                          std::vector<glm::u32vec2>& edges, Faces& finer) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, added] = middles.try_emplace(
                std::minmax(a, b), static_cast<std::uint32_t>(vertices + edges.size()));
            if (added) edges.emplace_back(a, b);
            return at->second;
        };
        for (const glm::u32vec3& f : faces) {
            const std::uint32_t a = middle(f.x, f.y);
            const std::uint32_t b = middle(f.y, f.z);
            const std::uint32_t c = middle(f.z, f.x);
            finer.insert(finer.end(), {{f.x, a, c}, {a, f.y, b}, {c, b, f.z}, {a, b, c}});
        }
    }

    static Points unpooled(Points points, const TemplateLevel& level) {
        for (const glm::u32vec2 edge : level.unpoolEdges) {
            points.push_back((points[edge.x] + points[edge.y]) * 0.5F);
        }
        return points;
    }

    static Points bent(const Points& points, float radius, float bend) {
        Points out;
        for (const glm::vec3& point : points) {
            const glm::vec3 direction = glm::normalize(point - kCentre);
            const float phi = std::atan2(direction.z, direction.x);
            const float theta = std::acos(std::clamp(direction.y, -1.0F, 1.0F));
            const float bump = 1.0F + 0.2F * std::sin(bend * phi) * std::sin(theta);
            out.push_back(kCentre + radius * bump * direction);
        }
        return out;
    }

    static void fillCoarse(Reconstruction& result, float bend) {
        static const std::shared_ptr<const TemplateMesh> shape = sphereTemplate();
        static const auto faces = [] {
            auto all = std::make_shared<std::vector<Faces>>();
            for (const TemplateLevel& level : shape->levels) all->push_back(level.faces);
            return all;
        }();
        result.templateMesh = shape;
        result.levelFaces = faces;
        result.stages = threefold::test::publishedStages();
        Points points = shape->vertices;
        constexpr std::array kRadius{0.2F, 0.19F, 0.18F};
        for (std::size_t level = 0; level < kRadius.size(); ++level) {
            points = bent(points, kRadius[level], bend);
            result.stages[level].vertices = points;
            if (level + 1 < kRadius.size()) points = unpooled(points, shape->levels[level]);
        }
    }

    static void refine(Reconstruction& result, float bend) {
        const Points& coarse = result.vertices("coarse");
        float radius = 0.17F;
        float minEntropy = 2;
        for (const char* name : {"refined1", "refined"}) {
            StageMesh& stage = threefold::test::stageOf(result, name);
            stage.vertices = bent(coarse, radius, bend);
            std::vector<float>& entropy = stage.channels["entropy"];
            for (std::size_t i = 0; i < coarse.size(); ++i)
                entropy.push_back(minEntropy +
                                  3.0F * static_cast<float>(i) / static_cast<float>(coarse.size()));
            radius = 0.16F;
            minEntropy = 1;
        }
    }

    static constexpr glm::vec3 kCentre{0.0F, 0.0F, -0.8F};
    std::shared_ptr<FakeBehaviour> behaviour_;
    bool spare_;
    std::shared_ptr<Model> model_ = std::make_shared<Model>();
};

/// A FakeBackend and its replacement after a loss of the device; both have the given behaviour.
inline NetworkDevices fakeDevices(const std::shared_ptr<FakeBehaviour>& behaviour) {
    return oneDevice(std::make_unique<FakeBackend>(behaviour),
                     [behaviour] { return std::make_unique<FakeBackend>(behaviour, true); });
}

}  // namespace threefold::ui::test
