#include "engine/texturing/bake_texture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/raster/rasterize.h"
#include "engine/texturing/atlas.h"
#include "engine/texturing/mesh_visibility.h"
#include "engine/texturing/seam_levelling.h"
#include "engine/texturing/texture_padding.h"

namespace threefold {
namespace {

using namespace texturing;

constexpr std::size_t kBand = 256;  // rows that are rasterised at once

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"texture", "", std::move(problem), std::move(remedy)});
}

/// Bakes the texture of one mesh.
class TextureBaker {
  public:
    TextureBaker(const Mesh& mesh, std::span<const TextureView> views,
                 const TextureOptions& options)
        : mesh_(mesh),
          options_(options),
          threads_(resolveThreadCount(options.threads)),
          side_(static_cast<std::size_t>(options.side)) {
        for (const TextureView& view : views) views_.emplace_back(mesh, view, options.cancel);
        viewOfFace_ = chooseViews(mesh, views_);
        const bool any = std::ranges::any_of(views_, [](const MeshVisibility& view) {
            return std::ranges::any_of(view.areas(), [](float area) { return area > 0; });
        });
        if (!any) refuse("no photograph shows the mesh", "Check the cameras and the masks.");
        if (options.equalisesExposure)
            exposures_ = estimateExposures(mesh, views_, threads_, options.cancel);
        const Seams seams = findSeams({mesh, views_, exposures_, viewOfFace_});
        seamDifferenceBefore_ = seamDifferenceAfter_ = meanDifference(seams);
        if (options.levelsSeams) {
            seamCorrections_ = levelled(seams, options.cancel);
            seamDifferenceAfter_ = meanDifference(seams, *seamCorrections_);
        }
        findQuality();
        findVertexColours();
    }

    BakedTexture bake() {
        BakedTexture texture;
        const Atlas atlas = packCharts(mesh_, views_, viewOfFace_, options_.side);
        texture.exposures = exposures_;
        texture.meanSeamDifferenceBefore = seamDifferenceBefore_;
        texture.meanSeamDifferenceAfter = seamDifferenceAfter_;
        texture.picture = {options_.side, options_.side,
                           std::vector<std::uint8_t>(4 * side_ * side_)};
        texture.observedPicture = texture.picture;
        paint(atlas, texture);
        padTexture(texture.picture);
        for (std::size_t i = 0; i < side_ * side_; ++i)
            std::copy_n(&texture.picture.rgba[4 * i], 3, &texture.observedPicture.rgba[4 * i]);
        for (const glm::vec2 corner : atlas.cornerPositions)
            texture.textureCoordinates.emplace_back(corner.x / static_cast<float>(side_),
                                                    1 - corner.y / static_cast<float>(side_));
        return texture;
    }

  private:
    /// Quality of each view at each vertex: mean area of the faces there, relative to the view that
    /// shows them largest, 0 to 1.
    void findQuality() {
        const std::size_t count = mesh_.vertices.size();
        std::vector<float> largest(mesh_.faces.size());
        for (const MeshVisibility& view : views_)
            for (std::size_t face = 0; face < largest.size(); ++face)
                largest[face] = std::max(largest[face], view.areas()[face]);
        for (const MeshVisibility& view : views_) {
            std::vector<float>& quality = quality_.emplace_back(count);
            std::vector<float> counts(count);
            for (std::size_t face = 0; face < largest.size(); ++face) {
                if (largest[face] == 0) continue;
                for (int i = 0; i < 3; ++i) {
                    quality[mesh_.faces[face][i]] += view.areas()[face] / largest[face];
                    ++counts[mesh_.faces[face][i]];
                }
            }
            for (std::size_t i = 0; i < count; ++i)
                if (counts[i] > 0) quality[i] /= counts[i];
        }
    }

    /// Weight of a view at a point of a face: varies smoothly over the surface.
    float weightOf(std::size_t face, glm::vec3 barycentric, std::uint32_t view) const {
        constexpr float kMinQuality = 0.2F;  // minimum quality of a view that counts
        float quality = 0;
        for (int i = 0; i < 3; ++i)
            quality += barycentric[i] * quality_[view][mesh_.faces[face][i]];
        const float above = std::max(0.0F, quality - kMinQuality);
        return above * above;
    }

    glm::vec3 correction(std::size_t face, glm::vec3 barycentric, std::uint32_t view) const {
        glm::vec3 sum(0.0F);
        if (!seamCorrections_) return sum;
        for (int i = 0; i < 3; ++i)
            sum += barycentric[i] * seamCorrections_->at(mesh_.faces[face][i], view);
        return sum;
    }

    /// Mean colour of the views that show the point best, only of those that show it clearly, if
    /// there are any. False if no view shows it.
    bool colourAt(std::size_t face, glm::vec3 barycentric, glm::vec3& colour) const {
        constexpr float kMinWeight = 1e-6F;  // weight of a view below the minimum quality
        glm::dvec3 point(0.0);
        for (int i = 0; i < 3; ++i)
            point += double{barycentric[i]} * glm::dvec3(mesh_.vertices[mesh_.faces[face][i]]);
        glm::vec4 visible(0.0F);
        glm::vec4 uncertain(0.0F);
        for (std::uint32_t view = 0; view < views_.size(); ++view) {
            float weight = weightOf(face, barycentric, view);
            if (weight == 0 && views_[view].areas()[face] > 0) weight = kMinWeight;
            if (weight == 0) continue;
            glm::vec3 colourInView(0.0F);
            const Visibility visibility = views_[view].sampleColour(point, colourInView);
            if (visibility == Visibility::hidden) continue;
            (visibility == Visibility::visible ? visible : uncertain) +=
                weight * glm::vec4(corrected(exposures_, view, colourInView) +
                                       correction(face, barycentric, view),
                                   1.0F);
        }
        const glm::vec4& sum = visible.w > 0 ? visible : uncertain;
        if (sum.w > 0) colour = glm::vec3(sum) / sum.w;
        return sum.w > 0;
    }

    /// Finds vertex colours for surfaces that no view shows: spread from the visible vertices.
    void findVertexColours() {
        const std::vector<glm::vec4> sums = visibleColourSums();
        const std::size_t count = sums.size();
        vertexColours_.assign(count, glm::vec3(0.0F));
        std::vector<bool> shown(count);
        glm::vec4 total(0.0F);
        for (std::size_t i = 0; i < count; ++i) {
            shown[i] = sums[i].w > 0;
            if (!shown[i]) continue;
            vertexColours_[i] = glm::vec3(sums[i]) / sums[i].w;
            total += sums[i];
        }
        // Initial colour, kept by parts that are not connected to a visible vertex.
        const glm::vec3 kGrey(128.0F);  // if no photograph shows a vertex, though one shows a face
        for (std::size_t i = 0; i < count; ++i)
            if (!shown[i]) vertexColours_[i] = total.w > 0 ? glm::vec3(total) / total.w : kGrey;
        spreadVertexColours(shown);
    }

    /// For each vertex: sum and number of the colours that views show beside it, one for each face.
    std::vector<glm::vec4> visibleColourSums() const {
        constexpr std::size_t kFacesPerBlock = 1024;
        const std::size_t faces = mesh_.faces.size();
        std::vector<glm::vec4> cornerColours(3 * faces, glm::vec4(0.0F));
        parallelFor(threads_, (faces + kFacesPerBlock - 1) / kFacesPerBlock, options_.cancel,
                    [&](std::size_t block, std::size_t /*thread*/) {
                        const std::size_t end = std::min(faces, (block + 1) * kFacesPerBlock);
                        for (std::size_t face = block * kFacesPerBlock; face < end; ++face)
                            for (int i = 0; i < 3; ++i) {
                                glm::vec3 barycentric(0.05F);
                                barycentric[i] = 0.9F;
                                glm::vec3 colour(0.0F);
                                if (colourAt(face, barycentric, colour))
                                    cornerColours[3 * face + static_cast<std::size_t>(i)] =
                                        glm::vec4(colour, 1.0F);
                            }
                    });
        std::vector<glm::vec4> sums(mesh_.vertices.size(), glm::vec4(0.0F));
        for (std::size_t face = 0; face < faces; ++face)
            for (int i = 0; i < 3; ++i)
                sums[mesh_.faces[face][i]] += cornerColours[3 * face + static_cast<std::size_t>(i)];
        return sums;
    }

    /// Spreads colours from shown vertices to their neighbours, ring by ring: each other vertex
    /// takes the mean colour of its neighbours, until all connected ones have a colour, and for at
    /// least kSmoothings rounds.
    void spreadVertexColours(const std::vector<bool>& shown) {
        constexpr int kSmoothings = 200;
        std::vector<bool> known = shown;
        std::vector<glm::vec4> sums(shown.size());
        bool growing = false;
        for (int round = 0; round < kSmoothings || growing; ++round) {
            std::ranges::fill(sums, glm::vec4(0.0F));
            for (const glm::u32vec3& face : mesh_.faces)
                for (int i = 0; i < 3; ++i)
                    for (int j = 1; j < 3; ++j)
                        if (!shown[face[i]] && known[face[(i + j) % 3]])
                            sums[face[i]] += glm::vec4(vertexColours_[face[(i + j) % 3]], 1.0F);
            growing = false;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                if (sums[i].w == 0) continue;
                growing = growing || !known[i];
                known[i] = true;
                vertexColours_[i] = glm::vec3(sums[i]) / sums[i].w;
            }
            if (options_.cancel.stop_requested()) throw Cancelled();
        }
    }

    void paint(const Atlas& atlas, BakedTexture& texture) const {
        Faces unindexed(mesh_.faces.size());
        for (std::uint32_t i = 0; i < unindexed.size(); ++i)
            unindexed[i] = {3 * i, 3 * i + 1, 3 * i + 2};
        RasterOptions options;
        options.width = static_cast<std::uint32_t>(side_);
        options.height = kBand;
        options.threads = threads_;
        options.cancel = options_.cancel;
        std::vector<glm::vec4> clip(atlas.cornerPositions.size());
        std::vector<RasterImage> image(1);
        std::size_t texels = 0;
        std::size_t shown = 0;
        for (std::size_t top = 0; top < side_; top += kBand) {
            for (std::size_t i = 0; i < clip.size(); ++i)
                clip[i] = {2 * atlas.cornerPositions[i].x / static_cast<float>(side_) - 1,
                           2 * (atlas.cornerPositions[i].y - static_cast<float>(top)) / kBand - 1,
                           0, 1};
            const std::span<const glm::vec4> spans[] = {clip};
            rasterize(spans, unindexed, options, image);
            std::vector<std::pair<std::size_t, std::size_t>> counts(kBand);
            parallelFor(threads_, kBand, options_.cancel, [&](std::size_t row, std::size_t) {
                for (std::size_t x = 0; x < side_; ++x) {
                    const std::size_t face = image[0].facePlusOne[row * side_ + x];
                    if (face == 0) continue;
                    const glm::vec3 barycentric = image[0].barycentric[row * side_ + x];
                    const std::size_t offset = 4 * ((top + row) * side_ + x);
                    glm::vec3 colour(0.0F);
                    const bool isShown = colourAt(face - 1, barycentric, colour);
                    if (!isShown) colour = filled(face - 1, barycentric);
                    putPixel(&texture.picture.rgba[offset], colour);
                    texture.observedPicture.rgba[offset + 3] = isShown ? 255 : 0;
                    ++counts[row].first;
                    counts[row].second += isShown ? 1 : 0;
                }
            });
            for (const auto& [covered, visible] : counts) {
                texels += covered;
                shown += visible;
            }
        }
        texture.visibleFraction =
            texels > 0 ? static_cast<double>(shown) / static_cast<double>(texels) : 0;
    }

    glm::vec3 filled(std::size_t face, glm::vec3 barycentric) const {
        glm::vec3 sum(0.0F);
        for (int i = 0; i < 3; ++i) sum += barycentric[i] * vertexColours_[mesh_.faces[face][i]];
        return sum;
    }

    const Mesh& mesh_;
    const TextureOptions& options_;
    const int threads_;
    const std::size_t side_;
    std::vector<MeshVisibility> views_;
    std::vector<ExposureCorrection> exposures_;  ///< of each view; empty: colours stay as they are
    std::vector<std::uint32_t> viewOfFace_;
    double seamDifferenceBefore_ = 0;  // mean, 0…255
    double seamDifferenceAfter_ = 0;
    std::optional<SeamCorrections> seamCorrections_;  // nullopt: seams are not levelled
    std::vector<std::vector<float>> quality_;
    std::vector<glm::vec3> vertexColours_;
};

}  // namespace

BakedTexture bakeTexture(const Mesh& mesh, std::span<const TextureView> views,
                         const TextureOptions& options) {
    if (options.side < kMinTextureSide || options.side > kMaxTextureSide)
        refuse(fmt::format("{} pixels on a side", options.side),
               fmt::format("Choose {} to {}.", kMinTextureSide, kMaxTextureSide));
    if (mesh.faces.empty())
        refuse("the mesh has no faces", "Choose a mesh with faces, not points.");
    if (views.empty()) refuse("there is no photograph", "Choose a sample with photographs.");
    return TextureBaker(mesh, views, options).bake();
}

}  // namespace threefold
