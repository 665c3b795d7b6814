#include "engine/texturing/mesh_visibility.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/raster/rasterize.h"
#include "engine/views/bilinear.h"
#include "engine/views/camera.h"

namespace threefold::texturing {
namespace {

constexpr int kSide = 512;  // side of the depth image, which covers the camera's picture
constexpr float kInfinite = std::numeric_limits<float>::infinity();

/// Tolerances in object units. A point is hidden if its depth exceeds the maximum depth around its
/// pixel by more than kSlack, the depth that a step of the depth image's grid may hide. A point is
/// never certainly visible if its depth exceeds the minimum depth around its pixel by more than
/// kOccluding.
constexpr float kSlack = 0.003F;
constexpr float kOccluding = 0.03F;

float triangleArea(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
    const glm::dvec2 ab = b - a;
    const glm::dvec2 ac = c - a;
    return static_cast<float>(std::abs(ab.x * ac.y - ab.y * ac.x) / 2);
}

/// Minimum (or, by `order`, maximum) within `radius` pixels of each pixel, along both axes.
template <class Order>
std::vector<float> extremes(std::vector<float> values, int radius, Order order) {
    const auto pass = [&](std::size_t along, std::size_t across) {
        std::vector<float> line(kSide);
        for (std::size_t row = 0; row < kSide; ++row) {
            for (int i = 0; i < kSide; ++i)
                line[static_cast<std::size_t>(i)] =
                    values[row * across + static_cast<std::size_t>(i) * along];
            for (int i = 0; i < kSide; ++i) {
                const auto* first = line.data() + std::max(0, i - radius);
                const auto* last = line.data() + std::min(kSide, i + radius + 1);
                values[row * across + static_cast<std::size_t>(i) * along] =
                    *std::min_element(first, last, order);
            }
        }
    };
    pass(1, kSide);
    pass(kSide, 1);
    return values;
}

}  // namespace

std::vector<MeshVisibility::MaskState> MeshVisibility::maskStates(const TextureView& view) {
    const auto count = static_cast<std::size_t>(view.photograph->width) *
                       static_cast<std::size_t>(view.photograph->height);
    std::vector<MaskState> states(count, MaskState::interior);
    if (!view.mask) return states;
    const Mask core = eroded(*view.mask);
    for (std::size_t i = 0; i < count; ++i)
        states[i] = core.inside[i] != 0         ? MaskState::interior
                    : view.mask->inside[i] != 0 ? MaskState::edge
                                                : MaskState::outside;
    return states;
}

MeshVisibility::MeshVisibility(const Mesh& mesh, const TextureView& view,
                               const std::stop_token& cancel)
    : view_(view), maskStates_(maskStates(view)) {
    const std::vector<glm::vec4> clip = toClipSpace(mesh.vertices, Pose{}, view.camera);
    RasterOptions options;
    options.width = options.height = kSide;
    options.wantBarycentric = false;
    options.wantDepth = true;
    options.cancel = cancel;
    const std::span<const glm::vec4> spans[] = {clip};
    RasterImage image = std::move(rasterize(spans, mesh.faces, options).front());
    // toClipSpace() gives z = −kNearPlane.
    std::vector<float> distance(image.depth.size());
    std::ranges::transform(image.depth, distance.begin(), [](float depth) {
        return std::isinf(depth) ? kInfinite : -static_cast<float>(kNearPlane) / depth;
    });
    minDepths_ = extremes(distance, 2, std::less{});
    std::ranges::replace(distance, kInfinite, 0.0F);
    maxDepths_ = extremes(std::move(distance), 1, std::greater{});
    measureAreas(mesh, image.facePlusOne);
}

glm::dvec2 MeshVisibility::inPicture(glm::dvec3 inView) const {
    return view_.camera.project(inView);
}

std::optional<glm::dvec2> MeshVisibility::projectFromView(glm::dvec3 inView) const {
    if (-inView.z < kNearPlane) return std::nullopt;
    const glm::dvec2 size(view_.photograph->width, view_.photograph->height);
    const glm::dvec2 pixel = inPicture(inView);
    if (!view_.toPhoto) return pixel / double{kInputSide} * size;
    auto position = view_.toPhoto(pixel);
    if (position) *position *= size;
    return position;
}

std::optional<glm::dvec2> MeshVisibility::project(glm::dvec3 point) const {
    return projectFromView(view_.camera.toCamera(point));
}

double MeshVisibility::pixelsPerUnit() const {
    const Camera& camera = view_.camera;
    const glm::dvec3 origin(0, 0, camera.toCamera(glm::dvec3(0)).z);
    constexpr double kStep = 0.05;
    const auto a = projectFromView(origin);
    const auto b = projectFromView(origin + glm::dvec3(kStep, 0, 0));
    return a && b ? glm::length(*b - *a) / kStep : view_.photograph->width;
}

// Samples bilinearly, between pixels of the object only.
Visibility MeshVisibility::colourAt(glm::dvec2 position, glm::vec3& colour) const {
    const Image& image = *view_.photograph;
    if (!(position.x >= 0 && position.y >= 0 && position.x <= image.width &&
          position.y <= image.height))
        return Visibility::hidden;
    const PictureCell cell = pictureCell(position, image.width, image.height);
    const glm::vec2 fraction(cell.fraction);
    glm::vec3 sum(0.0F);
    float insideWeight = 0;
    MaskState minState = MaskState::interior;
    for (std::size_t corner = 0; corner < 4; ++corner) {
        const float weight = bilinearWeight(fraction, corner);
        if (weight <= 0) continue;
        const std::size_t pixel = cell.pixels[corner];
        minState = std::min(minState, maskStates_[pixel]);
        if (maskStates_[pixel] == MaskState::outside) continue;
        const std::uint8_t* rgba = &image.rgba[4 * pixel];
        sum += weight * glm::vec3(rgba[0], rgba[1], rgba[2]);
        insideWeight += weight;
    }
    if (insideWeight < 0.5F) return Visibility::hidden;
    colour = sum / insideWeight;
    return minState == MaskState::interior ? Visibility::visible : Visibility::uncertain;
}

Visibility MeshVisibility::sampleColour(glm::dvec3 point, glm::vec3& colour) const {
    const glm::dvec3 inView = view_.camera.toCamera(point);
    const auto position = projectFromView(inView);
    if (!position) return Visibility::hidden;
    const glm::dvec2 cell = inPicture(inView) * (double{kSide} / kInputSide);
    bool isOccluded = false;
    if (cell.x >= 0 && cell.y >= 0 && cell.x < kSide && cell.y < kSide) {
        const auto index =
            static_cast<std::size_t>(cell.y) * kSide + static_cast<std::size_t>(cell.x);
        const auto distance = static_cast<float>(-inView.z);
        if (maxDepths_[index] > 0 && distance > maxDepths_[index] + kSlack)
            return Visibility::hidden;
        isOccluded = distance > minDepths_[index] + kOccluding;
    }
    const Visibility visibility = colourAt(*position, colour);
    return isOccluded ? std::min(visibility, Visibility::uncertain) : visibility;
}

std::vector<std::uint32_t> MeshVisibility::countVisiblePixels(
    std::size_t faceCount, const std::vector<std::uint32_t>& faces) const {
    std::vector<std::uint32_t> counts(faceCount);
    const Image& photograph = *view_.photograph;
    for (std::size_t pixel = 0; pixel < faces.size(); ++pixel) {
        if (faces[pixel] == 0) continue;
        const std::size_t row = pixel / kSide;
        const glm::dvec2 picture((static_cast<double>(pixel % kSide) + 0.5) / kSide,
                                 (static_cast<double>(row) + 0.5) / kSide);
        auto position = view_.toPhoto ? view_.toPhoto(picture * double{kInputSide})
                                      : std::optional<glm::dvec2>(picture);
        if (!position ||
            !(position->x >= 0 && position->y >= 0 && position->x < 1 && position->y < 1))
            continue;
        const auto x = static_cast<std::size_t>(position->x * photograph.width);
        const auto y = static_cast<std::size_t>(position->y * photograph.height);
        if (maskStates_[y * static_cast<std::size_t>(photograph.width) + x] != MaskState::outside)
            ++counts[faces[pixel] - 1];
    }
    return counts;
}

void MeshVisibility::measureAreas(const Mesh& mesh, const std::vector<std::uint32_t>& faces) {
    constexpr float kSmall = 4;  // pixels of the depth image
    const std::vector<std::uint32_t> visiblePixels = countVisiblePixels(mesh.faces.size(), faces);
    std::vector<std::optional<glm::dvec2>> positions(mesh.vertices.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i] = project(glm::dvec3(mesh.vertices[i]));
    std::vector<bool> isVisible(mesh.vertices.size());
    for (std::size_t face = 0; face < visiblePixels.size(); ++face)
        for (int i = 0; visiblePixels[face] > 0 && i < 3; ++i)
            isVisible[mesh.faces[face][i]] = true;
    const auto cellOf = [&](std::uint32_t vertex) {
        return inPicture(view_.camera.toCamera(glm::dvec3(mesh.vertices[vertex]))) *
               (double{kSide} / kInputSide);
    };
    areas_.assign(mesh.faces.size(), 0);
    for (std::size_t face = 0; face < areas_.size(); ++face) {
        const glm::u32vec3 corner = mesh.faces[face];
        if (!positions[corner.x] || !positions[corner.y] || !positions[corner.z]) continue;
        const float area =
            triangleArea(*positions[corner.x], *positions[corner.y], *positions[corner.z]);
        const float renderedArea =
            triangleArea(cellOf(corner.x), cellOf(corner.y), cellOf(corner.z));
        const auto pixels = static_cast<float>(visiblePixels[face]);
        // A face too small for a pixel of its own counts as visible if the faces around it are: two
        // corners suffice, since at the border of an open mesh the third corner of a face may
        // belong to no other face.
        const bool neighboursVisible =
            renderedArea < kSmall &&
            isVisible[corner.x] + isVisible[corner.y] + isVisible[corner.z] >= 2;
        // The area changes evenly from face to face, the number of pixels does not.
        if (neighboursVisible || (pixels > 0 && 2 * pixels >= renderedArea))
            areas_[face] = area;
        else if (pixels > 0)
            areas_[face] = area * pixels / renderedArea;
    }
}

}  // namespace threefold::texturing
