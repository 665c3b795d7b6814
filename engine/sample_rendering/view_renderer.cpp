#include "engine/sample_rendering/view_renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/error.h"
#include "engine/sample_rendering/view_plan.h"

namespace threefold {
namespace {

// Lighting of the bundled samples, in sRGB-encoded values: ambient, from the light, from the eye.
constexpr float kAmbient = 0.35F;
constexpr float kFromLight = 0.45F;
constexpr float kFromEye = 0.3F;
constexpr float kGloss = 0.12F;

constexpr int kPoints = kSupersampling * kSupersampling;
/// A smaller visible share of the background counts as 0: an eighth of an 8-bit step, at 16 points.
constexpr float kNothing = 1.0F / 2048;

std::uint8_t toByte(float share) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * 255.0F));
}

/// `sum`: of colours times the shares they hide, over a pixel's points; `hidden`: of these shares.
void setPixel(const glm::vec3& sum, float hidden, std::uint8_t* rgba) {
    const std::uint8_t alpha = toByte(hidden / kPoints);
    if (alpha == 0) return;
    for (int channel = 0; channel < 3; ++channel) rgba[channel] = toByte(sum[channel] / hidden);
    rgba[3] = alpha;
}

std::vector<std::uint32_t> facesThatShowThrough(const PreparedMesh& prepared,
                                                const SurfaceColour& look) {
    std::vector<std::uint32_t> faces;
    for (std::uint32_t face = 0; face < prepared.mesh.faces.size(); ++face)
        if (look.showsThrough(face)) faces.push_back(face);
    return faces;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Side, in points, of the squares that are tested together when faces are left out.
constexpr std::size_t kSquare = 16;

}  // namespace

glm::vec3 lightOf(std::uint64_t seed, std::string_view item) {
    RandomNumbers random(~seed, item);
    const double turn = random.between(0, 2 * 3.14159265358979);
    const double height = random.between(0.35, 0.9);
    const double reach = std::sqrt(1 - height * height);
    return {reach * std::cos(turn), height, reach * std::sin(turn)};
}

ViewRenderer::ViewRenderer(const PreparedMesh& prepared, int size, glm::vec3 light, int threads,
                           RasterChoice choice)
    : prepared_(prepared),
      look_(prepared),
      size_(size),
      light_(light),
      threads_(threads),
      choice_(std::move(choice)),
      layers_(prepared.mesh.faces, facesThatShowThrough(prepared, look_)) {
    if (layers_.empty()) return;
    for (std::uint32_t face = 0; face < prepared.mesh.faces.size(); ++face) {
        if (look_.showsThrough(face)) continue;
        opaque_.push_back(face);
        opaqueFaces_.push_back(prepared.mesh.faces[face]);
    }
}

Image ViewRenderer::render(const Camera& camera, const std::stop_token& cancel) {
    eye_ = glm::vec3(camera.origin);
    corners_ = toClipSpace(prepared_.mesh.vertices, Camera{}, camera);
    face_.number = Face::kNone;
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(size_ * kSupersampling);
    options.threads = threads_;
    options.tier = choice_.tier;
    options.deviceRaster = choice_.deviceRaster;
    options.fallback = choice_.fallback;
    options.facesKey = prepared_.opaqueKey;
    options.cancel = cancel;
    Image image;
    image.width = image.height = size_;
    image.rgba.resize(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_) * 4);
    if (layers_.empty())
        drawOpaque(options, image);
    else
        drawLayers(options, image);
    return image;
}

void ViewRenderer::drawOpaque(const RasterOptions& options, Image& image) {
    const std::span<const glm::vec4> view(corners_);
    rasterize({&view, 1}, prepared_.mesh.faces, options, {&raster_, 1});
    const auto size = static_cast<std::size_t>(size_);
    const std::size_t stride = size * kSupersampling;
    for (std::size_t pixel = 0; pixel < size * size; ++pixel) {
        if (pixel % size == 0 && options.cancel.stop_requested()) throw Cancelled();
        const std::size_t corner =
            pixel / size * kSupersampling * stride + pixel % size * kSupersampling;
        glm::vec3 sum(0.0F);
        int covered = 0;
        for (std::size_t y = 0; y < kSupersampling; ++y)
            for (std::size_t x = 0; x < kSupersampling; ++x) {
                const std::size_t at = corner + y * stride + x;
                if (raster_.face[at] == 0) continue;
                sum += glm::vec3(colourAt(raster_.face[at] - 1, raster_.barycentric[at]));
                ++covered;
            }
        if (covered > 0) setPixel(sum, static_cast<float>(covered), &image.rgba[pixel * 4]);
    }
}

/// Draws opaque faces first, for their depths; then the transparent layers before them, front to
/// back; then the opaque colours seen through these. Only for meshes with transparent faces.
void ViewRenderer::drawLayers(RasterOptions options, Image& image) {
    const std::size_t points = std::size_t{options.width} * options.height;
    const std::span<const glm::vec4> view(corners_);
    options.wantDepth = true;
    if (opaqueIsEmpty()) {
        raster_.face.assign(points, 0);
        raster_.depth.assign(points, std::numeric_limits<float>::infinity());
    } else {
        rasterize({&view, 1}, opaqueFaces_, options, {&raster_, 1});
    }
    through_.assign(points, 1.0F);
    sums_.assign(image.rgba.size() / 4, glm::vec3(0.0F));
    const auto hide = [&](std::size_t point, std::uint32_t face, const glm::vec3& weights) {
        const glm::vec4 colour = colourAt(face, weights);
        float& through = through_[point];
        sums_[pixelOf(point)] += through * colour.w * glm::vec3(colour);
        through *= 1 - colour.w;
        if (through < kNothing) through = 0;
        return through > 0;
    };
    layers_.draw(view, options, raster_.depth, hide);

    std::vector<float> hidden(sums_.size());
    for (std::size_t point = 0; point < points; ++point) {
        if (raster_.face[point] != 0 && through_[point] > 0)
            hide(point, opaque_[raster_.face[point] - 1], raster_.barycentric[point]);
        hidden[pixelOf(point)] += 1 - through_[point];
    }
    for (std::size_t pixel = 0; pixel < sums_.size(); ++pixel)
        setPixel(sums_[pixel], hidden[pixel], &image.rgba[pixel * 4]);
}

std::size_t ViewRenderer::pixelOf(std::size_t point) const {
    const auto size = static_cast<std::size_t>(size_);
    const std::size_t stride = size * kSupersampling;
    return point / stride / kSupersampling * size + point % stride / kSupersampling;
}

glm::vec4 ViewRenderer::colourAt(std::uint32_t face, const glm::vec3& weights) {
    if (face_.number != face) prepare(face);
    const SurfaceColour::Kind& kind = *face_.kind;
    const glm::vec4 colour = kind.uniform ? kind.colour : look_.at(face, weights, face_.levels);
    if (colour.w == 0 || kind.unlit) return colour;
    return {lit(weights, glm::vec3(colour)), colour.w};
}

void ViewRenderer::prepare(std::uint32_t face) {
    face_.number = face;
    face_.kind = &look_.kindOf(face);
    const glm::u32vec3& corners = prepared_.mesh.faces[face];
    for (int k = 0; k < 3; ++k) face_.corner[k] = prepared_.mesh.vertices[corners[k]];
    face_.across = glm::cross(face_.corner[1] - face_.corner[0], face_.corner[2] - face_.corner[0]);
    if (!face_.kind->textured) return;
    face_.levels = {};
    const float half = static_cast<float>(size_ * kSupersampling) / 2;
    glm::vec2 places[3];
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners_[corners[k]];
        if (clip.w <= -clip.z) return;  // reaches behind the camera
        places[k] = glm::vec2(clip.x, clip.y) / clip.w * half;
    }
    face_.levels = look_.levelsOf(face, places);
}

glm::vec3 ViewRenderer::lit(const glm::vec3& weights, const glm::vec3& colour) const {
    const glm::vec3* corner = face_.corner;
    const glm::vec3 toEye =
        glm::normalize(eye_ - between(corner[0], corner[1], corner[2], weights));
    const glm::vec3* normals = &prepared_.normals[3 * std::size_t{face_.number}];
    glm::vec3 normal = glm::normalize(between(normals[0], normals[1], normals[2], weights));
    // Files wind their faces either way, so both sides are lit the same.
    if (glm::dot(face_.across, toEye) < 0) normal = -normal;

    // With this order of arguments, a NaN normal counts as unlit.
    const float lit = std::max(0.0F, glm::dot(normal, light_));
    const float seen = std::max(0.0F, glm::dot(normal, toEye));
    float gloss = std::max(0.0F, glm::dot(normal, glm::normalize(light_ + toEye)));
    for (int i = 0; i < 3; ++i) gloss *= gloss;
    return glm::min(colour * (kAmbient + kFromLight * lit + kFromEye * seen) + kGloss * gloss,
                    glm::vec3(1.0F));
}

TransparentLayers::TransparentLayers(const Faces& faces, std::vector<std::uint32_t> numbers)
    : all_(faces), numbers_(std::move(numbers)) {}

void TransparentLayers::draw(std::span<const glm::vec4> corners, RasterOptions options,
                             std::span<const float> ends, const Visit& visit) {
    listed_ = numbers_;
    faces_.clear();
    for (const std::uint32_t number : listed_) faces_.push_back(all_[number]);
    options.wantDepth = true;
    options.facesKey.reset();  // other faces in each layer
    options.occlusionTruncation = kSameSheet;
    prior_.assign(ends.size(), -kInfinity);
    squares_ = (options.width + kSquare - 1) / kSquare;
    for (int layer = 0; layer < kMostLayers && !faces_.empty(); ++layer) {
        if (layer > 0) options.depthPrior = prior_;
        rasterize({&corners, 1}, faces_, options, {&raster_, 1});
        open_.assign(squares_ * ((options.height + kSquare - 1) / kSquare), 0);
        if (!drawLayer(ends, visit)) break;
        keepNeeded(corners);
    }
}

bool TransparentLayers::drawLayer(std::span<const float> ends, const Visit& visit) {
    bool any = false;
    for (std::size_t point = 0; point < ends.size(); ++point) {
        const std::uint32_t face = raster_.face[point];
        const float depth = face == 0 ? kInfinity : raster_.depth[point];
        const bool more = face != 0 && depth <= ends[point] + kSameSheet &&
                          visit(point, listed_[face - 1], raster_.barycentric[point]);
        // Rounded up: the face itself must not be drawn again.
        prior_[point] = more ? std::nextafter(depth, kInfinity) : kInfinity;
        if (!more) continue;
        any = true;
        open_[point / raster_.width / kSquare * squares_ + point % raster_.width / kSquare] = 1;
    }
    return any;
}

void TransparentLayers::keepNeeded(std::span<const glm::vec4> corners) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        if (!isNeeded(faces_[i], corners)) continue;
        faces_[kept] = faces_[i];
        listed_[kept++] = listed_[i];
    }
    faces_.resize(kept);
    listed_.resize(kept);
}

bool TransparentLayers::isNeeded(const glm::u32vec3& face,
                                 std::span<const glm::vec4> corners) const {
    glm::vec2 least(kInfinity);
    glm::vec2 most(-kInfinity);
    const glm::vec2 half = glm::vec2(raster_.width, raster_.height) / 2.0F;
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners[face[k]];
        if (clip.w <= -clip.z) return true;  // reaches behind the camera
        const glm::vec2 place = (glm::vec2(clip.x, clip.y) / clip.w + 1.0F) * half;
        least = glm::min(least, place - 1.0F);
        most = glm::max(most, place + 1.0F);
    }
    const glm::vec2 last(raster_.width - 1, raster_.height - 1);
    if (most.x < 0 || most.y < 0 || least.x > last.x || least.y > last.y) return false;
    const glm::u32vec2 first(glm::max(least, glm::vec2(0.0F)) / float{kSquare});
    const glm::u32vec2 end(glm::min(most, last) / float{kSquare});
    for (std::size_t y = first.y; y <= end.y; ++y)
        for (std::size_t x = first.x; x <= end.x; ++x)
            if (open_[y * squares_ + x] != 0) return true;
    return false;
}

}  // namespace threefold
