#include "engine/fitting/vertex_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/compute/parallel.h"
#include "engine/fitting/blur.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr float kColourWeight = 30;      ///< pixels²
constexpr float kRobust = 0.3F;          ///< squared difference of normalised values
constexpr float kLeastContrast = 0.02F;  ///< standard deviation of a square's values, 0…1
constexpr float kLeastCosine = 0.4F;     ///< between the normal and the way to the camera
constexpr int kReach = 2;                ///< samples on each side of a square's middle
constexpr float kSpacing = 1.5F;         ///< between them, in deviations of the blur
constexpr int kSamples = (2 * kReach + 1) * (2 * kReach + 1);
constexpr auto kFocal = static_cast<float>(kFocalLength);
constexpr auto kCentre = static_cast<float>(kImageCentre);
constexpr float kColourPixelsPerUnit = kFocal / 0.8F;  ///< at the object's distance

/// A square's values in a photograph, normalised, and their slopes along the square's normal.
struct Look {
    std::array<float, kSamples> value;
    std::array<float, kSamples> slope;

    void normalise(float contrast) {
        float mean = 0;
        float meanSlope = 0;
        for (int k = 0; k < kSamples; ++k) meanSlope += slope[k] / kSamples;
        for (int k = 0; k < kSamples; ++k) mean += value[k] / kSamples;
        float along = 0;
        for (int k = 0; k < kSamples; ++k) {
            value[k] = (value[k] - mean) / contrast;
            slope[k] = (slope[k] - meanSlope) / contrast;
            along += value[k] * slope[k] / kSamples;
        }
        for (int k = 0; k < kSamples; ++k) slope[k] -= along * value[k];
    }

    float contrast() const {
        float sum = 0;
        float squares = 0;
        for (const float each : value) {
            sum += each;
            squares += each * each;
        }
        return std::sqrt(std::max(squares / kSamples - sum * sum / kSamples / kSamples, 0.0F));
    }
};

}  // namespace

/// One photograph, its brightness blurred, and which vertices it sees.
class ColourTerm::Photograph {
  public:
    explicit Photograph(const View& view) : outline_(*view.outline) {
        size_ = outline_.grid().side() * outline_.grid().samples();
        const std::vector<float>& shares = outline_.grid().shares();
        pixel_ = static_cast<float>(kImageSize) / static_cast<float>(size_);
        const Image& image = *view.image;
        // The mean of the image's pixels within each sample of the mask.
        std::vector<float> count(shares.size(), 0);
        sharp_.assign(shares.size(), 0);
        const auto indexIn = [](int x, int y, int width) {
            return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x);
        };
        const int rows = std::max(size_, image.height);
        const int columns = std::max(size_, image.width);
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                const std::size_t to = indexIn(x * size_ / columns, y * size_ / rows, size_);
                const std::uint8_t* rgba =
                    image.rgba.data() +
                    4 * indexIn(x * image.width / columns, y * image.height / rows, image.width);
                constexpr float kWhite = 255;
                sharp_[to] +=
                    (0.299F * static_cast<float>(rgba[0]) + 0.587F * static_cast<float>(rgba[1]) +
                     0.114F * static_cast<float>(rgba[2])) /
                    kWhite;
                count[to] += 1;
            }
        inside_.reserve(shares.size());
        for (std::size_t i = 0; i < shares.size(); ++i) {
            constexpr float kWhole = 0.99F;  // of the object alone
            const bool is = shares[i] > kWhole;
            inside_.push_back(is ? 1.0F : 0.0F);
            sharp_[i] = is ? sharp_[i] / count[i] : 0;
        }
    }

    /// Without the background: of the object's pixels alone.
    void setDeviation(float pixels) {
        brightness_ = sharp_;
        std::vector<float> share = inside_;
        blur(brightness_, size_, pixels / pixel_);
        blur(share, size_, pixels / pixel_);
        for (std::size_t i = 0; i < share.size(); ++i) {
            constexpr float kLeast = 1e-3F;
            brightness_[i] = share[i] > kLeast ? brightness_[i] / share[i] : 0;
        }
    }

    /// Which vertices belong to a face that is seen, and turned to the camera.
    void look(const Points& vertices, const Points& normals, const Faces& faces) {
        sees_.assign(vertices.size(), 0);
        for (const std::uint32_t face : outline_.drawFaces(vertices, faces, size_)) {
            if (face == 0) continue;
            for (int corner = 0; corner < 3; ++corner) sees_[faces[face - 1][corner]] = 1;
        }
        const glm::vec3 eye = outline_.eye();
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            const glm::vec3 way = eye - vertices[v];
            if (glm::dot(way, normals[v]) < kLeastCosine * glm::length(way)) sees_[v] = 0;
        }
    }

    bool sees(std::size_t vertex) const { return sees_[vertex] != 0; }

    /// None where a part of the square is not on the object, or it has no contrast.
    std::optional<Look> lookAt(glm::vec3 middle, glm::vec3 normal, glm::vec3 across,
                               glm::vec3 up) const {
        Look look;
        int at = 0;
        const glm::vec3 normalInView = outline_.rotation() * normal;
        for (int i = -kReach; i <= kReach; ++i)
            for (int j = -kReach; j <= kReach; ++j, ++at) {
                const glm::vec3 point =
                    middle + static_cast<float>(i) * across + static_cast<float>(j) * up;
                const glm::vec3 q = outline_.rotation() * point + outline_.offset();
                if (q.z > kNearestDepth) return std::nullopt;
                const glm::vec2 scaled = kFocal / q.z * glm::vec2(-q.x, q.y);
                const glm::vec2 moves = kFocal / q.z * glm::vec2(-normalInView.x, normalInView.y) -
                                        normalInView.z / q.z * scaled;
                if (!sample((kCentre + scaled) / pixel_, moves / pixel_, look.value[at],
                            look.slope[at]))
                    return std::nullopt;
            }
        const float contrast = look.contrast();
        if (contrast < kLeastContrast) return std::nullopt;
        look.normalise(contrast);
        return look;
    }

  private:
    /// Bilinear, in pixels of the mask.
    bool sample(glm::vec2 at, glm::vec2 moves, float& value, float& slope) const {
        const glm::vec2 from = at - 0.5F;
        const auto end = static_cast<float>(size_ - 1);
        if (!(from.x >= 0 && from.y >= 0 && from.x < end && from.y < end)) return false;
        const auto x = static_cast<std::size_t>(from.x);
        const auto y = static_cast<std::size_t>(from.y);
        const auto size = static_cast<std::size_t>(size_);
        const std::size_t corner = y * size + x;
        if (inside_[corner] == 0 || inside_[corner + 1] == 0 || inside_[corner + size] == 0 ||
            inside_[corner + size + 1] == 0)
            return false;
        const glm::vec2 part = from - glm::vec2(x, y);
        const float* four = brightness_.data() + corner;
        const float above = glm::mix(four[0], four[1], part.x);
        const float below = glm::mix(four[size], four[size + 1], part.x);
        value = glm::mix(above, below, part.y);
        slope = moves.x * glm::mix(four[1] - four[0], four[size + 1] - four[size], part.y) +
                moves.y * (below - above);
        return true;
    }

    const OutlineTerms& outline_;
    int size_;
    float pixel_;                    ///< side of a pixel in pixels of the 224×224 projection
    std::vector<float> sharp_;       ///< brightness 0…1, 0 beside the object
    std::vector<float> inside_;      ///< 1 or 0
    std::vector<float> brightness_;  ///< blurred
    std::vector<std::uint8_t> sees_;
};

ColourTerm::ColourTerm(const MeshLevels& levels, const std::vector<View>& views, int threads,
                       std::stop_token cancel)
    : levels_(levels), threads_(threads), cancel_(std::move(cancel)) {
    for (const View& view : views)
        if (view.image != nullptr && view.image->isComplete())
            photographs_.push_back(std::make_unique<Photograph>(view));
}

ColourTerm::~ColourTerm() = default;

void ColourTerm::setDeviation(float pixels) {
    if (pixels == deviation_) return;
    deviation_ = pixels;
    parallelFor(threads_, photographs_.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
        photographs_[i]->setDeviation(pixels);
    });
}

void ColourTerm::add(const Points& vertices, const Points& normals, NormalEquations& sum) {
    if (photographs_.size() < 2) return;
    parallelFor(threads_, photographs_.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
        photographs_[i]->look(vertices, normals, levels_.faces());
    });
    const float spacing = kSpacing * deviation_ / kColourPixelsPerUnit;
    std::vector<float> energy(vertices.size(), 0);
    const auto ask = [&](std::size_t v) {
        const glm::vec3 normal = normals[v];
        const glm::vec3 aside = std::abs(normal.x) < 0.5F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
        const glm::vec3 across = glm::normalize(glm::cross(normal, aside));
        const glm::vec3 up = glm::cross(normal, across);
        std::vector<Look> looks;
        for (const auto& photograph : photographs_) {
            if (!photograph->sees(v)) continue;
            if (const auto look =
                    photograph->lookAt(vertices[v], normal, spacing * across, spacing * up))
                looks.push_back(*look);
        }
        if (looks.size() < 2) return;
        Look mean{};
        for (const Look& look : looks)
            for (int k = 0; k < kSamples; ++k) {
                mean.value[k] += look.value[k] / static_cast<float>(looks.size());
                mean.slope[k] += look.slope[k] / static_cast<float>(looks.size());
            }
        float matrix = 0;
        float vector = 0;
        for (const Look& look : looks) {
            float squares = 0;
            float slopes = 0;
            float both = 0;
            for (int k = 0; k < kSamples; ++k) {
                const float off = mean.value[k] - look.value[k];
                const float slope = look.slope[k] - mean.slope[k];
                squares += off * off / kSamples;
                slopes += slope * slope / kSamples;
                both += slope * off / kSamples;
            }
            const float share = kRobust / (kRobust + squares);
            const float weight = kColourWeight * share * share;
            matrix += weight * slopes;
            vector += weight * both;
            energy[v] += weight * squares;
        }
        sum.matrix[v].addOuter(normal, matrix);
        sum.vector[v] += vector * normal;
    };
    constexpr std::size_t kTogether = 64;
    parallelFor(threads_, (vertices.size() + kTogether - 1) / kTogether, cancel_,
                [&](std::size_t part, std::size_t /*thread*/) {
                    const std::size_t end = std::min((part + 1) * kTogether, vertices.size());
                    for (std::size_t v = part * kTogether; v < end; ++v) ask(v);
                });
    for (const float each : energy) sum.energy += each;
}

}  // namespace threefold::fitting
