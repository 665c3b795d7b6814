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

/// Triangle soup in clip space: no shared vertices.
struct Soup {
    std::vector<glm::vec4> clip;
    Faces faces;

    void add(const glm::vec4& a, const glm::vec4& b, const glm::vec4& c);
};

/// Uniform random numbers that are equal with every standard library.
class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    float operator()(float min, float max) {
        return min + (max - min) * (static_cast<float>(engine_() % kSteps) / kSteps);
    }
    unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }

  private:
    static constexpr int kSteps = 1 << 20;
    std::mt19937 engine_;
};

/// Projection of a camera that looks at the origin from a random direction, `distance` away.
glm::mat4 randomCamera(Random& random, float distance, float aspect);

std::vector<glm::vec4> toClip(const glm::mat4& matrix, const Points& points);

}  // namespace threefold::test
