#include "engine/texturing/texture_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/raster/rasterize.h"

namespace threefold {
namespace texturing {
namespace {

constexpr int kSide = 512;  // of the depth image, which fills the camera's picture
constexpr float kInfinite = std::numeric_limits<float>::infinity();

// In object units: what a step of the depth image's grid may hide, and what certainly occludes.
constexpr float kSlack = 0.003F;
constexpr float kOccluding = 0.03F;

// The least (or by `order` the greatest) around each pixel, up to `reach` away.
template <class Order>
std::vector<float> extremes(std::vector<float> values, int reach, Order order) {
    const auto pass = [&](std::size_t along, std::size_t across) {
        std::vector<float> line(kSide);
        for (std::size_t row = 0; row < kSide; ++row) {
            for (int i = 0; i < kSide; ++i)
                line[static_cast<std::size_t>(i)] =
                    values[row * across + static_cast<std::size_t>(i) * along];
            for (int i = 0; i < kSide; ++i) {
                const auto* first = line.data() + std::max(0, i - reach);
                const auto* last = line.data() + std::min(kSide, i + reach + 1);
                values[row * across + static_cast<std::size_t>(i) * along] =
                    *std::min_element(first, last, order);
            }
        }
    };
    pass(1, kSide);
    pass(kSide, 1);
    return values;
}

// Whether pixels are the object's, and whether those around them are as well.
std::vector<std::uint8_t> insideOf(const TextureView& view) {
    const int width = view.photograph->width;
    const int height = view.photograph->height;
    const auto at = [width](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    };
    std::vector<std::uint8_t> inside(at(0, height), 2);
    if (!view.mask) return inside;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            bool all = true;
            for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u)
                    all = all && view.mask->inside[at(u, v)] != 0;
            inside[at(x, y)] = all ? 2 : view.mask->inside[at(x, y)];
        }
    }
    return inside;
}

}  // namespace

SeenMesh::SeenMesh(const Mesh& mesh, const TextureView& view, const std::stop_token& cancel)
    : view_(view), inside_(insideOf(view)) {
    const std::vector<glm::vec4> clip = toClipSpace(mesh.vertices, Camera{}, view.camera);
    RasterOptions options;
    options.width = options.height = kSide;
    options.wantBarycentric = false;
    options.wantDepth = true;
    options.nearDepth = -1;
    options.cancel = cancel;
    const std::span<const glm::vec4> spans[] = {clip};
    RasterImage drawn = std::move(rasterize(spans, mesh.faces, options).front());
    // The nearest plane of toClipSpace() over z/w, so that this is the distance.
    std::vector<float> distance(drawn.depth.size());
    std::ranges::transform(drawn.depth, distance.begin(), [](float depth) {
        return std::isinf(depth) ? kInfinite : -1e-3F / depth;
    });
    nearest_ = extremes(distance, 2, std::less{});
    std::ranges::replace(distance, kInfinite, 0.0F);
    farthest_ = extremes(std::move(distance), 1, std::greater{});
    measureAreas(mesh, drawn.face);
}

glm::dvec2 SeenMesh::inPicture(glm::dvec3 inView) const {
    inView.x *= view_.camera.zoom;
    inView.y *= view_.camera.zoom;
    return projectToPixel(inView);
}

std::optional<glm::dvec2> SeenMesh::placeOf(glm::dvec3 inView) const {
    constexpr double kNear = 1e-3;
    if (-inView.z < kNear) return std::nullopt;
    const glm::dvec2 size(view_.photograph->width, view_.photograph->height);
    const glm::dvec2 pixel = inPicture(inView);
    if (!view_.toPhotograph) return pixel / double{kImageSize} * size;
    auto share = view_.toPhotograph(pixel);
    if (share) *share *= size;
    return share;
}

std::optional<glm::dvec2> SeenMesh::place(glm::dvec3 point) const {
    return placeOf(view_.camera.toView(point));
}

double SeenMesh::pixels() const {
    const Camera& camera = view_.camera;
    const glm::dvec3 middle(0, 0, camera.toView(glm::dvec3(0)).z);
    constexpr double kStep = 0.05;
    const auto a = placeOf(middle);
    const auto b = placeOf(middle + glm::dvec3(kStep, 0, 0));
    return a && b ? glm::length(*b - *a) / kStep : view_.photograph->width;
}

// Bilinear between pixels of the object alone.
Sight SeenMesh::colourAt(glm::dvec2 place, glm::vec3& colour) const {
    const Image& image = *view_.photograph;
    if (!(place.x >= 0 && place.y >= 0 && place.x <= image.width && place.y <= image.height))
        return Sight::none;
    const double x = std::clamp(place.x - 0.5, 0.0, image.width - 1.0);
    const double y = std::clamp(place.y - 0.5, 0.0, image.height - 1.0);
    const auto left = static_cast<int>(x);
    const auto top = static_cast<int>(y);
    const auto u = static_cast<float>(x - left);
    const auto v = static_cast<float>(y - top);
    glm::vec3 sum(0.0F);
    float known = 0;
    int least = 2;
    for (int corner = 0; corner < 4; ++corner) {
        const bool right = corner % 2 != 0;
        const bool low = corner > 1;
        const float weight = (right ? u : 1 - u) * (low ? v : 1 - v);
        if (weight <= 0) continue;
        const std::size_t at =
            static_cast<std::size_t>(top + low) * static_cast<std::size_t>(image.width) +
            static_cast<std::size_t>(left + right);
        least = std::min<int>(least, inside_[at]);
        if (inside_[at] == 0) continue;
        const std::uint8_t* rgba = &image.rgba[4 * at];
        sum += weight * glm::vec3(rgba[0], rgba[1], rgba[2]);
        known += weight;
    }
    if (known < 0.5F) return Sight::none;
    colour = exposure_(sum / known);
    return least == 2 ? Sight::clear : Sight::doubtful;
}

Sight SeenMesh::look(glm::dvec3 point, glm::vec3& colour) const {
    const glm::dvec3 inView = view_.camera.toView(point);
    const auto place = placeOf(inView);
    if (!place) return Sight::none;
    const glm::dvec2 cell = inPicture(inView) * (double{kSide} / kImageSize);
    bool beside = false;
    if (cell.x >= 0 && cell.y >= 0 && cell.x < kSide && cell.y < kSide) {
        const auto at = static_cast<std::size_t>(cell.y) * kSide + static_cast<std::size_t>(cell.x);
        const auto away = static_cast<float>(-inView.z);
        if (farthest_[at] > 0 && away > farthest_[at] + kSlack) return Sight::none;
        beside = away > nearest_[at] + kOccluding;
    }
    const Sight sight = colourAt(*place, colour);
    return beside ? std::min(sight, Sight::doubtful) : sight;
}

void SeenMesh::measureAreas(const Mesh& mesh, const std::vector<std::uint32_t>& faces) {
    constexpr float kSmall = 4;  // pixels of the depth image
    std::vector<std::uint32_t> seen(mesh.faces.size());
    const Image& photograph = *view_.photograph;
    for (std::size_t pixel = 0; pixel < faces.size(); ++pixel) {
        if (faces[pixel] == 0) continue;
        const std::size_t row = pixel / kSide;
        const glm::dvec2 at((static_cast<double>(pixel % kSide) + 0.5) / kSide,
                            (static_cast<double>(row) + 0.5) / kSide);
        auto share = view_.toPhotograph ? view_.toPhotograph(at * double{kImageSize})
                                        : std::optional<glm::dvec2>(at);
        if (!share || !(share->x >= 0 && share->y >= 0 && share->x < 1 && share->y < 1)) continue;
        const auto x = static_cast<std::size_t>(share->x * photograph.width);
        const auto y = static_cast<std::size_t>(share->y * photograph.height);
        if (inside_[y * static_cast<std::size_t>(photograph.width) + x] != 0)
            ++seen[faces[pixel] - 1];
    }
    std::vector<std::optional<glm::dvec2>> places(mesh.vertices.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = place(glm::dvec3(mesh.vertices[i]));
    std::vector<bool> known(mesh.vertices.size());
    for (std::size_t face = 0; face < seen.size(); ++face)
        for (int i = 0; seen[face] > 0 && i < 3; ++i) known[mesh.faces[face][i]] = true;
    areas_.assign(mesh.faces.size(), 0);
    for (std::size_t face = 0; face < areas_.size(); ++face) {
        const glm::u32vec3 corner = mesh.faces[face];
        if (!places[corner.x] || !places[corner.y] || !places[corner.z]) continue;
        const glm::dvec2 a = *places[corner.y] - *places[corner.x];
        const glm::dvec2 b = *places[corner.z] - *places[corner.x];
        const auto area = static_cast<float>(std::abs(a.x * b.y - a.y * b.x) / 2);
        std::array<glm::dvec2, 3> cells;
        for (int i = 0; i < 3; ++i)
            cells[static_cast<std::size_t>(i)] =
                inPicture(view_.camera.toView(glm::dvec3(mesh.vertices[corner[i]]))) *
                (double{kSide} / kImageSize);
        const glm::dvec2 c = cells[1] - cells[0];
        const glm::dvec2 d = cells[2] - cells[0];
        const auto drawn = static_cast<float>(std::abs(c.x * d.y - c.y * d.x) / 2);
        const auto pixels = static_cast<float>(seen[face]);
        // A face too small for a pixel of its own is seen where the faces around it are. All but
        // one: of a face in a corner of an open mesh, no other face has the third.
        const bool around =
            drawn < kSmall && known[corner.x] + known[corner.y] + known[corner.z] >= 2;
        // The area changes evenly from face to face, the number of pixels does not.
        if (around || (pixels > 0 && 2 * pixels >= drawn))
            areas_[face] = area;
        else if (pixels > 0)
            areas_[face] = area * pixels / drawn;
    }
}

}  // namespace texturing

TextureView textureView(const Sample& sample, int view, std::shared_ptr<const Image> photograph) {
    const auto index = static_cast<std::size_t>(view);
    TextureView made;
    made.camera = Camera::fromRow(sample.cameraRows.at(index));
    made.mask = foregroundOf(*photograph);
    made.photograph = std::move(photograph);
    made.toPhotograph =
        sample.photos ? toPhotograph(sample.photos->views.at(index), sample.photos->frame.world)
                      : toPhotograph(sample.cameraRows[index], *made.photograph);
    return made;
}

std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel) {
    std::vector<TextureView> made;
    for (const int view : views) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            made.push_back(textureView(
                sample, view, std::make_shared<const Image>(readViewPhotograph(sample, view))));
        } catch (const Error& error) {
            notes.push_back(fmt::format("texture: without view {}: {}", view, error.what()));
        }
    }
    return made;
}

}  // namespace threefold
