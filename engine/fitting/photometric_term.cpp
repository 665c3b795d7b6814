#include "engine/fitting/vertex_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/compute/parallel.h"
#include "engine/fitting/blur.h"
#include "engine/fitting/term_weights.h"
#include "engine/views/bilinear.h"
#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

constexpr float kPhotometricWeight = 30;  ///< pixels²
/// Scale of the robust weight: squared difference of normalised values.
constexpr float kRobustScale = 0.3F;
constexpr float kMinContrast = 0.02F;  ///< standard deviation of a patch's values, 0…1
constexpr float kMinCosine = 0.4F;     ///< between the normal and the direction to the camera
constexpr int kHalfSamples = 2;        ///< samples on each side of a patch's centre
constexpr float kSpacing = 1.5F;  ///< distance between samples, in standard deviations of the blur
constexpr int kSamples = (2 * kHalfSamples + 1) * (2 * kHalfSamples + 1);
constexpr float kPatchPixelsPerUnit = kFocal / 0.8F;  ///< at z = −0.8, where the object is

/// Square patch of the surface as a photograph shows it: normalised values, and their derivatives
/// along the patch's normal.
struct Patch {
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
        for (const float v : value) {
            sum += v;
            squares += v * v;
        }
        return std::sqrt(std::max(squares / kSamples - sum * sum / kSamples / kSamples, 0.0F));
    }
};

/// Robust sums over the photographs of one patch; each photograph is compared with their mean.
struct PhotoConsistency {
    float energy = 0;         ///< squared residuals
    float squaredSlopes = 0;  ///< squared derivatives of the residuals along the normal
    float products = 0;       ///< residuals times their derivatives
};

/// `patches`: one for each photograph that shows the patch, two or more.
PhotoConsistency photoConsistency(std::span<const Patch> patches) {
    Patch mean{};
    for (const Patch& patch : patches)
        for (int k = 0; k < kSamples; ++k) {
            mean.value[k] += patch.value[k] / static_cast<float>(patches.size());
            mean.slope[k] += patch.slope[k] / static_cast<float>(patches.size());
        }
    PhotoConsistency sums;
    for (const Patch& patch : patches) {
        float squares = 0;
        float slopes = 0;
        float product = 0;
        for (int k = 0; k < kSamples; ++k) {
            const float residual = mean.value[k] - patch.value[k];
            const float slope = patch.slope[k] - mean.slope[k];
            squares += residual * residual / kSamples;
            slopes += slope * slope / kSamples;
            product += slope * residual / kSamples;
        }
        const float factor = kRobustScale / (kRobustScale + squares);
        const float weight = kPhotometricWeight * factor * factor;
        sums.squaredSlopes += weight * slopes;
        sums.products += weight * product;
        sums.energy += weight * squares;
    }
    return sums;
}

}  // namespace

/// A photograph with blurred brightness, and the vertices that it shows.
class PhotometricTerm::Photograph {
  public:
    explicit Photograph(const PhotometricView& input) : outline_(*input.outline) {
        size_ = outline_.coverageGrid().side() * outline_.coverageGrid().samplesPerSide();
        const std::vector<float>& coverage = outline_.coverageGrid().coverage();
        sampleSide_ = static_cast<float>(kInputSide) / static_cast<float>(size_);
        const Image& image = *input.image;
        // Brightness of a sample is the mean over the image's pixels within the sample.
        std::vector<float> count(coverage.size(), 0);
        sharp_.assign(coverage.size(), 0);
        const auto indexIn = [](int x, int y, int width) {
            return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(x);
        };
        const int rows = std::max(size_, image.height);
        const int columns = std::max(size_, image.width);
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                const std::size_t sample = indexIn(x * size_ / columns, y * size_ / rows, size_);
                const std::uint8_t* rgba =
                    image.rgba.data() +
                    4 * indexIn(x * image.width / columns, y * image.height / rows, image.width);
                constexpr float kWhite = 255;
                sharp_[sample] +=
                    (0.299F * static_cast<float>(rgba[0]) + 0.587F * static_cast<float>(rgba[1]) +
                     0.114F * static_cast<float>(rgba[2])) /
                    kWhite;
                count[sample] += 1;
            }
        inside_.reserve(coverage.size());
        for (std::size_t i = 0; i < coverage.size(); ++i) {
            constexpr float kMinCoverage = 0.99F;  // minimum coverage by the object
            const bool inside = coverage[i] > kMinCoverage;
            inside_.push_back(inside ? 1.0F : 0.0F);
            sharp_[i] = inside ? sharp_[i] / count[i] : 0;
        }
    }

    /// Blurs the brightness of the object's pixels alone, without the background.
    void blur(float sigma) {
        brightness_ = sharp_;
        std::vector<float> weight = inside_;
        gaussianBlur(brightness_, size_, sigma / sampleSide_);
        gaussianBlur(weight, size_, sigma / sampleSide_);
        for (std::size_t i = 0; i < weight.size(); ++i) {
            constexpr float kMinWeight = 1e-3F;
            brightness_[i] = weight[i] > kMinWeight ? brightness_[i] / weight[i] : 0;
        }
    }

    /// Finds the vertices that belong to a visible face and are turned to the camera.
    void findVisible(const Points& vertices, const Points& normals, const Faces& faces) {
        visible_.assign(vertices.size(), 0);
        for (const std::uint32_t face : outline_.renderFaces(vertices, faces, size_)) {
            if (face == 0) continue;
            for (int corner = 0; corner < 3; ++corner) visible_[faces[face - 1][corner]] = 1;
        }
        const glm::vec3 cameraCentre = outline_.cameraCentre();
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            const glm::vec3 toCamera = cameraCentre - vertices[v];
            if (glm::dot(toCamera, normals[v]) < kMinCosine * glm::length(toCamera))
                visible_[v] = 0;
        }
    }

    bool shows(std::size_t vertex) const { return visible_[vertex] != 0; }

    /// Samples a patch, normalised; nullopt if a part of the patch is not on the object, or if the
    /// patch lacks contrast.
    std::optional<Patch> patchAt(glm::vec3 centre, glm::vec3 normal, glm::vec3 across,
                                 glm::vec3 up) const {
        Patch patch;
        int index = 0;
        const glm::vec3 normalInCamera = outline_.toCameraMatrix() * normal;
        for (int i = -kHalfSamples; i <= kHalfSamples; ++i)
            for (int j = -kHalfSamples; j <= kHalfSamples; ++j, ++index) {
                const glm::vec3 point =
                    centre + static_cast<float>(i) * across + static_cast<float>(j) * up;
                const glm::vec3 q = outline_.toCameraMatrix() * point + outline_.toCameraOffset();
                if (q.z > kMaxCameraZ) return std::nullopt;
                const glm::vec2 scaled = kFocal / q.z * glm::vec2(-q.x, q.y);
                const glm::vec2 derivative =
                    kFocal / q.z * glm::vec2(-normalInCamera.x, normalInCamera.y) -
                    normalInCamera.z / q.z * scaled;
                if (!sample((kPrincipalPixel + scaled) / sampleSide_, derivative / sampleSide_,
                            patch.value[index], patch.slope[index]))
                    return std::nullopt;
            }
        const float contrast = patch.contrast();
        if (contrast < kMinContrast) return std::nullopt;
        patch.normalise(contrast);
        return patch;
    }

    /// The patch at a vertex in each photograph that shows all of it. `spacing`: distance between
    /// the patch's samples, in the vertices' space.
    static std::vector<Patch> patchesOf(std::span<const std::unique_ptr<Photograph>> photographs,
                                        std::size_t vertex, glm::vec3 centre, glm::vec3 normal,
                                        float spacing) {
        const glm::vec3 aside = std::abs(normal.x) < 0.5F ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
        const glm::vec3 across = glm::normalize(glm::cross(normal, aside));
        const glm::vec3 up = glm::cross(normal, across);
        std::vector<Patch> patches;
        for (const auto& photograph : photographs) {
            if (!photograph->shows(vertex)) continue;
            if (const auto patch =
                    photograph->patchAt(centre, normal, spacing * across, spacing * up))
                patches.push_back(*patch);
        }
        return patches;
    }

  private:
    /// Samples value and slope bilinearly, at a position in samples of the CoverageGrid; returns
    /// false beside the object.
    bool sample(glm::vec2 position, glm::vec2 derivative, float& value, float& slope) const {
        const glm::vec2 texel = position - 0.5F;
        const auto end = static_cast<float>(size_ - 1);
        if (!(texel.x >= 0 && texel.y >= 0 && texel.x < end && texel.y < end)) return false;
        const auto x = static_cast<std::size_t>(texel.x);
        const auto y = static_cast<std::size_t>(texel.y);
        const auto size = static_cast<std::size_t>(size_);
        const std::size_t corner = y * size + x;
        if (inside_[corner] == 0 || inside_[corner + 1] == 0 || inside_[corner + size] == 0 ||
            inside_[corner + size + 1] == 0)
            return false;
        const auto [brightness, gradient] =
            interpolated(brightness_.data(), size_, {corner, texel - glm::vec2(x, y)});
        value = brightness;
        slope = derivative.x * gradient.x + derivative.y * gradient.y;
        return true;
    }

    const ViewOutline& outline_;
    int size_;
    float sampleSide_;               ///< side of a sample in pixels of the 224×224 projection
    std::vector<float> sharp_;       ///< brightness 0…1, 0 beside the object
    std::vector<float> inside_;      ///< 1 or 0
    std::vector<float> brightness_;  ///< blurred
    std::vector<std::uint8_t> visible_;
};

PhotometricTerm::PhotometricTerm(const MeshLevels& levels,
                                 const std::vector<PhotometricView>& inputs, int threads,
                                 std::stop_token cancel)
    : levels_(levels), threads_(threads), cancel_(std::move(cancel)) {
    for (const PhotometricView& input : inputs)
        if (input.image != nullptr && input.image->isComplete())
            photographs_.push_back(std::make_unique<Photograph>(input));
}

PhotometricTerm::~PhotometricTerm() = default;

void PhotometricTerm::blurPhotographs(float sigma) {
    if (sigma == blurSigma_) return;
    parallelFor(threads_, photographs_.size(), cancel_,
                [&](std::size_t i, std::size_t /*thread*/) { photographs_[i]->blur(sigma); });
    blurSigma_ = sigma;
}

void PhotometricTerm::addTo(const Points& vertices, const Points& normals, const FitScale& scale,
                            VertexEquations& sum) {
    if (photographs_.size() < 2) return;
    blurPhotographs(scale.photometricBlurSigma);
    parallelFor(threads_, photographs_.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
        photographs_[i]->findVisible(vertices, normals, levels_.faces());
    });
    const float spacing = kSpacing * blurSigma_ / kPatchPixelsPerUnit;
    std::vector<float> energy(vertices.size(), 0);
    const auto addVertex = [&](std::size_t v) {
        const std::vector<Patch> patches =
            Photograph::patchesOf(photographs_, v, vertices[v], normals[v], spacing);
        if (patches.size() < 2) return;
        const PhotoConsistency consistency = photoConsistency(patches);
        energy[v] = consistency.energy;
        sum.matrices[v].addOuter(normals[v], consistency.squaredSlopes);
        sum.rhs[v] += consistency.products * normals[v];
    };
    constexpr std::size_t kChunk = 64;
    parallelForChunks(threads_, vertices.size(), kChunk, cancel_,
                      [&](std::size_t begin, std::size_t end) {
                          for (std::size_t v = begin; v < end; ++v) addVertex(v);
                      });
    for (const float value : energy) sum.energy += value;
}

}  // namespace threefold::fitting
