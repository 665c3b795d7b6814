#include <algorithm>
#include <utility>

#include "cuda/kernels/fit_terms.h"
#include "engine/fitting/mesh_levels.h"
#include "engine/fitting/outline_terms.h"
#include "engine/fitting/term_weights.h"

namespace threefold::cuda {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kSlice = 32;

/// Groups entries by key (`count` keys), keeping their order.
struct GroupedByKey {
    Words start;
    Words values;

    GroupedByKey(std::size_t count,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries)
        : start(count + 1), values(entries.size()) {
        for (const auto& [key, value] : entries) ++start[key + 1];
        for (std::size_t i = 0; i < count; ++i) start[i + 1] += start[i];
        Words next(start.begin(), start.end() - 1);
        for (const auto& [key, value] : entries) values[next[key]++] = value;
    }
};

GroupedByKey facesAround(const fitting::MeshLevels& levels) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
    for (std::uint32_t i = 0; i < levels.faces().size(); ++i)
        for (int corner = 0; corner < 3; ++corner)
            entries.emplace_back(levels.faces()[i][corner], i);
    return {levels.vertexCount(), entries};
}

struct Slices {
    Words start;
    Words neighbours;
    Words degrees;

    explicit Slices(const fitting::MeshLevels& levels) {
        const Words& first = levels.neighbourOffsets();
        const auto count = static_cast<std::uint32_t>(levels.vertexCount());
        for (std::uint32_t v = 0; v < count; ++v) degrees.push_back(first[v + 1] - first[v]);
        for (std::uint32_t begin = 0; begin < count; begin += kSlice) {
            const std::uint32_t end = std::min(begin + kSlice, count);
            start.push_back(static_cast<std::uint32_t>(neighbours.size()));
            const auto maxDegree =
                *std::max_element(degrees.begin() + begin, degrees.begin() + end);
            neighbours.resize(neighbours.size() + std::size_t{kSlice} * maxDegree);
            for (std::uint32_t v = begin; v < end; ++v)
                for (std::uint32_t k = 0; k < degrees[v]; ++k)
                    neighbours[start.back() + kSlice * k + v - begin] =
                        levels.neighbours()[first[v] + k];
        }
    }
};

}  // namespace

PackedFitMesh::PackedFitMesh(const fitting::MeshLevels& levels)
    : vertexCount_(static_cast<std::uint32_t>(levels.vertexCount())),
      levels_(static_cast<std::uint32_t>(levels.levelCount())) {
    Words levelVertices(levels_, vertexCount_);
    for (std::size_t l = levels_ - 1; l > 0; --l)
        levelVertices[l - 1] =
            levelVertices[l] - static_cast<std::uint32_t>(levels.unpoolEdges()[l - 1].size());
    Words ends;
    Words midpointLevelOffsets;
    Words midpointStart;
    Words midpoints;
    for (std::size_t l = 0; l + 1 < levels_; ++l) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
        std::uint32_t midpoint = levelVertices[l];
        for (const glm::u32vec2 edge : levels.unpoolEdges()[l]) {
            ends.insert(ends.end(), {edge.x, edge.y});
            entries.emplace_back(edge.x, midpoint);
            entries.emplace_back(edge.y, midpoint++);
        }
        GroupedByKey lists(levelVertices[l], entries);
        midpointLevelOffsets.push_back(static_cast<std::uint32_t>(midpointStart.size()));
        for (const std::uint32_t start : lists.start)
            midpointStart.push_back(static_cast<std::uint32_t>(midpoints.size()) + start);
        midpoints.insert(midpoints.end(), lists.values.begin(), lists.values.end());
    }
    Words corners;
    for (const glm::u32vec3& face : levels.faces())
        corners.insert(corners.end(), {face.x, face.y, face.z});
    const GroupedByKey vertexFaces = facesAround(levels);
    const Slices slices(levels);
    const Words* const arrays[] = {&corners,
                                   &vertexFaces.start,
                                   &vertexFaces.values,
                                   &slices.start,
                                   &slices.neighbours,
                                   &slices.degrees,
                                   &levelVertices,
                                   &ends,
                                   &midpointLevelOffsets,
                                   &midpointStart,
                                   &midpoints};
    for (const Words* array : arrays) {
        starts_.push_back(words_.size());
        words_.insert(words_.end(), array->begin(), array->end());
    }
}

FitMesh PackedFitMesh::at(const std::uint32_t* words) const {
    std::size_t index = 0;
    const auto next = [&] { return words + starts_[index++]; };
    // Fields in the order of the constructor's `arrays`.
    return {.vertexCount = vertexCount_,
            .levels = levels_,
            .faces = next(),
            .vertexFaceOffsets = next(),
            .vertexFaces = next(),
            .sellSliceOffsets = next(),
            .sellNeighbours = next(),
            .degrees = next(),
            .levelVertices = next(),
            .ends = next(),
            .midpointLevelOffsets = next(),
            .midpointStart = next(),
            .midpoints = next()};
}

PackedOutlines packOutlines(std::span<const fitting::ViewOutline* const> views) {
    PackedOutlines packed;
    for (const fitting::ViewOutline* source : views) {
        PackedOutline view;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                view.linear[3 * row + column] = source->toCameraMatrix()[column][row];
            view.offset[row] = source->toCameraOffset()[row];
        }
        view.firstDistance = packed.distances.size();
        view.firstPoint = packed.points.size();
        view.pointCount = static_cast<std::uint32_t>(source->tangentPoints().size());
        view.side = source->outline().mask().width;
        view.pixelSize = source->outline().pixelSize();
        packed.maxPoints = std::max(packed.maxPoints, view.pointCount);
        packed.views.push_back(view);
        const std::vector<float>& distances = source->outline().distances();
        packed.distances.insert(packed.distances.end(), distances.begin(), distances.end());
        for (const fitting::ViewOutline::TangentPoint& point : source->tangentPoints()) {
            const glm::vec3 plane = fitting::kPixelsPerNormalUnit * point.plane;
            packed.points.push_back({point.pixel.x,
                                     point.pixel.y,
                                     point.normal.x,
                                     point.normal.y,
                                     {plane.x, plane.y, plane.z}});
        }
    }
    return packed;
}

}  // namespace threefold::cuda
