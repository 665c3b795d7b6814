#include "engine/texturing/bake_texture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/raster/rasterize.h"
#include "engine/texturing/atlas.h"
#include "engine/texturing/levelling.h"

namespace threefold {
namespace {

using namespace texturing;

constexpr std::size_t kBand = 256;  // rows that are drawn at once

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"texture", "", std::move(problem), std::move(remedy)});
}

void putPixel(std::uint8_t* pixel, glm::vec3 colour) {
    for (int i = 0; i < 3; ++i)
        pixel[i] = static_cast<std::uint8_t>(std::lround(std::clamp(colour[i], 0.0F, 255.0F)));
    pixel[3] = 255;
}

class Baking {
  public:
    Baking(const Mesh& mesh, std::span<const TextureView> views, const TextureOptions& options)
        : mesh_(mesh), options_(options), side_(static_cast<std::size_t>(options.side)) {
        if (options_.threads <= 0) options_.threads = omp_get_max_threads();
        for (const TextureView& view : views) seen_.emplace_back(mesh, view, options.cancel);
        viewOfFace_ = chooseViews(mesh, seen_);
        const bool any = std::ranges::any_of(seen_, [](const SeenMesh& view) {
            return std::ranges::any_of(view.areas(), [](float area) { return area > 0; });
        });
        if (!any) refuse("no photograph shows the mesh", "Check the cameras and the masks.");
        if (options.evenExposure) {
            exposures_ = evenExposures(mesh, seen_, options_.threads, options.cancel);
            for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i].setExposure(exposures_[i]);
        }
        levelling_.emplace(mesh, seen_, viewOfFace_, options.level, options.cancel);
        findShares();
        findCornerColours();
    }

    BakedTexture bake() {
        BakedTexture made;
        const Atlas atlas = layOut(mesh_, seen_, viewOfFace_, options_.side);
        made.charts = atlas.charts;
        made.exposures = exposures_;
        made.seamBefore = levelling_->seamBefore();
        made.seamAfter = levelling_->seamAfter();
        made.picture = {options_.side, options_.side, std::vector<std::uint8_t>(4 * side_ * side_)};
        made.seen = made.picture;
        paint(atlas, made);
        pad(made.picture);
        fillRest(made.picture);
        for (std::size_t i = 0; i < side_ * side_; ++i)
            std::copy_n(&made.picture.rgba[4 * i], 3, &made.seen.rgba[4 * i]);
        for (const glm::vec2 place : atlas.places)
            made.coordinates.emplace_back(place.x / static_cast<float>(side_),
                                          1 - place.y / static_cast<float>(side_));
        return made;
    }

  private:
    // Of each view at each vertex how well it shows the faces there, 0 to 1 for the best.
    void findShares() {
        const std::size_t count = mesh_.vertices.size();
        std::vector<float> largest(mesh_.faces.size());
        for (const SeenMesh& view : seen_)
            for (std::size_t face = 0; face < largest.size(); ++face)
                largest[face] = std::max(largest[face], view.areas()[face]);
        for (const SeenMesh& view : seen_) {
            std::vector<float>& shares = shares_.emplace_back(count);
            std::vector<float> faces(count);
            for (std::size_t face = 0; face < largest.size(); ++face) {
                if (largest[face] == 0) continue;
                for (int i = 0; i < 3; ++i) {
                    shares[mesh_.faces[face][i]] += view.areas()[face] / largest[face];
                    ++faces[mesh_.faces[face][i]];
                }
            }
            for (std::size_t i = 0; i < count; ++i)
                if (faces[i] > 0) shares[i] /= faces[i];
        }
    }

    // In a photograph's colours, as they vary smoothly over the surface.
    float weightOf(std::size_t face, glm::vec3 weights, std::uint32_t view) const {
        constexpr float kLeast = 0.2F;  // from here on a view counts
        float share = 0;
        for (int i = 0; i < 3; ++i) share += weights[i] * shares_[view][mesh_.faces[face][i]];
        const float above = std::max(0.0F, share - kLeast);
        return above * above;
    }

    glm::vec3 added(std::size_t face, glm::vec3 weights, std::uint32_t view) const {
        glm::vec3 sum(0.0F);
        for (int i = 0; i < 3; ++i) sum += weights[i] * levelling_->at(mesh_.faces[face][i], view);
        return sum;
    }

    // The mean of the views that show the point best: of those that show it clearly, if any do.
    bool colourAt(std::size_t face, glm::vec3 weights, glm::vec3& colour) const {
        constexpr float kAny = 1e-6F;  // where none shows it well
        glm::dvec3 point(0.0);
        for (int i = 0; i < 3; ++i)
            point += double{weights[i]} * glm::dvec3(mesh_.vertices[mesh_.faces[face][i]]);
        glm::vec4 clear(0.0F);
        glm::vec4 doubtful(0.0F);
        for (std::uint32_t view = 0; view < seen_.size(); ++view) {
            float weight = weightOf(face, weights, view);
            if (weight == 0 && seen_[view].areas()[face] > 0) weight = kAny;
            if (weight == 0) continue;
            glm::vec3 shown(0.0F);
            const Sight sight = seen_[view].look(point, shown);
            if (sight == Sight::none) continue;
            (sight == Sight::clear ? clear : doubtful) +=
                weight * glm::vec4(shown + added(face, weights, view), 1.0F);
        }
        const glm::vec4& sum = clear.w > 0 ? clear : doubtful;
        if (sum.w > 0) colour = glm::vec3(sum) / sum.w;
        return sum.w > 0;
    }

    // At the vertices, for what no view shows: spread from those that are shown.
    void findCornerColours() {
        constexpr int kSmoothings = 200;
        const std::size_t count = mesh_.vertices.size();
        std::vector<glm::vec4> sums(count, glm::vec4(0.0F));
        for (std::size_t face = 0; face < mesh_.faces.size(); ++face) {
            for (int i = 0; i < 3; ++i) {
                glm::vec3 weights(0.05F);
                weights[i] = 0.9F;
                glm::vec3 colour(0.0F);
                if (colourAt(face, weights, colour))
                    sums[mesh_.faces[face][i]] += glm::vec4(colour, 1.0F);
            }
        }
        cornerColours_.assign(count, glm::vec3(0.0F));
        std::vector<bool> shown(count);
        std::vector<bool> known(count);
        glm::vec4 all(0.0F);
        for (std::size_t i = 0; i < count; ++i) {
            known[i] = shown[i] = sums[i].w > 0;
            if (!shown[i]) continue;
            cornerColours_[i] = glm::vec3(sums[i]) / sums[i].w;
            all += sums[i];
        }
        // Parts that are not joined to anything that is seen.
        for (std::size_t i = 0; i < count; ++i)
            if (!shown[i]) cornerColours_[i] = glm::vec3(all) / all.w;
        bool growing = false;
        for (int round = 0; round < kSmoothings || growing; ++round) {
            std::ranges::fill(sums, glm::vec4(0.0F));
            for (const glm::u32vec3& face : mesh_.faces)
                for (int i = 0; i < 3; ++i)
                    for (int j = 1; j < 3; ++j)
                        if (!shown[face[i]] && known[face[(i + j) % 3]])
                            sums[face[i]] += glm::vec4(cornerColours_[face[(i + j) % 3]], 1.0F);
            growing = false;
            for (std::size_t i = 0; i < count; ++i) {
                if (sums[i].w == 0) continue;
                growing = growing || !known[i];
                known[i] = true;
                cornerColours_[i] = glm::vec3(sums[i]) / sums[i].w;
            }
            if (options_.cancel.stop_requested()) throw Cancelled();
        }
    }

    void paint(const Atlas& atlas, BakedTexture& made) const {
        Faces own(mesh_.faces.size());
        for (std::uint32_t i = 0; i < own.size(); ++i) own[i] = {3 * i, 3 * i + 1, 3 * i + 2};
        RasterOptions drawing;
        drawing.width = static_cast<std::uint32_t>(side_);
        drawing.height = kBand;
        drawing.threads = options_.threads;
        drawing.cancel = options_.cancel;
        std::vector<glm::vec4> clip(atlas.places.size());
        std::vector<RasterImage> drawn(1);
        std::size_t texels = 0;
        std::size_t shown = 0;
        for (std::size_t top = 0; top < side_; top += kBand) {
            for (std::size_t i = 0; i < clip.size(); ++i)
                clip[i] = {2 * atlas.places[i].x / static_cast<float>(side_) - 1,
                           2 * (atlas.places[i].y - static_cast<float>(top)) / kBand - 1, 0, 1};
            const std::span<const glm::vec4> spans[] = {clip};
            rasterize(spans, own, drawing, drawn);
            std::vector<std::pair<std::size_t, std::size_t>> counts(kBand);
            parallelFor(options_.threads, kBand, options_.cancel,
                        [&](std::size_t row, std::size_t) {
                            for (std::size_t x = 0; x < side_; ++x) {
                                const std::size_t face = drawn[0].face[row * side_ + x];
                                if (face == 0) continue;
                                const glm::vec3 weights = drawn[0].barycentric[row * side_ + x];
                                const std::size_t at = 4 * ((top + row) * side_ + x);
                                glm::vec3 colour(0.0F);
                                const bool isShown = colourAt(face - 1, weights, colour);
                                if (!isShown) colour = filled(face - 1, weights);
                                putPixel(&made.picture.rgba[at], colour);
                                made.seen.rgba[at + 3] = isShown ? 255 : 0;
                                ++counts[row].first;
                                counts[row].second += isShown ? 1 : 0;
                            }
                        });
            for (const auto& [all, some] : counts) {
                texels += all;
                shown += some;
            }
        }
        made.seenShare = texels > 0 ? static_cast<double>(shown) / static_cast<double>(texels) : 0;
    }

    glm::vec3 filled(std::size_t face, glm::vec3 weights) const {
        glm::vec3 sum(0.0F);
        for (int i = 0; i < 3; ++i) sum += weights[i] * cornerColours_[mesh_.faces[face][i]];
        return sum;
    }

    // Texels beside painted ones become their mean, ring by ring.
    void pad(Image& picture) const {
        std::vector<std::pair<std::size_t, glm::vec3>> ring;
        for (int step = 0; step < kPadding; ++step) {
            ring.clear();
            for (std::size_t at = 0; at < side_ * side_; ++at) {
                if (picture.rgba[4 * at + 3] != 0) continue;
                const std::size_t x = at % side_;
                const std::size_t y = at / side_;
                glm::vec4 sum(0.0F);
                for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, side_ - 1); ++v) {
                    for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, side_ - 1); ++u) {
                        const std::uint8_t* pixel = &picture.rgba[4 * (v * side_ + u)];
                        if (pixel[3] != 0) sum += glm::vec4(pixel[0], pixel[1], pixel[2], 1);
                    }
                }
                if (sum.w > 0) ring.emplace_back(at, glm::vec3(sum) / sum.w);
            }
            for (const auto& [at, colour] : ring) putPixel(&picture.rgba[4 * at], colour);
        }
    }

    // The mean of all, so that small mip levels do not darken.
    void fillRest(Image& picture) const {
        glm::dvec4 sum(0.0);
        for (std::size_t at = 0; at < side_ * side_; ++at) {
            const std::uint8_t* pixel = &picture.rgba[4 * at];
            if (pixel[3] != 0) sum += glm::dvec4(pixel[0], pixel[1], pixel[2], 1);
        }
        const glm::vec3 mean = sum.w > 0 ? glm::vec3(glm::dvec3(sum) / sum.w) : glm::vec3(128.0F);
        for (std::size_t at = 0; at < side_ * side_; ++at)
            if (picture.rgba[4 * at + 3] == 0) putPixel(&picture.rgba[4 * at], mean);
    }

    const Mesh& mesh_;
    TextureOptions options_;
    const std::size_t side_;
    std::vector<SeenMesh> seen_;
    std::vector<Exposure> exposures_;
    std::vector<std::uint32_t> viewOfFace_;
    std::optional<Levelling> levelling_;
    std::vector<std::vector<float>> shares_;
    std::vector<glm::vec3> cornerColours_;
};

}  // namespace

BakedTexture bakeTexture(const Mesh& mesh, std::span<const TextureView> views,
                         const TextureOptions& options) {
    if (options.side < kFewestTexels || options.side > kMostTexels)
        refuse(fmt::format("{} pixels on a side", options.side),
               fmt::format("Choose {} to {}.", kFewestTexels, kMostTexels));
    if (mesh.faces.empty())
        refuse("the mesh has no faces", "Choose a mesh with faces, not points.");
    if (views.empty()) refuse("there is no photograph", "Choose a sample with photographs.");
    return Baking(mesh, views, options).bake();
}

}  // namespace threefold
