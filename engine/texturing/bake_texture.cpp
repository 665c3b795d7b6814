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

/// Corrections of the views' colours at seams, and the mean colour difference there, 0…255.
struct SeamLevelling {
    std::optional<SeamCorrections> corrections = {};  ///< nullopt: seams are not levelled
    double differenceBefore = 0;
    double differenceAfter = 0;
};

SeamLevelling levelSeams(const Seams& seams, const TextureOptions& options) {
    SeamLevelling levelling;
    levelling.differenceBefore = levelling.differenceAfter = meanDifference(seams);
    if (options.levelsSeams) {
        levelling.corrections = levelled(seams, options.cancel);
        levelling.differenceAfter = meanDifference(seams, *levelling.corrections);
    }
    return levelling;
}

/// Quality of each view at each vertex: mean area of the faces there, relative to the view that
/// shows them largest, 0 to 1.
std::vector<std::vector<float>> viewQualities(const Mesh& mesh,
                                              std::span<const MeshVisibility> views) {
    std::vector<std::vector<float>> qualities;
    const std::size_t count = mesh.vertices.size();
    std::vector<float> largest(mesh.faces.size());
    for (const MeshVisibility& view : views)
        for (std::size_t face = 0; face < largest.size(); ++face)
            largest[face] = std::max(largest[face], view.areas()[face]);
    for (const MeshVisibility& view : views) {
        std::vector<float>& quality = qualities.emplace_back(count);
        std::vector<float> counts(count);
        for (std::size_t face = 0; face < largest.size(); ++face) {
            if (largest[face] == 0) continue;
            for (int i = 0; i < 3; ++i) {
                quality[mesh.faces[face][i]] += view.areas()[face] / largest[face];
                ++counts[mesh.faces[face][i]];
            }
        }
        for (std::size_t i = 0; i < count; ++i)
            if (counts[i] > 0) quality[i] /= counts[i];
    }
    return qualities;
}

/// The photographs of a mesh, with corrected colours.
struct MeshPhotographs {
    const Mesh& mesh;
    std::vector<MeshVisibility> views;
    std::vector<std::uint32_t> viewOfFace;      ///< result of chooseViews()
    std::vector<ExposureCorrection> exposures;  ///< of each view; empty: colours stay as they are
    SeamLevelling seams;
    std::vector<std::vector<float>> qualities;  ///< result of viewQualities()

    /// Mean colour, by weightOf(), of the views that show the point clearly or, if there are none,
    /// of the views that show it uncertainly. nullopt if no view shows the point.
    std::optional<glm::vec3> colourAt(std::size_t face, glm::vec3 barycentric) const;

  private:
    /// Weight of a view at a point of a face: varies smoothly over the surface.
    float weightOf(std::size_t face, glm::vec3 barycentric, std::uint32_t view) const;
    glm::vec3 seamCorrectionAt(std::size_t face, glm::vec3 barycentric, std::uint32_t view) const;
};

float MeshPhotographs::weightOf(std::size_t face, glm::vec3 barycentric, std::uint32_t view) const {
    constexpr float kMinQuality = 0.2F;  // minimum quality of a view that counts
    float quality = 0;
    for (int i = 0; i < 3; ++i) quality += barycentric[i] * qualities[view][mesh.faces[face][i]];
    const float above = std::max(0.0F, quality - kMinQuality);
    return above * above;
}

glm::vec3 MeshPhotographs::seamCorrectionAt(std::size_t face, glm::vec3 barycentric,
                                            std::uint32_t view) const {
    glm::vec3 sum(0.0F);
    if (!seams.corrections) return sum;
    for (int i = 0; i < 3; ++i)
        sum += barycentric[i] * seams.corrections->at(mesh.faces[face][i], view);
    return sum;
}

std::optional<glm::vec3> MeshPhotographs::colourAt(std::size_t face, glm::vec3 barycentric) const {
    constexpr float kMinWeight = 1e-6F;  // weight of a view below the minimum quality
    glm::dvec3 point(0.0);
    for (int i = 0; i < 3; ++i)
        point += double{barycentric[i]} * glm::dvec3(mesh.vertices[mesh.faces[face][i]]);
    glm::vec4 visible(0.0F);
    glm::vec4 uncertain(0.0F);
    for (std::uint32_t view = 0; view < views.size(); ++view) {
        float weight = weightOf(face, barycentric, view);
        if (weight == 0 && views[view].areas()[face] > 0) weight = kMinWeight;
        if (weight == 0) continue;
        glm::vec3 colourInView(0.0F);
        const Visibility visibility = views[view].sampleColour(point, colourInView);
        if (visibility == Visibility::hidden) continue;
        (visibility == Visibility::visible ? visible : uncertain) +=
            weight * glm::vec4(corrected(exposures, view, colourInView) +
                                   seamCorrectionAt(face, barycentric, view),
                               1.0F);
    }
    const glm::vec4& sum = visible.w > 0 ? visible : uncertain;
    return sum.w > 0 ? std::optional(glm::vec3(sum) / sum.w) : std::nullopt;
}

/// Throws InputError if no photograph shows the mesh, Cancelled.
MeshPhotographs meshPhotographs(const Mesh& mesh, std::span<const TextureView> photographs,
                                int threads, const TextureOptions& options) {
    std::vector<MeshVisibility> views;
    for (const TextureView& view : photographs) views.emplace_back(mesh, view, options.cancel);
    std::vector<std::uint32_t> viewOfFace = chooseViews(mesh, views);
    const bool any = std::ranges::any_of(views, [](const MeshVisibility& view) {
        return std::ranges::any_of(view.areas(), [](float area) { return area > 0; });
    });
    if (!any) refuse("no photograph shows the mesh", "Check the cameras and the masks.");
    std::vector<ExposureCorrection> exposures;
    if (options.equalisesExposure)
        exposures = estimateExposures(mesh, views, threads, options.cancel);
    SeamLevelling seams = levelSeams(findSeams({mesh, views, exposures, viewOfFace}), options);
    std::vector<std::vector<float>> qualities = viewQualities(mesh, views);
    return {mesh,
            std::move(views),
            std::move(viewOfFace),
            std::move(exposures),
            std::move(seams),
            std::move(qualities)};
}

/// For each vertex: sum (xyz) and number (w) of colours. Each face at the vertex that a view shows
/// gives one colour, of a point of the face near the vertex.
std::vector<glm::vec4> visibleColourSums(const MeshPhotographs& photographs, int threads,
                                         const std::stop_token& cancel) {
    constexpr std::size_t kFacesPerBlock = 1024;
    const Mesh& mesh = photographs.mesh;
    const std::size_t faces = mesh.faces.size();
    std::vector<glm::vec4> cornerColours(3 * faces, glm::vec4(0.0F));
    parallelFor(threads, (faces + kFacesPerBlock - 1) / kFacesPerBlock, cancel,
                [&](std::size_t block, std::size_t /*thread*/) {
                    const std::size_t end = std::min(faces, (block + 1) * kFacesPerBlock);
                    for (std::size_t face = block * kFacesPerBlock; face < end; ++face)
                        for (int i = 0; i < 3; ++i) {
                            glm::vec3 barycentric(0.05F);
                            barycentric[i] = 0.9F;
                            if (const auto colour = photographs.colourAt(face, barycentric))
                                cornerColours[3 * face + static_cast<std::size_t>(i)] =
                                    glm::vec4(*colour, 1.0F);
                        }
                });
    std::vector<glm::vec4> sums(mesh.vertices.size(), glm::vec4(0.0F));
    for (std::size_t face = 0; face < faces; ++face)
        for (int i = 0; i < 3; ++i)
            sums[mesh.faces[face][i]] += cornerColours[3 * face + static_cast<std::size_t>(i)];
    return sums;
}

/// Spreads colours from shown vertices to their neighbours, ring by ring: in each round, each
/// vertex that is not shown takes the mean colour of its neighbours, until all connected vertices
/// have a colour, and for at least kSmoothings rounds.
void spreadVertexColours(const Faces& faces, const std::vector<bool>& shown,
                         std::vector<glm::vec3>& colours, const std::stop_token& cancel) {
    constexpr int kSmoothings = 200;
    std::vector<bool> known = shown;
    std::vector<glm::vec4> sums(shown.size());
    bool growing = false;
    for (int round = 0; round < kSmoothings || growing; ++round) {
        std::ranges::fill(sums, glm::vec4(0.0F));
        for (const glm::u32vec3& face : faces)
            for (int i = 0; i < 3; ++i)
                for (int j = 1; j < 3; ++j)
                    if (!shown[face[i]] && known[face[(i + j) % 3]])
                        sums[face[i]] += glm::vec4(colours[face[(i + j) % 3]], 1.0F);
        growing = false;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (sums[i].w == 0) continue;
            growing = growing || !known[i];
            known[i] = true;
            colours[i] = glm::vec3(sums[i]) / sums[i].w;
        }
        if (cancel.stop_requested()) throw Cancelled();
    }
}

/// Colours of the vertices for surfaces that no view shows: spread from the visible vertices.
std::vector<glm::vec3> vertexColoursOf(const MeshPhotographs& photographs, int threads,
                                       const std::stop_token& cancel) {
    const std::vector<glm::vec4> sums = visibleColourSums(photographs, threads, cancel);
    const std::size_t count = sums.size();
    std::vector<glm::vec3> colours(count, glm::vec3(0.0F));
    std::vector<bool> shown(count);
    glm::vec4 total(0.0F);
    for (std::size_t i = 0; i < count; ++i) {
        shown[i] = sums[i].w > 0;
        if (!shown[i]) continue;
        colours[i] = glm::vec3(sums[i]) / sums[i].w;
        total += sums[i];
    }
    // Vertices that are not shown begin with the mean colour, or grey if no vertex is shown, though
    // a face is. Parts that are not connected to a shown vertex keep this colour.
    const glm::vec3 kGrey(128.0F);
    for (std::size_t i = 0; i < count; ++i)
        if (!shown[i]) colours[i] = total.w > 0 ? glm::vec3(total) / total.w : kGrey;
    spreadVertexColours(photographs.mesh.faces, shown, colours, cancel);
    return colours;
}

/// Paints the faces into the pictures of `texture`, and sets its visible fraction.
void paint(BakedTexture& texture, const Atlas& atlas, const MeshPhotographs& photographs,
           int threads, const std::stop_token& cancel) {
    const Faces& faces = photographs.mesh.faces;
    const std::vector<glm::vec3> vertexColours = vertexColoursOf(photographs, threads, cancel);
    const auto vertexColourAt = [&](std::size_t face, glm::vec3 barycentric) {
        glm::vec3 sum(0.0F);
        for (int i = 0; i < 3; ++i) sum += barycentric[i] * vertexColours[faces[face][i]];
        return sum;
    };
    const auto side = static_cast<std::size_t>(texture.picture.width);
    Faces unindexed(faces.size());
    for (std::uint32_t i = 0; i < unindexed.size(); ++i)
        unindexed[i] = {3 * i, 3 * i + 1, 3 * i + 2};
    RasterOptions options;
    options.width = static_cast<std::uint32_t>(side);
    options.height = kBand;
    options.threads = threads;
    options.cancel = cancel;
    std::vector<glm::vec4> clip(atlas.cornerPositions.size());
    std::vector<RasterImage> image(1);
    std::size_t texels = 0;
    std::size_t shown = 0;
    for (std::size_t top = 0; top < side; top += kBand) {
        for (std::size_t i = 0; i < clip.size(); ++i)
            clip[i] = {2 * atlas.cornerPositions[i].x / static_cast<float>(side) - 1,
                       2 * (atlas.cornerPositions[i].y - static_cast<float>(top)) / kBand - 1, 0,
                       1};
        const std::span<const glm::vec4> spans[] = {clip};
        rasterize(spans, unindexed, options, image);
        std::vector<std::pair<std::size_t, std::size_t>> counts(kBand);
        parallelFor(threads, kBand, cancel, [&](std::size_t row, std::size_t) {
            for (std::size_t x = 0; x < side; ++x) {
                const std::size_t face = image[0].facePlusOne[row * side + x];
                if (face == 0) continue;
                const glm::vec3 barycentric = image[0].barycentric[row * side + x];
                const std::size_t offset = 4 * ((top + row) * side + x);
                const auto colour = photographs.colourAt(face - 1, barycentric);
                putPixel(&texture.picture.rgba[offset],
                         colour ? *colour : vertexColourAt(face - 1, barycentric));
                texture.observedPicture.rgba[offset + 3] = colour ? 255 : 0;
                ++counts[row].first;
                counts[row].second += colour ? 1 : 0;
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

}  // namespace

BakedTexture bakeTexture(const Mesh& mesh, std::span<const TextureView> views,
                         const TextureOptions& options) {
    if (options.side < kMinTextureSide || options.side > kMaxTextureSide)
        refuse(fmt::format("{} pixels on a side", options.side),
               fmt::format("Choose {} to {}.", kMinTextureSide, kMaxTextureSide));
    if (mesh.faces.empty())
        refuse("the mesh has no faces", "Choose a mesh with faces, not points.");
    if (views.empty()) refuse("there is no photograph", "Choose a sample with photographs.");
    const int threads = resolveThreadCount(options.threads);
    const auto side = static_cast<std::size_t>(options.side);
    const MeshPhotographs photographs = meshPhotographs(mesh, views, threads, options);
    const Atlas atlas = packCharts(mesh, photographs.views, photographs.viewOfFace, options.side);
    BakedTexture texture;
    texture.exposures = photographs.exposures;
    texture.meanSeamDifferenceBefore = photographs.seams.differenceBefore;
    texture.meanSeamDifferenceAfter = photographs.seams.differenceAfter;
    texture.picture = {options.side, options.side, std::vector<std::uint8_t>(4 * side * side)};
    texture.observedPicture = texture.picture;
    paint(texture, atlas, photographs, threads, options.cancel);
    padTexture(texture.picture);
    for (std::size_t i = 0; i < side * side; ++i)
        std::copy_n(&texture.picture.rgba[4 * i], 3, &texture.observedPicture.rgba[4 * i]);
    for (const glm::vec2 corner : atlas.cornerPositions)
        texture.textureCoordinates.emplace_back(corner.x / static_cast<float>(side),
                                                1 - corner.y / static_cast<float>(side));
    return texture;
}

}  // namespace threefold
