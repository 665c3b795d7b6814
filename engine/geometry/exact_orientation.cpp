#include "engine/geometry/exact_orientation.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

constexpr double kHalfUlp = std::numeric_limits<double>::epsilon() / 2;

int signOf(double value) {
    return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
}

/// Exact sum as non-overlapping components, the largest last.
class ExactSum {
  public:
    void add(double value) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const double sum = value + components_[i];
            const double rounded = sum - value;
            const double error = (value - (sum - rounded)) + (components_[i] - rounded);
            if (error != 0) components_[count++] = error;
            value = sum;
        }
        if (value != 0) components_[count++] = value;
        count_ = count;
    }
    /// Adds a · b · c. The product of two floats is exact in double precision.
    void addProduct(float a, float b, float c) {
        const double two = static_cast<double>(a) * b;
        const double three = two * c;
        add(std::fma(two, static_cast<double>(c), -three));
        add(three);
    }
    int sign() const { return count_ > 0 ? signOf(components_[count_ - 1]) : 0; }

  private:
    static constexpr std::size_t kMaxComponents = 48;  ///< a volume: 24 products of two components
    std::array<double, kMaxComponents> components_;
    std::size_t count_ = 0;
};

/// Adds factor · det(a, b, c).
void addDeterminant(ExactSum& sum, float factor, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        sum.addProduct(factor * a[i], b[j], c[k]);
        sum.addProduct(-factor * a[i], b[k], c[j]);
    }
}

}  // namespace

int orientation(glm::vec2 a, glm::vec2 b, glm::vec2 c) {
    const glm::dvec2 ab = glm::dvec2(b) - glm::dvec2(a);
    const glm::dvec2 ac = glm::dvec2(c) - glm::dvec2(a);
    const double left = ab.x * ac.y;
    const double right = ab.y * ac.x;
    const double area = left - right;
    // Each difference, product and sum has a rounding error of at most half an ulp.
    constexpr double kMaxError = 4 * kHalfUlp;
    if (std::abs(area) > kMaxError * (std::abs(left) + std::abs(right))) return signOf(area);
    ExactSum sum;
    for (const auto& [p, q] : {std::array{a, b}, std::array{b, c}, std::array{c, a}}) {
        sum.addProduct(p.x, q.y, 1);
        sum.addProduct(-p.y, q.x, 1);
    }
    return sum.sign();
}

int orientation(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d) {
    const glm::dvec3 ab = glm::dvec3(b) - glm::dvec3(a);
    const glm::dvec3 ac = glm::dvec3(c) - glm::dvec3(a);
    const glm::dvec3 ad = glm::dvec3(d) - glm::dvec3(a);
    const double volume = glm::dot(glm::cross(ab, ac), ad);
    const auto size = [](double x, double y, double z) {
        return std::abs(x) * (std::abs(y) + std::abs(z));
    };
    const double magnitude = size(ad.x, ab.y * ac.z, ab.z * ac.y) +
                             size(ad.y, ab.z * ac.x, ab.x * ac.z) +
                             size(ad.z, ab.x * ac.y, ab.y * ac.x);
    constexpr double kMaxError = 8 * kHalfUlp;
    if (std::abs(volume) > kMaxError * magnitude) return signOf(volume);
    ExactSum sum;
    addDeterminant(sum, 1, b, c, d);
    addDeterminant(sum, -1, a, c, d);
    addDeterminant(sum, 1, a, b, d);
    addDeterminant(sum, -1, a, b, c);
    return sum.sign();
}

}  // namespace threefold
