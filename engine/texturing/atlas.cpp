#include "engine/texturing/atlas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "engine/bounding_box.h"
#include "engine/error.h"

namespace threefold::texturing {
namespace {

using Corners = std::array<glm::dvec2, 3>;
constexpr std::uint32_t kNone = UINT32_MAX;

/// Neighbours of each face across its three edges: neighbour i shares the edge between corners i
/// and i + 1; kNone at borders. If more than two faces share an edge, pairs of them are neighbours.
std::vector<std::array<std::uint32_t, 3>> neighboursOf(const Faces& faces) {
    std::unordered_map<std::uint64_t, std::uint32_t> unpaired;  // 3 · face + edge
    std::vector<std::array<std::uint32_t, 3>> neighbours(faces.size(), {kNone, kNone, kNone});
    for (std::uint32_t face = 0; face < faces.size(); ++face) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(faces[face][static_cast<int>(i)],
                                                 faces[face][static_cast<int>((i + 1) % 3)]);
            const std::uint64_t edge = std::uint64_t{low} << 32U | high;
            const auto [entry, isNew] = unpaired.try_emplace(edge, 3 * face + i);
            if (isNew) continue;
            neighbours[face][i] = entry->second / 3;
            neighbours[entry->second / 3][entry->second % 3] = face;
            unpaired.erase(entry);
        }
    }
    return neighbours;
}

double doubledArea(const Corners& corners) {
    const glm::dvec2 a = corners[1] - corners[0];
    const glm::dvec2 b = corners[2] - corners[0];
    return a.x * b.y - a.y * b.x;
}

/// Side, 0 to 5, of an axis-aligned box that a face with this normal looks at.
std::uint32_t sideOf(const glm::dvec3& normal) {
    const glm::dvec3 size = glm::abs(normal);
    const int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
    return static_cast<std::uint32_t>(2 * axis) + (normal[axis] < 0 ? 1 : 0);
}

/// Corners of a face as seen from a side of the box, in pixels.
Corners cornersFrom(std::uint32_t side, const Mesh& mesh, std::size_t face, double pixelsPerUnit) {
    Corners corners;
    const auto axis = static_cast<int>(side / 2);
    for (int i = 0; i < 3; ++i) {
        const glm::dvec3 point(mesh.vertices[mesh.faces[face][i]]);
        corners[static_cast<std::size_t>(i)] =
            pixelsPerUnit * glm::dvec2(point[(axis + 1) % 3], point[(axis + 2) % 3]);
    }
    return corners;
}

/// Calls visit(x, y) for each cell whose centre is strictly inside of the triangle, until `visit`
/// returns false; returns false in this case.
template <class Visit>
bool visitCells(const Corners& corners, Visit visit) {
    const double area = doubledArea(corners);
    if (area == 0) return true;
    const glm::dvec2 low = glm::min(glm::min(corners[0], corners[1]), corners[2]);
    const glm::dvec2 high = glm::max(glm::max(corners[0], corners[1]), corners[2]);
    constexpr double kMinBarycentric = 1e-6;
    for (auto y = static_cast<std::int64_t>(std::floor(low.y)); static_cast<double>(y) < high.y;
         ++y) {
        for (auto x = static_cast<std::int64_t>(std::floor(low.x)); static_cast<double>(x) < high.x;
             ++x) {
            const glm::dvec2 centre(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5);
            const double b = doubledArea({corners[0], centre, corners[2]}) / area;
            const double c = doubledArea({corners[0], corners[1], centre}) / area;
            if (b <= kMinBarycentric || c <= kMinBarycentric || 1 - b - c <= kMinBarycentric)
                continue;
            if (!visit(x, y)) return false;
        }
    }
    return true;
}

struct Chart {
    std::vector<std::uint32_t> faces;
    glm::dvec2 low{0}, size{0};
    bool rotated = false;
    glm::ivec2 position{0};
};

class Charts {
  public:
    Charts(const Mesh& mesh, std::span<const MeshVisibility> views,
           std::span<const std::uint32_t> viewOfFace)
        : corners_(mesh.faces.size()) {
        double pixelsPerUnit = 0;  // mean over the views
        for (const MeshVisibility& view : views) {
            cellSizes_.push_back(view.pixelsPerUnit() * kCell);
            pixelsPerUnit += view.pixelsPerUnit() / static_cast<double>(views.size());
        }
        cellSizes_.resize(views.size() + kSides, pixelsPerUnit * kCell);
        for (std::size_t face = 0; face < corners_.size(); ++face) {
            const std::uint32_t view = viewOfFace[face];
            if (view == kNoView) {
                const std::uint32_t side =
                    sideOf(doubledAreaNormal(mesh.vertices, mesh.faces[face]));
                sources_.push_back(static_cast<std::uint32_t>(views.size()) + side);
                corners_[face] = cornersFrom(side, mesh, face, pixelsPerUnit);
            } else {
                sources_.push_back(view);
                for (int i = 0; i < 3; ++i)
                    corners_[face][static_cast<std::size_t>(i)] =
                        *views[view].project(glm::dvec3(mesh.vertices[mesh.faces[face][i]]));
            }
        }
        grow(neighboursOf(mesh.faces));
        for (Chart& chart : charts_) measure(chart);
    }

    std::vector<Chart>& charts() { return charts_; }
    const Corners& corners(std::uint32_t face) const { return corners_[face]; }

  private:
    static constexpr double kCell = 0.001;  // object units
    static constexpr std::size_t kSides = 6;

    void grow(const std::vector<std::array<std::uint32_t, 3>>& neighbours) {
        std::vector<bool> assigned(corners_.size());
        std::unordered_map<std::uint64_t, std::uint32_t> coveredCells;
        for (std::uint32_t seed = 0; seed < assigned.size(); ++seed) {
            if (assigned[seed]) continue;
            const bool positive = doubledArea(corners_[seed]) >= 0;
            const double cell = cellSizes_[sources_[seed]];
            Chart chart;
            coveredCells.clear();
            const auto assign = [&](std::uint32_t face) {
                Corners scaled = corners_[face];
                for (glm::dvec2& corner : scaled) corner /= cell;
                const auto key = [](std::int64_t x, std::int64_t y) {
                    return static_cast<std::uint64_t>(x) << 32U ^ static_cast<std::uint32_t>(y);
                };
                const bool fits = visitCells(scaled, [&](std::int64_t x, std::int64_t y) {
                    return !coveredCells.contains(key(x, y));
                });
                if (!fits) return;
                visitCells(scaled, [&](std::int64_t x, std::int64_t y) {
                    return coveredCells.emplace(key(x, y), face).second;
                });
                assigned[face] = true;
                chart.faces.push_back(face);
            };
            assign(seed);
            std::size_t next = 0;
            while (next < chart.faces.size()) {
                for (const std::uint32_t face : neighbours[chart.faces[next++]]) {
                    if (face == kNone || assigned[face] || sources_[face] != sources_[seed])
                        continue;
                    if ((doubledArea(corners_[face]) >= 0) == positive) assign(face);
                }
            }
            charts_.push_back(std::move(chart));
        }
    }

    void measure(Chart& chart) const {
        Box2d box;
        for (const std::uint32_t face : chart.faces) box.include(corners_[face]);
        chart.low = box.min;
        chart.size = box.max - box.min;
        chart.rotated = chart.size.y > chart.size.x;
        if (chart.rotated) std::swap(chart.size.x, chart.size.y);
    }

    std::vector<Corners> corners_;
    /// Source of each face: the index of its view, or the number of views + the side of the box.
    std::vector<std::uint32_t> sources_;
    std::vector<double> cellSizes_;  ///< of each source, in pixels
    std::vector<Chart> charts_;
};

/// Packs charts in rows, in their order. False if they do not fit.
bool pack(std::vector<Chart>& charts, double scale, int side) {
    int left = 0, top = 0, height = 0;
    for (Chart& chart : charts) {
        const glm::ivec2 size(glm::min(glm::ceil(chart.size * scale), 1e6));
        const glm::ivec2 padded = size + 2 * kChartPadding + 1;
        if (left + padded.x > side) {
            left = 0;
            top += height;
            height = 0;
        }
        if (padded.x > side || top + padded.y > side) return false;
        chart.position = {left + kChartPadding, top + kChartPadding};
        left += padded.x;
        height = std::max(height, padded.y);
    }
    return true;
}

}  // namespace

std::vector<std::uint32_t> chooseViews(const Mesh& mesh, std::span<const MeshVisibility> views) {
    constexpr int kRounds = 8;
    constexpr float kMinAreaFraction = 0.6F;  // fraction of the best view's area
    constexpr float kSameViewBonus = 0.3F;    // score of a neighbour with the same view
    std::vector<std::uint32_t> chosen(mesh.faces.size(), kNoView);
    std::vector<float> largest(mesh.faces.size());
    for (std::uint32_t view = 0; view < views.size(); ++view) {
        for (std::size_t face = 0; face < chosen.size(); ++face) {
            if (views[view].areas()[face] <= largest[face]) continue;
            largest[face] = views[view].areas()[face];
            chosen[face] = view;
        }
    }
    const auto neighbours = neighboursOf(mesh.faces);
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t face = 0; face < chosen.size(); ++face) {
            if (largest[face] == 0) continue;
            float best = -1;
            std::uint32_t bestView = chosen[face];
            const auto consider = [&](std::uint32_t view) {
                const float fraction = views[view].areas()[face] / largest[face];
                if (fraction < kMinAreaFraction) return;
                float score = fraction;
                for (const std::uint32_t other : neighbours[face])
                    if (other != kNone && chosen[other] == view) score += kSameViewBonus;
                if (score <= best) return;
                best = score;
                bestView = view;
            };
            consider(chosen[face]);
            for (const std::uint32_t other : neighbours[face])
                if (other != kNone && chosen[other] != kNoView) consider(chosen[other]);
            chosen[face] = bestView;
        }
    }
    return chosen;
}

Atlas packCharts(const Mesh& mesh, std::span<const MeshVisibility> views,
                 std::span<const std::uint32_t> viewOfFace, int side) {
    Charts layout(mesh, views, viewOfFace);
    std::vector<Chart>& charts = layout.charts();
    std::ranges::stable_sort(charts, std::ranges::greater{},
                             [](const Chart& chart) { return chart.size.y; });
    constexpr double kMinScale = 1.0 / 64, kMaxScale = 64;
    double low = kMinScale, high = kMaxScale;
    if (!pack(charts, low, side))
        throw InputError({"texture", "",
                          fmt::format("{} patches of the surface do not fit in {} × {} pixels",
                                      charts.size(), side, side),
                          "Choose more pixels, or a mesh of fewer faces."});
    constexpr int kSteps = 20;
    for (int step = 0; step < kSteps; ++step) {
        const double scale = std::sqrt(low * high);
        (pack(charts, scale, side) ? low : high) = scale;
    }
    pack(charts, low, side);
    Atlas atlas;
    atlas.cornerPositions.resize(3 * mesh.faces.size());
    for (const Chart& chart : charts) {
        for (const std::uint32_t face : chart.faces) {
            for (std::size_t i = 0; i < 3; ++i) {
                glm::dvec2 position = layout.corners(face)[i] - chart.low;
                if (chart.rotated) std::swap(position.x, position.y);
                atlas.cornerPositions[3 * face + i] =
                    glm::dvec2(chart.position) + 0.5 + position * low;
            }
        }
    }
    return atlas;
}

}  // namespace threefold::texturing
