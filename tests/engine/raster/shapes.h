#pragma once

#include <random>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"

namespace threefold::test {

/// Closed meshes of about unit size.
Mesh icosphere(int subdivisions);
Mesh torus(std::size_t around, std::size_t across);

/// Triangles that have no order at all.
struct Soup {
    std::vector<glm::vec4> clip;
    Faces faces;

    void add(const glm::vec4& a, const glm::vec4& b, const glm::vec4& c);
};

/// Uniform numbers that are the same with every library.
class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    float operator()(float least, float most) {
        return least + (most - least) * (static_cast<float>(engine_() % kSteps) / kSteps);
    }
    unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }

  private:
    static constexpr int kSteps = 1 << 20;
    std::mt19937 engine_;
};

/// A camera that looks at the middle from a random side, at this distance.
glm::mat4 randomCamera(Random& random, float distance, float aspect);

std::vector<glm::vec4> toClip(const glm::mat4& matrix, const Points& points);

}  // namespace threefold::test
